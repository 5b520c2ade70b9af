package garden.house;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Keeps the climate of a greenhouse within limits.
 *
 * <p>Sensors report; valves and heaters follow.
 */
public final class Greenhouse
{
    private static final double LOWEST_TEMPERATURE = 12.5;
    private static final double HIGHEST_TEMPERATURE = 31.0;
    private static final int LOWEST_HUMIDITY = 40;
    private static final int HIGHEST_HUMIDITY = 85;

    private final Map<String, Sensor> sensors = new HashMap<>();
    private final List<Reading> readings = new ArrayList<>();
    private final Valve valve;
    private final Heater heater;

    public Greenhouse(Valve valve, Heater heater)
    {
        this.valve = valve;
        this.heater = heater;
    }

    public void register(Sensor sensor)
    {
        if (sensors.containsKey(sensor.name())) {
            throw new IllegalArgumentException("sensor exists: " + sensor.name());
        }
        sensors.put(sensor.name(), sensor);
    }

    public void report(String name, double value, Instant time)
    {
        Sensor sensor = sensors.get(name);
        if (sensor == null) {
            throw new IllegalArgumentException("no such sensor: " + name);
        }
        readings.add(new Reading(sensor, value, time));
    }

    /**
     * Returns the latest temperature.
     *
     * @return empty if no sensor has reported one
     */
    public Optional<Double> temperature()
    {
        Double latest = null;
        for (Reading reading : readings) {
            if (reading.sensor().kind() == Kind.TEMPERATURE) {
                latest = reading.value();
            }
        }
        return Optional.ofNullable(latest);
    }

    /**
     * Returns the latest humidity.
     *
     * @return empty if no sensor has reported one
     */
    public Optional<Double> humidity()
    {
        Double latest = null;
        for (Reading reading : readings) {
            if (reading.sensor().kind() == Kind.HUMIDITY) {
                latest = reading.value();
            }
        }
        return Optional.ofNullable(latest);
    }

    public void adjust()
    {
        temperature().ifPresent(value -> {
            if (value < LOWEST_TEMPERATURE) {
                heater.start();
            } else if (value > HIGHEST_TEMPERATURE) {
                heater.stop();
            }
        });
        humidity().ifPresent(value -> {
            if (value < LOWEST_HUMIDITY) {
                valve.open();
            } else if (value > HIGHEST_HUMIDITY) {
                valve.close();
            }
        });
    }

    public int forget(Duration age, Instant now)
    {
        int before = readings.size();
        readings.removeIf(reading -> reading.time().plus(age).isBefore(now));
        return before - readings.size();
    }

    public enum Kind
    {
        TEMPERATURE,
        HUMIDITY,
        LIGHT,
    }

    public record Sensor(String name, Kind kind)
    {
    }

    public record Reading(Sensor sensor, double value, Instant time)
    {
    }

    public interface Valve
    {
        void open();

        void close();
    }

    public interface Heater
    {
        void start();

        void stop();
    }
}

//! A small store of telescope observations.

use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, BufRead, Write};

/// Where a telescope points.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Direction {
    pub azimuth: f64,
    pub altitude: f64,
}

impl Direction {
    pub fn new(azimuth: f64, altitude: f64) -> Option<Self> {
        if !(0.0..360.0).contains(&azimuth) {
            return None;
        }
        if !(-90.0..=90.0).contains(&altitude) {
            return None;
        }
        Some(Direction { azimuth, altitude })
    }

    pub fn is_visible(&self) -> bool {
        self.altitude > 5.0
    }
}

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.1}/{:.1}", self.azimuth, self.altitude)
    }
}

/// What was seen.
#[derive(Debug, Clone, PartialEq)]
pub enum Observation {
    Planet { name: String, direction: Direction },
    Comet { name: String, tail: f64, direction: Direction },
    Star { catalogue: u32, direction: Direction },
}

impl Observation {
    pub fn direction(&self) -> Direction {
        match self {
            Observation::Planet { direction, .. } => *direction,
            Observation::Comet { direction, .. } => *direction,
            Observation::Star { direction, .. } => *direction,
        }
    }

    pub fn title(&self) -> String {
        match self {
            Observation::Planet { name, .. } => format!("planet {name}"),
            Observation::Comet { name, tail, .. } => format!("comet {name}, tail {tail:.1}"),
            Observation::Star { catalogue, .. } => format!("star {catalogue}"),
        }
    }
}

#[derive(Debug)]
pub enum StoreError {
    Empty,
    Malformed { line: usize, reason: &'static str },
    Io(io::Error),
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StoreError::Empty => write!(f, "there are no observations"),
            StoreError::Malformed { line, reason } => write!(f, "line {line}: {reason}"),
            StoreError::Io(error) => write!(f, "cannot read: {error}"),
        }
    }
}

impl From<io::Error> for StoreError {
    fn from(error: io::Error) -> Self {
        StoreError::Io(error)
    }
}

/// All observations by night.
#[derive(Debug, Default)]
pub struct Store {
    nights: BTreeMap<u32, Vec<Observation>>,
}

impl Store {
    pub fn insert(&mut self, night: u32, observation: Observation) {
        self.nights.entry(night).or_default().push(observation);
    }

    pub fn planets(&self) -> Vec<&Observation> {
        let mut found = Vec::new();
        for observations in self.nights.values() {
            for observation in observations {
                if matches!(observation, Observation::Planet { .. }) {
                    found.push(observation);
                }
            }
        }
        found
    }

    pub fn comets(&self) -> Vec<&Observation> {
        let mut found = Vec::new();
        for observations in self.nights.values() {
            for observation in observations {
                if matches!(observation, Observation::Comet { .. }) {
                    found.push(observation);
                }
            }
        }
        found
    }

    pub fn count(&self) -> usize {
        self.nights.values().map(Vec::len).sum()
    }

    pub fn write(&self, out: &mut dyn Write) -> Result<(), StoreError> {
        if self.nights.is_empty() {
            return Err(StoreError::Empty);
        }
        for (night, observations) in &self.nights {
            writeln!(out, "# night {night}")?;
            for observation in observations {
                writeln!(out, "{} at {}", observation.title(), observation.direction())?;
            }
        }
        Ok(())
    }

    pub fn read_stars(&mut self, input: &mut dyn BufRead) -> Result<usize, StoreError> {
        let mut read = 0;
        for (nth, line) in input.lines().enumerate() {
            let line = line?;
            let mut fields = line.split_whitespace();
            let (Some(night), Some(catalogue)) = (fields.next(), fields.next()) else {
                return Err(StoreError::Malformed { line: nth + 1, reason: "too few fields" });
            };
            let Ok(night) = night.parse() else {
                return Err(StoreError::Malformed { line: nth + 1, reason: "the night is no number" });
            };
            let Ok(catalogue) = catalogue.parse() else {
                return Err(StoreError::Malformed { line: nth + 1, reason: "the catalogue is no number" });
            };
            let direction = Direction { azimuth: 0.0, altitude: 90.0 };
            self.insert(night, Observation::Star { catalogue, direction });
            read += 1;
        }
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn direction() -> Direction {
        Direction { azimuth: 10.0, altitude: 20.0 }
    }

    #[test]
    fn azimuth_has_a_range() {
        assert!(Direction::new(359.9, 0.0).is_some());
        assert!(Direction::new(360.0, 0.0).is_none());
    }

    #[test]
    fn altitude_has_a_range() {
        assert!(Direction::new(0.0, 90.0).is_some());
        assert!(Direction::new(0.0, 90.1).is_none());
    }

    #[test]
    fn planets_are_found() {
        let mut store = Store::default();
        store.insert(1, Observation::Planet { name: "Mars".to_owned(), direction: direction() });
        assert_eq!(store.planets().len(), 1);
        assert_eq!(store.comets().len(), 0);
    }

    #[test]
    fn comets_are_found() {
        let mut store = Store::default();
        store.insert(1, Observation::Comet { name: "Encke".to_owned(), tail: 0.5, direction: direction() });
        assert_eq!(store.planets().len(), 0);
        assert_eq!(store.comets().len(), 1);
    }
}

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHANNELS 8
#define MAX_GAIN 127
#define BUFFER_FRAMES 512

struct channel {
    char name[32];
    int gain;
    int pan;
    int muted;
    int16_t *samples;
    size_t length;
};

struct mixer {
    struct channel channels[CHANNELS];
    size_t used;
    int master;
};

static int clamp(int value, int low, int high)
{
    if (value < low)
        return low;
    if (value > high)
        return high;
    return value;
}

struct mixer *mixer_new(void)
{
    struct mixer *mixer = calloc(1, sizeof(*mixer));
    if (mixer == NULL)
        return NULL;
    mixer->master = MAX_GAIN;
    return mixer;
}

void mixer_free(struct mixer *mixer)
{
    size_t i;

    if (mixer == NULL)
        return;
    for (i = 0; i < mixer->used; i++) {
        free(mixer->channels[i].samples);
    }
    free(mixer);
}

int mixer_add(struct mixer *mixer, const char *name, const int16_t *samples, size_t length)
{
    struct channel *channel;

    if (mixer->used == CHANNELS)
        return -ENOSPC;
    channel = &mixer->channels[mixer->used];
    channel->samples = malloc(length * sizeof(*samples));
    if (channel->samples == NULL)
        return -ENOMEM;
    memcpy(channel->samples, samples, length * sizeof(*samples));
    strncpy(channel->name, name, sizeof(channel->name) - 1);
    channel->length = length;
    channel->gain = MAX_GAIN;
    mixer->used++;
    return 0;
}

int mixer_set_gain(struct mixer *mixer, size_t index, int gain)
{
    if (index >= mixer->used)
        return -EINVAL;
    mixer->channels[index].gain = clamp(gain, 0, MAX_GAIN);
    return 0;
}

int mixer_set_pan(struct mixer *mixer, size_t index, int pan)
{
    if (index >= mixer->used)
        return -EINVAL;
    mixer->channels[index].pan = clamp(pan, -64, 63);
    return 0;
}

int mixer_set_muted(struct mixer *mixer, size_t index, int muted)
{
    if (index >= mixer->used)
        return -EINVAL;
    mixer->channels[index].muted = muted != 0;
    return 0;
}

static int32_t mix_frame(const struct mixer *mixer, size_t frame)
{
    int32_t sum = 0;
    size_t i;

    for (i = 0; i < mixer->used; i++) {
        const struct channel *channel = &mixer->channels[i];

        if (channel->muted || frame >= channel->length)
            continue;
        sum += channel->samples[frame] * channel->gain / MAX_GAIN;
    }
    return sum * mixer->master / MAX_GAIN;
}

size_t mixer_render(const struct mixer *mixer, int16_t *out, size_t frames)
{
    size_t frame;

    for (frame = 0; frame < frames; frame++) {
        int32_t value = mix_frame(mixer, frame);

        out[frame] = (int16_t)clamp(value, INT16_MIN, INT16_MAX);
    }
    return frames;
}

void mixer_print(const struct mixer *mixer, FILE *file)
{
    size_t i;

    fprintf(file, "master %d\n", mixer->master);
    for (i = 0; i < mixer->used; i++) {
        const struct channel *channel = &mixer->channels[i];

        fprintf(file, "%zu %-32s gain %3d pan %3d%s\n", i, channel->name, channel->gain, channel->pan,
                channel->muted ? " muted" : "");
    }
}

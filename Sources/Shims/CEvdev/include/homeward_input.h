#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The keys of one input device as a single button, through libevdev. Nothing here waits. */

#define HOMEWARD_INPUT_NAME_MAX 256
/* What homeward_input_open answers instead of an errno for a device without any of the wanted keys. */
#define HOMEWARD_INPUT_NO_KEYS (-1)

struct homeward_input_edge {
  bool is_down;        /* a wanted key went down while none was, or the last one was let go */
  int64_t nanoseconds; /* CLOCK_MONOTONIC; CLOCK_REALTIME where the kernel keeps to it */
};

struct homeward_input;

/* Opens an event device and grabs it, so that nothing else sees its keys. Of its keys only those in `keys` count, all
   of them when count is 0. NULL with *error: an errno, or HOMEWARD_INPUT_NO_KEYS. */
struct homeward_input *homeward_input_open(const char *path, const uint16_t *keys, size_t count, int *error);
void homeward_input_close(struct homeward_input *input);
int homeward_input_descriptor(const struct homeward_input *input);
/* Takes waiting edges, at most max of them: how many, or -1 with errno (ENODEV: unplugged). 0 means that nothing waits. */
int homeward_input_read(struct homeward_input *input, struct homeward_input_edge *edges, int max);
/* Whether a wanted key is down. */
bool homeward_input_is_down(const struct homeward_input *input);
/* The name that an event device gives itself: 0, or -1 with errno. */
int homeward_input_name(const char *path, char *name, size_t size);
/* The code of a key by its name (KEY_ENTER, BTN_LEFT), or -1. */
int homeward_input_key(const char *name);

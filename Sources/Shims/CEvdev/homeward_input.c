#include "homeward_input.h"

#include <errno.h>
#include <fcntl.h>
#include <libevdev/libevdev.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

struct homeward_input {
  struct libevdev *device;
  int fd;
  bool is_synchronising;      /* events were lost; libevdev tells what changed meanwhile */
  bool is_down;               /* as told by the edges so far */
  unsigned char wanted[KEY_CNT];
};

static bool any_wanted_down(const struct homeward_input *input) {
  for (unsigned int code = 0; code < KEY_CNT; code++) {
    if (input->wanted[code] && libevdev_get_event_value(input->device, EV_KEY, code) > 0) return true;
  }
  return false;
}

/* Marks the wanted keys that the device has; how many. */
static int mark(struct homeward_input *input, const uint16_t *keys, size_t count) {
  int marked = 0;
  for (unsigned int code = 0; code < KEY_CNT; code++) {
    bool is_listed = count == 0;
    for (size_t i = 0; i < count; i++) is_listed = is_listed || keys[i] == code;
    if (!is_listed || !libevdev_has_event_code(input->device, EV_KEY, code)) continue;
    input->wanted[code] = 1;
    marked++;
  }
  return marked;
}

static int prepare(struct homeward_input *input, const char *path, const uint16_t *keys, size_t count) {
  input->fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
  if (input->fd < 0) return errno;
  int result = libevdev_new_from_fd(input->fd, &input->device);
  if (result < 0) return -result;
  if (mark(input, keys, count) == 0) return HOMEWARD_INPUT_NO_KEYS;
  /* A kernel that keeps to the wall clock is no reason to do without a button: stamps are told apart when read. */
  (void)libevdev_set_clock_id(input->device, CLOCK_MONOTONIC);
  result = libevdev_grab(input->device, LIBEVDEV_GRAB);
  if (result < 0) return -result;
  input->is_down = any_wanted_down(input);
  return 0;
}

struct homeward_input *homeward_input_open(const char *path, const uint16_t *keys, size_t count, int *error) {
  struct homeward_input *input = calloc(1, sizeof *input);
  if (!input) {
    *error = ENOMEM;
    return NULL;
  }
  input->fd = -1;
  *error = prepare(input, path, keys, count);
  if (*error == 0) return input;
  homeward_input_close(input);
  return NULL;
}

void homeward_input_close(struct homeward_input *input) {
  if (!input) return;
  if (input->device) libevdev_free(input->device);
  if (input->fd >= 0) close(input->fd);
  free(input);
}

int homeward_input_descriptor(const struct homeward_input *input) { return input->fd; }

bool homeward_input_is_down(const struct homeward_input *input) { return any_wanted_down(input); }

/* The edge that an event makes of all wanted keys together, if any. */
static bool edge_of(
    struct homeward_input *input, const struct input_event *event, struct homeward_input_edge *edge) {
  if (event->type != EV_KEY || event->code >= KEY_CNT || !input->wanted[event->code]) return false;
  bool is_down = any_wanted_down(input);
  if (is_down == input->is_down) return false;
  input->is_down = is_down;
  edge->is_down = is_down;
  edge->nanoseconds = (int64_t)event->input_event_sec * 1000000000 + (int64_t)event->input_event_usec * 1000;
  return true;
}

int homeward_input_read(struct homeward_input *input, struct homeward_input_edge *edges, int max) {
  int count = 0;
  while (count < max) {
    struct input_event event;
    unsigned int how = input->is_synchronising ? LIBEVDEV_READ_FLAG_SYNC : LIBEVDEV_READ_FLAG_NORMAL;
    int result = libevdev_next_event(input->device, how, &event);
    if (result == -EAGAIN && input->is_synchronising) {
      input->is_synchronising = false;
      continue;
    }
    if (result == -EAGAIN) return count;
    if (result < 0) {
      if (count > 0) return count; /* the error comes again */
      errno = -result;
      return -1;
    }
    if (result == LIBEVDEV_READ_STATUS_SYNC) input->is_synchronising = true;
    if (edge_of(input, &event, &edges[count])) count++;
  }
  return count;
}

int homeward_input_name(const char *path, char *name, size_t size) {
  if (size == 0 || size > HOMEWARD_INPUT_NAME_MAX) size = HOMEWARD_INPUT_NAME_MAX;
  int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
  if (fd < 0) return -1;
  int length = ioctl(fd, EVIOCGNAME(size - 1), name);
  int error = errno;
  close(fd);
  errno = error;
  if (length < 0) return -1;
  name[(size_t)length < size ? (size_t)length : size - 1] = 0;
  return 0;
}

int homeward_input_key(const char *name) { return libevdev_event_code_from_name(EV_KEY, name); }

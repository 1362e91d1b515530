#include "line.h"

#ifndef GPIOD_API /* the headers of version 2 do not define it */

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

int homeward_gpio_library(void) { return 2; }

bool homeward_gpio_has_label(struct gpiod_chip *chip, const char *label) {
  struct gpiod_chip_info *info = gpiod_chip_get_info(chip);
  if (!info) return false;
  bool is_equal = strcmp(gpiod_chip_info_get_label(info), label) == 0;
  gpiod_chip_info_free(info);
  return is_equal;
}

int homeward_gpio_offset_of(struct gpiod_chip *chip, const char *name) {
  return gpiod_chip_get_line_offset_from_name(chip, name);
}

int homeward_gpio_line_count(struct gpiod_chip *chip) {
  struct gpiod_chip_info *info = gpiod_chip_get_info(chip);
  if (!info) return -1;
  int count = (int)gpiod_chip_info_get_num_lines(info);
  gpiod_chip_info_free(info);
  return count;
}

static enum gpiod_line_bias bias_of(int32_t bias) {
  switch (bias) {
    case HOMEWARD_GPIO_BIAS_DISABLED: return GPIOD_LINE_BIAS_DISABLED;
    case HOMEWARD_GPIO_BIAS_PULL_UP: return GPIOD_LINE_BIAS_PULL_UP;
    case HOMEWARD_GPIO_BIAS_PULL_DOWN: return GPIOD_LINE_BIAS_PULL_DOWN;
    default: return GPIOD_LINE_BIAS_AS_IS;
  }
}

static int describe(struct gpiod_line_settings *settings, const struct homeward_gpio_request *request) {
  gpiod_line_settings_set_active_low(settings, request->is_active_low);
  if (gpiod_line_settings_set_bias(settings, bias_of(request->bias)) < 0) return -1;
  if (request->is_output) {
    if (gpiod_line_settings_set_direction(settings, GPIOD_LINE_DIRECTION_OUTPUT) < 0) return -1;
    return gpiod_line_settings_set_output_value(settings, GPIOD_LINE_VALUE_INACTIVE);
  }
  if (gpiod_line_settings_set_direction(settings, GPIOD_LINE_DIRECTION_INPUT) < 0) return -1;
  if (gpiod_line_settings_set_event_clock(settings, GPIOD_LINE_CLOCK_MONOTONIC) < 0) return -1;
  return gpiod_line_settings_set_edge_detection(settings, GPIOD_LINE_EDGE_BOTH);
}

static void name_consumer(struct homeward_gpio *gpio, char *consumer, size_t size) {
  struct gpiod_line_info *info = gpiod_chip_get_line_info(gpio->chip, gpio->offset);
  if (!info) return;
  const char *other = gpiod_line_info_get_consumer(info);
  snprintf(consumer, size, "%s", other ? other : "");
  gpiod_line_info_free(info);
}

static int request_line(struct homeward_gpio *gpio, const struct homeward_gpio_request *request) {
  struct gpiod_line_settings *settings = gpiod_line_settings_new();
  struct gpiod_line_config *lines = gpiod_line_config_new();
  struct gpiod_request_config *config = gpiod_request_config_new();
  if (settings && lines && config && describe(settings, request) == 0 &&
      gpiod_line_config_add_line_settings(lines, &gpio->offset, 1, settings) == 0) {
    gpiod_request_config_set_consumer(config, HOMEWARD_GPIO_CONSUMER);
    gpio->line = gpiod_chip_request_lines(gpio->chip, config, lines);
  }
  int error = errno;
  gpiod_request_config_free(config);
  gpiod_line_config_free(lines);
  gpiod_line_settings_free(settings);
  errno = error;
  return gpio->line ? 0 : -1;
}

int homeward_gpio_take(struct homeward_gpio *gpio, const struct homeward_gpio_request *request, char *consumer,
                       size_t size) {
  if (request_line(gpio, request) < 0) {
    int error = errno;
    name_consumer(gpio, consumer, size);
    errno = error;
    return -1;
  }
  if (request->is_output) return 0;
  gpio->events = gpiod_edge_event_buffer_new(HOMEWARD_GPIO_EVENTS);
  if (!gpio->events) return -1;
  int fd = gpiod_line_request_get_fd(gpio->line);
  int flags = fcntl(fd, F_GETFL);
  return flags < 0 || fcntl(fd, F_SETFL, flags | O_NONBLOCK) < 0 ? -1 : 0;
}

void homeward_gpio_release(struct homeward_gpio *gpio) {
  if (gpio->events) gpiod_edge_event_buffer_free(gpio->events);
  if (gpio->line) gpiod_line_request_release(gpio->line);
}

int homeward_gpio_descriptor(const struct homeward_gpio *gpio) { return gpiod_line_request_get_fd(gpio->line); }

int homeward_gpio_read(struct homeward_gpio *gpio, struct homeward_gpio_edge *edges, int max) {
  if (max > HOMEWARD_GPIO_EVENTS) max = HOMEWARD_GPIO_EVENTS;
  int count = gpiod_line_request_read_edge_events(gpio->line, gpio->events, (size_t)max);
  if (count < 0) return errno == EAGAIN ? 0 : -1;
  for (int i = 0; i < count; i++) {
    struct gpiod_edge_event *event = gpiod_edge_event_buffer_get_event(gpio->events, (unsigned long)i);
    edges[i].is_active = gpiod_edge_event_get_event_type(event) == GPIOD_EDGE_EVENT_RISING_EDGE;
    edges[i].nanoseconds = (int64_t)gpiod_edge_event_get_timestamp_ns(event);
  }
  return count;
}

int homeward_gpio_value(struct homeward_gpio *gpio) {
  enum gpiod_line_value value = gpiod_line_request_get_value(gpio->line, gpio->offset);
  return value == GPIOD_LINE_VALUE_ERROR ? -1 : value == GPIOD_LINE_VALUE_ACTIVE;
}

int homeward_gpio_set(struct homeward_gpio *gpio, bool is_active) {
  return gpiod_line_request_set_value(
      gpio->line, gpio->offset, is_active ? GPIOD_LINE_VALUE_ACTIVE : GPIOD_LINE_VALUE_INACTIVE);
}

#else
typedef int homeward_gpio_version_1_is_used;
#endif

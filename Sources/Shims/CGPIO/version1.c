#include "line.h"

#ifdef GPIOD_API /* only the headers of version 1 define it */

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

int homeward_gpio_library(void) { return 1; }

bool homeward_gpio_has_label(struct gpiod_chip *chip, const char *label) {
  return strcmp(gpiod_chip_label(chip), label) == 0;
}

int homeward_gpio_offset_of(struct gpiod_chip *chip, const char *name) {
  struct gpiod_line *line = gpiod_chip_find_line(chip, name);
  return line ? (int)gpiod_line_offset(line) : -1;
}

int homeward_gpio_line_count(struct gpiod_chip *chip) { return (int)gpiod_chip_num_lines(chip); }

static int flags_of(const struct homeward_gpio_request *request) {
  int flags = request->is_active_low ? GPIOD_LINE_REQUEST_FLAG_ACTIVE_LOW : 0;
  switch (request->bias) {
    case HOMEWARD_GPIO_BIAS_DISABLED: return flags | GPIOD_LINE_REQUEST_FLAG_BIAS_DISABLE;
    case HOMEWARD_GPIO_BIAS_PULL_UP: return flags | GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_UP;
    case HOMEWARD_GPIO_BIAS_PULL_DOWN: return flags | GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_DOWN;
    default: return flags;
  }
}

int homeward_gpio_take(struct homeward_gpio *gpio, const struct homeward_gpio_request *request, char *consumer,
                       size_t size) {
  struct gpiod_line *line = gpiod_chip_get_line(gpio->chip, gpio->offset);
  if (!line) return -1;
  const struct gpiod_line_request_config config = {
      .consumer = HOMEWARD_GPIO_CONSUMER,
      .request_type =
          request->is_output ? GPIOD_LINE_REQUEST_DIRECTION_OUTPUT : GPIOD_LINE_REQUEST_EVENT_BOTH_EDGES,
      .flags = flags_of(request)};
  if (gpiod_line_request(line, &config, 0) < 0) {
    int error = errno;
    const char *other = gpiod_line_consumer(line);
    snprintf(consumer, size, "%s", other ? other : "");
    errno = error;
    return -1;
  }
  gpio->line = line;
  if (request->is_output) return 0;
  int fd = gpiod_line_event_get_fd(line);
  int flags = fd < 0 ? -1 : fcntl(fd, F_GETFL);
  return flags < 0 || fcntl(fd, F_SETFL, flags | O_NONBLOCK) < 0 ? -1 : 0;
}

void homeward_gpio_release(struct homeward_gpio *gpio) {
  if (gpio->line) gpiod_line_release(gpio->line);
}

int homeward_gpio_descriptor(const struct homeward_gpio *gpio) { return gpiod_line_event_get_fd(gpio->line); }

int homeward_gpio_read(struct homeward_gpio *gpio, struct homeward_gpio_edge *edges, int max) {
  struct gpiod_line_event events[HOMEWARD_GPIO_EVENTS];
  if (max > HOMEWARD_GPIO_EVENTS) max = HOMEWARD_GPIO_EVENTS;
  int count = gpiod_line_event_read_multiple(gpio->line, events, (unsigned int)max);
  if (count < 0) return errno == EAGAIN ? 0 : -1;
  for (int i = 0; i < count; i++) {
    edges[i].is_active = events[i].event_type == GPIOD_LINE_EVENT_RISING_EDGE;
    edges[i].nanoseconds = (int64_t)events[i].ts.tv_sec * 1000000000 + events[i].ts.tv_nsec;
  }
  return count;
}

int homeward_gpio_value(struct homeward_gpio *gpio) { return gpiod_line_get_value(gpio->line); }

int homeward_gpio_set(struct homeward_gpio *gpio, bool is_active) {
  return gpiod_line_set_value(gpio->line, is_active);
}

#else
typedef int homeward_gpio_version_2_is_used;
#endif

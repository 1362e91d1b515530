#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One line of a GPIO chip through libgpiod 1.6 or 2, whichever the headers are. Nothing here waits. */

enum homeward_gpio_bias {
  HOMEWARD_GPIO_BIAS_AS_IS = 0,
  HOMEWARD_GPIO_BIAS_DISABLED = 1,
  HOMEWARD_GPIO_BIAS_PULL_UP = 2,
  HOMEWARD_GPIO_BIAS_PULL_DOWN = 3
};

/* What stands in the way of a line. */
enum homeward_gpio_trouble {
  HOMEWARD_GPIO_NONE = 0,
  HOMEWARD_GPIO_NO_CHIP = 1,   /* no chip of that name, label or path */
  HOMEWARD_GPIO_NO_LINE = 2,   /* the chip has no line of that name or number */
  HOMEWARD_GPIO_BUSY = 3,      /* another program or the kernel has the line */
  HOMEWARD_GPIO_FORBIDDEN = 4, /* no permission to open the chip */
  HOMEWARD_GPIO_OTHER = 5      /* see error */
};

struct homeward_gpio_request {
  const char *chip; /* path, name below /dev, number or label; "" for any chip that has the line's name */
  const char *line; /* number on the chip, or name */
  bool is_output;   /* false: input whose edges are told */
  bool is_active_low;
  int32_t bias;     /* enum homeward_gpio_bias */
};

struct homeward_gpio_failure {
  int32_t trouble;   /* enum homeward_gpio_trouble */
  int32_t error;     /* errno */
  char consumer[64]; /* who has a busy line, as far as the kernel knows */
};

struct homeward_gpio_edge {
  bool is_active;
  int64_t nanoseconds; /* the kernel's stamp: CLOCK_MONOTONIC, or CLOCK_REALTIME before Linux 5.7 */
};

struct homeward_gpio;

/* Takes a line; an output is inactive at first. NULL with *failure filled in. */
struct homeward_gpio *homeward_gpio_open(
    const struct homeward_gpio_request *request, struct homeward_gpio_failure *failure);
void homeward_gpio_close(struct homeward_gpio *gpio);
/* Readable when an edge waits; for inputs. */
int homeward_gpio_descriptor(const struct homeward_gpio *gpio);
/* Takes waiting edges, at most max of them: how many, or -1 with errno. */
int homeward_gpio_read(struct homeward_gpio *gpio, struct homeward_gpio_edge *edges, int max);
/* 1 when the line is active, 0 when not, -1 with errno. */
int homeward_gpio_value(struct homeward_gpio *gpio);
/* 0, or -1 with errno. */
int homeward_gpio_set(struct homeward_gpio *gpio, bool is_active);
/* The major version of libgpiod that this was compiled for. */
int homeward_gpio_library(void);

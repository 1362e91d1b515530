#pragma once
#include "homeward_gpio.h"

#include <gpiod.h>

/* The two versions of libgpiod share the names of chips and nothing else; each has a file that fills these in. */

struct homeward_gpio {
  struct gpiod_chip *chip;
  void *line; /* gpiod_line of version 1, gpiod_line_request of version 2 */
  void *events; /* gpiod_edge_event_buffer of version 2 */
  unsigned int offset;
};

/* Whether the chip's label is this one. */
bool homeward_gpio_has_label(struct gpiod_chip *chip, const char *label);
/* Offset of a line by its name, or -1. */
int homeward_gpio_offset_of(struct gpiod_chip *chip, const char *name);
/* How many lines the chip has, or -1. */
int homeward_gpio_line_count(struct gpiod_chip *chip);
/* Takes the line gpio->offset of gpio->chip: 0, or -1 with errno and the consumer of a busy line. */
int homeward_gpio_take(struct homeward_gpio *gpio, const struct homeward_gpio_request *request, char *consumer,
                       size_t size);
/* Lets go of the line. */
void homeward_gpio_release(struct homeward_gpio *gpio);

#define HOMEWARD_GPIO_CONSUMER "homeward"
#define HOMEWARD_GPIO_EVENTS 16

#include "line.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The number that a text is, or -1. */
static long number_of(const char *text) {
  if (*text < '0' || *text > '9') return -1;
  char *end;
  errno = 0;
  long number = strtol(text, &end, 10);
  return *end || errno || number > INT_MAX ? -1 : number;
}

/* The offset of a line by its number or its name, or -1. */
static int offset_of(struct gpiod_chip *chip, const char *line) {
  long number = number_of(line);
  if (number < 0) return homeward_gpio_offset_of(chip, line);
  return number < homeward_gpio_line_count(chip) ? (int)number : -1;
}

/* Whether a chip found by looking around is the wanted one. */
static bool is_wanted(struct gpiod_chip *chip, const struct homeward_gpio_request *request) {
  if (*request->chip) return homeward_gpio_has_label(chip, request->chip);
  return homeward_gpio_offset_of(chip, request->line) >= 0;
}

static struct gpiod_chip *open_named(const char *chip) {
  char path[PATH_MAX];
  long number = number_of(chip);
  int length;
  if (*chip == '/') {
    length = snprintf(path, sizeof path, "%s", chip);
  } else if (number >= 0) {
    length = snprintf(path, sizeof path, "/dev/gpiochip%ld", number);
  } else {
    length = snprintf(path, sizeof path, "/dev/%s", chip);
  }
  if (length < 0 || (size_t)length >= sizeof path) {
    errno = ENAMETOOLONG;
    return NULL;
  }
  return gpiod_chip_open(path);
}

/* Looks at all chips; errno is EACCES when the wanted one may be among those that could not be looked at. */
static struct gpiod_chip *look_around(const struct homeward_gpio_request *request) {
  DIR *folder = opendir("/dev");
  struct gpiod_chip *found = NULL;
  bool was_refused = false;
  for (struct dirent *entry; !found && folder && (entry = readdir(folder));) {
    if (strncmp(entry->d_name, "gpiochip", 8) != 0) continue;
    struct gpiod_chip *chip = open_named(entry->d_name);
    if (!chip) {
      was_refused = was_refused || errno == EACCES || errno == EPERM;
    } else if (is_wanted(chip, request)) {
      found = chip;
    } else {
      gpiod_chip_close(chip);
    }
  }
  if (folder) closedir(folder);
  errno = was_refused ? EACCES : ENOENT;
  return found;
}

static struct gpiod_chip *find_chip(const struct homeward_gpio_request *request) {
  if (!*request->chip) return look_around(request);
  struct gpiod_chip *chip = open_named(request->chip);
  if (chip || *request->chip == '/' || (errno != ENOENT && errno != ENOTTY && errno != ENODEV)) return chip;
  return look_around(request);
}

static int32_t trouble_of(int error, int32_t usual) {
  switch (error) {
    case EACCES:
    case EPERM: return HOMEWARD_GPIO_FORBIDDEN;
    case EBUSY: return HOMEWARD_GPIO_BUSY;
    case ENOENT:
    case ENODEV:
    case ENXIO:
    case ENOTTY:
    case EINVAL: return usual;
    default: return HOMEWARD_GPIO_OTHER;
  }
}

static struct homeward_gpio *fail(
    struct homeward_gpio *gpio, struct homeward_gpio_failure *failure, int error, int32_t trouble) {
  failure->error = error;
  failure->trouble = trouble;
  homeward_gpio_close(gpio);
  return NULL;
}

struct homeward_gpio *homeward_gpio_open(
    const struct homeward_gpio_request *request, struct homeward_gpio_failure *failure) {
  memset(failure, 0, sizeof *failure);
  struct homeward_gpio *gpio = calloc(1, sizeof *gpio);
  if (!gpio) return fail(NULL, failure, ENOMEM, HOMEWARD_GPIO_OTHER);
  gpio->chip = find_chip(request);
  if (!gpio->chip) return fail(gpio, failure, errno, trouble_of(errno, HOMEWARD_GPIO_NO_CHIP));
  int offset = offset_of(gpio->chip, request->line);
  if (offset < 0) return fail(gpio, failure, ENOENT, HOMEWARD_GPIO_NO_LINE);
  gpio->offset = (unsigned int)offset;
  if (homeward_gpio_take(gpio, request, failure->consumer, sizeof failure->consumer) < 0) {
    return fail(gpio, failure, errno, trouble_of(errno, HOMEWARD_GPIO_OTHER));
  }
  return gpio;
}

void homeward_gpio_close(struct homeward_gpio *gpio) {
  if (!gpio) return;
  homeward_gpio_release(gpio);
  if (gpio->chip) gpiod_chip_close(gpio->chip);
  free(gpio);
}

#include "warden.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const usage =
    "homeward-warden is started by homewardd, once for each plugin; it is of no use otherwise.\n";

static void refuse(void) __attribute__((noreturn));
static void refuse(void) {
  ssize_t written = write(2, usage, strlen(usage));
  (void)written;
  _exit(2);
}

static void append(const char **list, const char *path) {
  int count = 0;
  while (list[count]) count++;
  /* One place stays empty, as the end. What does not fit is not let in: the wall is too high, never too low. */
  if (count < MOST_PATHS - 1) list[count] = path;
}

static uint64_t number(const char *word) {
  char *end;
  errno = 0;
  unsigned long long number = strtoull(word, &end, 10);
  if (errno != 0 || end == word || *end) refuse();
  return number;
}

static bool take_switch(struct order *order, const char *word) {
  if (strcmp(word, "--network") == 0) return order->may_open_sockets = true;
  if (strcmp(word, "--bus") == 0) return order->has_bus = true;
  if (strcmp(word, "--without-seccomp") == 0) return order->without_seccomp = true;
  if (strcmp(word, "--without-guard") == 0) return order->without_guard = true;
  return false;
}

static void take_option(struct order *order, const char *word, const char *content) {
  if (strcmp(word, "--program") == 0) order->program = content;
  else if (strcmp(word, "--readable") == 0) append(order->readable, content);
  else if (strcmp(word, "--writable") == 0) append(order->writable, content);
  else if (strcmp(word, "--device") == 0) append(order->devices, content);
  else if (strcmp(word, "--memory") == 0) order->memory_bytes = number(content);
  else if (strcmp(word, "--files") == 0) order->open_files = number(content);
  else if (strcmp(word, "--processes") == 0) order->processes = number(content);
  else if (strcmp(word, "--processes-together") == 0) order->processes_together = number(content);
  else if (strcmp(word, "--landlock-at-most") == 0) order->landlock_at_most = (int)number(content);
  else if (strcmp(word, "--loopback") == 0) {
    uint64_t port = number(content);
    if (port > UINT16_MAX) refuse();
    if (order->port_count < MOST_PORTS) order->ports[order->port_count++] = (uint16_t)port;
  } else refuse();
}

void order_read(struct order *order, int count, char **words) {
  *order = (struct order){.landlock_at_most = 1000};
  int at = 1;
  while (at < count && strcmp(words[at], "--") != 0) {
    if (take_switch(order, words[at])) {
      at += 1;
    } else {
      if (at + 1 >= count) refuse();
      take_option(order, words[at], words[at + 1]);
      at += 2;
    }
  }
  order->arguments = words + at + 1;
  if (at + 1 >= count || !order->program) refuse();
}

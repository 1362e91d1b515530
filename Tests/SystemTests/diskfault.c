/* Preloaded into the daemon by a test: while a file named in DISK_FAULT says so, writes to the disk fail ("eio"), those to
   the journal alone ("care"), or all of them hang ("hang"). */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static int wanted_fault(void) {
  const char *path = getenv("DISK_FAULT");
  if (!path) return 0;
  char word[8] = {0};
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return 0;
  ssize_t count = read(fd, word, sizeof word - 1);
  close(fd);
  if (count <= 0) return 0;
  return !strncmp(word, "eio", 3) ? 1 : !strncmp(word, "hang", 4) ? 2 : !strncmp(word, "care", 4) ? 3 : 0;
}

/* 0 for what is no database, 1 for any, 2 for the one with the journal. */
static int database(int fd) {
  char link[64], path[512];
  ssize_t count;
  char *digits = link + sizeof link;
  *--digits = 0;
  do *--digits = (char)('0' + fd % 10); while ((fd /= 10));
  digits -= 14;
  memcpy(digits, "/proc/self/fd/", 14);
  count = readlink(digits, path, sizeof path - 1);
  if (count <= 0) return 0;
  path[count] = 0;
  return strstr(path, "care.db") ? 2 : strstr(path, ".db") != NULL;
}

/* Answers whether a write must fail; returns only when a hanging disk has come back. */
static int must_fail(int fd) {
  int fault, kind = database(fd);
  while (kind && (fault = wanted_fault()) == 2) poll(NULL, 0, 50);
  return kind && (fault == 1 || (fault == 3 && kind == 2));
}

ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t offset) {
  static ssize_t (*real)(int, const void *, size_t, off64_t);
  if (!real) real = (ssize_t(*)(int, const void *, size_t, off64_t))dlsym(RTLD_NEXT, "pwrite64");
  if (must_fail(fd)) {
    errno = EIO;
    return -1;
  }
  return real(fd, bytes, count, offset);
}

int fdatasync(int fd) {
  static int (*real)(int);
  if (!real) real = (int (*)(int))dlsym(RTLD_NEXT, "fdatasync");
  if (must_fail(fd)) {
    errno = EIO;
    return -1;
  }
  return real(fd);
}

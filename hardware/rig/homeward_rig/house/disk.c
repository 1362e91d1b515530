/* The house's disk: while the story's page says so, there is not a byte left for the database. What is free is told as the
   page says, too. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "page.h"

static int is_database(int descriptor) {
  char link[64], path[512];
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  ssize_t count = readlink(link, path, sizeof path - 1);
  if (count <= 0) return 0;
  path[count] = 0;
  return strstr(path, ".db") != NULL;
}

static int refuses(int descriptor) {
  if (!story_disk_is_full() || !is_database(descriptor)) return 0;
  errno = ENOSPC;
  return 1;
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t count, off64_t offset) {
  static ssize_t (*real)(int, const void *, size_t, off64_t);
  if (!real) real = dlsym(RTLD_NEXT, "pwrite64");
  return refuses(descriptor) ? -1 : real(descriptor, bytes, count, offset);
}

ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t offset) {
  return pwrite64(descriptor, bytes, count, offset);
}

ssize_t write(int descriptor, const void *bytes, size_t count) {
  static ssize_t (*real)(int, const void *, size_t);
  if (!real) real = dlsym(RTLD_NEXT, "write");
  return refuses(descriptor) ? -1 : real(descriptor, bytes, count);
}

static int without_space(int answer, struct statvfs *told) {
  if (answer == 0 && story_disk_is_full()) told->f_bavail = told->f_bfree = 0;
  return answer;
}

int statvfs(const char *restrict path, struct statvfs *restrict told) {
  static int (*real)(const char *, struct statvfs *);
  if (!real) real = dlsym(RTLD_NEXT, "statvfs");
  return without_space(real(path, told), told);
}

int statvfs64(const char *restrict path, struct statvfs64 *restrict told) {
  return statvfs(path, (struct statvfs *)told);
}

int fstatvfs(int descriptor, struct statvfs *told) {
  static int (*real)(int, struct statvfs *);
  if (!real) real = dlsym(RTLD_NEXT, "fstatvfs");
  return without_space(real(descriptor, told), told);
}

#include "homeward_process.h"

#include <fcntl.h>
#include <malloc.h>
#include <sys/resource.h>
#include <unistd.h>

int homeward_argument_count(void) {
  int file = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
  if (file < 0) return -1;
  char block[4096];
  int count = 0;
  ssize_t length;
  while ((length = read(file, block, sizeof block)) > 0) {
    for (ssize_t i = 0; i < length; i++) count += block[i] == 0;
  }
  close(file);
  return length < 0 ? -1 : count;
}

uint64_t homeward_raise_open_files(uint64_t wanted) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return 0;
  if (limit.rlim_cur < wanted) {
    struct rlimit raised = {.rlim_cur = limit.rlim_max < wanted ? limit.rlim_max : wanted, .rlim_max = limit.rlim_max};
    if (setrlimit(RLIMIT_NOFILE, &raised) == 0) limit = raised;
  }
  return limit.rlim_cur;
}

uint64_t homeward_memory_limit(void) {
  uint64_t least = UINT64_MAX;
  for (int i = 0; i < 2; i++) {
    struct rlimit limit;
    if (getrlimit(i == 0 ? RLIMIT_AS : RLIMIT_DATA, &limit) == 0 && limit.rlim_cur < least) least = limit.rlim_cur;
  }
  return least;
}

void homeward_trim_memory(void) { malloc_trim(0); }

#include "namespaces.h"
#include "homeward_spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

void namespaces_prepare(struct namespace_maps *maps) {
  /* Itself alone, under its own number: what it owned it owns still, and nobody else is anybody. */
  snprintf(maps->user, sizeof maps->user, "%u %u 1\n", geteuid(), geteuid());
  snprintf(maps->group, sizeof maps->group, "%u %u 1\n", getegid(), getegid());
}

pid_t namespaces_fork(unsigned namespaces) {
  if (!(namespaces & HOMEWARD_NAMESPACE_USER)) return fork();
  unsigned long flags = SIGCHLD | CLONE_NEWUSER;
  if (namespaces & HOMEWARD_NAMESPACE_PROCESS) flags |= CLONE_NEWPID;
  return (pid_t)syscall(SYS_clone, flags, 0, 0, 0, 0);
}

static int put(const char *path, const char *text) {
  int file = open(path, O_WRONLY | O_CLOEXEC);
  if (file < 0) return -1;
  size_t length = strlen(text);
  ssize_t written = write(file, text, length);
  int saved = errno;
  close(file);
  errno = saved;
  return written == (ssize_t)length ? 0 : -1;
}

static int give_up_rights(void) {
  for (unsigned long right = 0; prctl(PR_CAPBSET_READ, right, 0, 0, 0) >= 0; right++)
    if (prctl(PR_CAPBSET_DROP, right, 0, 0, 0) != 0) return -1;
  struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
  struct __user_cap_data_struct none[2] = {{0}};
  return (int)syscall(SYS_capset, &header, none);
}

int namespaces_enter(unsigned namespaces, const struct namespace_maps *maps) {
  if (!(namespaces & HOMEWARD_NAMESPACE_USER)) return 0;
  if (put("/proc/self/setgroups", "deny") != 0 || put("/proc/self/uid_map", maps->user) != 0 ||
      put("/proc/self/gid_map", maps->group) != 0)
    return -1;
  int others = 0;
  if (namespaces & HOMEWARD_NAMESPACE_MEMORY) others |= CLONE_NEWIPC;
  if (namespaces & HOMEWARD_NAMESPACE_NETWORK) others |= CLONE_NEWNET;
  /* Here and not by clone: to make a network takes a while, and the parent has alarms to raise meanwhile. */
  if (others && unshare(others) != 0) return -1;
  return give_up_rights();
}

static bool can_have(unsigned namespaces, const struct namespace_maps *maps) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pid_t child = namespaces_fork(namespaces);
  if (child == 0) _exit(namespaces_enter(namespaces, maps) == 0 ? 0 : 1);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  int status = -1;
  if (child < 0) return false;
  while (waitpid(child, &status, __WALL) < 0 && errno == EINTR) {}
  return status == 0;
}

unsigned namespaces_try(void) {
  struct namespace_maps maps;
  namespaces_prepare(&maps);
  const unsigned all = HOMEWARD_NAMESPACE_USER | HOMEWARD_NAMESPACE_PROCESS | HOMEWARD_NAMESPACE_MEMORY |
                       HOMEWARD_NAMESPACE_NETWORK;
  if (can_have(all, &maps)) return all;
  unsigned found = 0;
  for (unsigned one = HOMEWARD_NAMESPACE_USER; one <= HOMEWARD_NAMESPACE_NETWORK; one <<= 1)
    if (can_have(HOMEWARD_NAMESPACE_USER | one, &maps)) found |= HOMEWARD_NAMESPACE_USER | one;
  return found;
}

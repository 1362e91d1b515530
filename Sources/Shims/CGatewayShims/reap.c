#include "include/homeward_spawn.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

int homeward_become_subreaper(void) { return prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); }

static void record(struct homeward_exit *leader, int status) {
  leader->has_ended = true;
  leader->by_signal = WIFSIGNALED(status);
  leader->code = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
}

bool homeward_reap_group(pid_t leader_pid, struct homeward_exit *leader) {
  for (;;) {
    int status;
    pid_t ended = waitpid(-leader_pid, &status, WNOHANG | __WALL);
    if (ended < 0 && errno == EINTR) continue;
    if (ended <= 0) break;
    if (ended == leader_pid) record(leader, status);
  }
  return kill(-leader_pid, 0) == 0 || errno == EPERM;
}

int homeward_signal_group(pid_t leader_pid, int number) { return kill(-leader_pid, number); }

/* Reads a small file of /proc; answers its length, or 0. */
static size_t read_file(const char *path, char *text, size_t size) {
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  ssize_t count = read(file, text, size - 1);
  close(file);
  if (count < 0) return 0;
  text[count] = 0;
  return (size_t)count;
}

/* The parent of a process, from the fourth field of its stat (the second, in parentheses, may hold anything). */
static pid_t parent_of(pid_t pid, pid_t *group) {
  char path[64], text[1024];
  snprintf(path, sizeof path, "/proc/%d/stat", pid);
  if (read_file(path, text, sizeof text) == 0) return -1;
  char *after_name = strrchr(text, ')');
  int parent, process_group;
  if (!after_name || sscanf(after_name + 1, " %*c %d %d", &parent, &process_group) != 2) return -1;
  *group = process_group;
  return parent;
}

static bool descends_from_us(pid_t pid) {
  pid_t group, self = getpid();
  for (int depth = 0; depth < 64 && pid > 1; depth++) {
    pid = parent_of(pid, &group);
    if (pid == self) return true;
  }
  return false;
}

static bool carries(pid_t pid, const char *mark) {
  char path[64];
  char text[8192];
  snprintf(path, sizeof path, "/proc/%d/environ", pid);
  size_t length = read_file(path, text, sizeof text);
  for (size_t at = 0; at < length; at += strlen(text + at) + 1)
    if (strcmp(text + at, mark) == 0) return true;
  return false;
}

int homeward_kill_escaped(pid_t leader_pid, const char *mark, pid_t *found, int max) {
  DIR *processes = opendir("/proc");
  if (!processes) return 0;
  int count = 0;
  for (struct dirent *entry; count < max && (entry = readdir(processes));) {
    pid_t group = 0, pid = isdigit((unsigned char)entry->d_name[0]) ? atoi(entry->d_name) : 0;
    if (pid <= 1 || pid == getpid() || parent_of(pid, &group) < 0 || group == leader_pid) continue;
    if (!carries(pid, mark) || !descends_from_us(pid)) continue;
    kill(pid, SIGKILL);
    found[count++] = pid;
  }
  closedir(processes);
  return count;
}

bool homeward_reap_process(pid_t pid) {
  int status;
  return waitpid(pid, &status, WNOHANG | __WALL) == pid || (kill(pid, 0) != 0 && errno == ESRCH);
}

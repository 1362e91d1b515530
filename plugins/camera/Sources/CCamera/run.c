#include "homeward_camera.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static int64_t now_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Keeps the last bytes that fit. */
static void keep(char *complaint, size_t room, const char *bytes, size_t count) {
  if (room == 0) return;
  size_t held = strlen(complaint);
  if (count >= room) {
    bytes += count - (room - 1);
    count = room - 1;
  }
  if (held + count > room - 1) {
    size_t drop = held + count - (room - 1);
    memmove(complaint, complaint + drop, held - drop);
    held -= drop;
  }
  memcpy(complaint + held, bytes, count);
  complaint[held + count] = 0;
}

static int start(const char *program, char *const *arguments, int errors, pid_t *pid) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, errors, 2);
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  sigset_t usual;
  sigemptyset(&usual);
  sigaddset(&usual, SIGPIPE);
  posix_spawnattr_setsigdefault(&attributes, &usual);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  int problem = posix_spawn(pid, program, &actions, &attributes, arguments, environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return problem;
}

int homeward_run(
    const char *program, char *const *arguments, int timeout_ms, int *status, char *complaint, size_t complaint_size) {
  int ends[2];
  if (complaint_size > 0) complaint[0] = 0;
  if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) < 0) return -1;
  pid_t pid = -1;
  int problem = start(program, arguments, ends[1], &pid);
  close(ends[1]);
  if (problem != 0) {
    close(ends[0]);
    errno = problem;
    return -1;
  }
  int64_t deadline = now_ms() + timeout_ms;
  struct pollfd said = {.fd = ends[0], .events = POLLIN};
  pid_t gone = 0;
  /* Looked after by the clock: something that it started may hold the pipe open after its end. */
  while ((gone = waitpid(pid, status, WNOHANG)) == 0 && now_ms() < deadline) {
    char bytes[1024];
    ssize_t count = poll(&said, 1, 20) > 0 ? read(ends[0], bytes, sizeof bytes) : -1;
    if (count > 0) keep(complaint, complaint_size, bytes, (size_t)count);
    if (count == 0) said.fd = -1;
  }
  if (gone == 0) {
    kill(pid, SIGKILL);
    while (waitpid(pid, status, 0) < 0 && errno == EINTR) continue;
  }
  char bytes[1024];
  ssize_t count;
  while ((count = read(ends[0], bytes, sizeof bytes)) > 0) {
    keep(complaint, complaint_size, bytes, (size_t)count);
  }
  close(ends[0]);
  if (gone == 0) errno = ETIMEDOUT;
  return gone == pid ? 0 : -1;
}

#include "homeward_spawn.h"
#include "namespaces.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#ifndef SYS_pidfd_getfd
#define SYS_pidfd_getfd 438
#endif

#define BUS 3
#define REPORT 4
#define FIRST_FREE 5

static struct homeward_confinement available;

static void find_out(void) {
  long abi = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
  if (abi > 0) available.landlock_abi = (int)abi;
#if defined(__x86_64__) || defined(__aarch64__)
  unsigned refuse = SECCOMP_RET_ERRNO, ask = SECCOMP_RET_USER_NOTIF;
  available.seccomp = syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &refuse) == 0;
  available.watched_addresses = available.seccomp && syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &ask) == 0 &&
                                syscall(SYS_pidfd_getfd, -1, -1, 0) < 0 && errno == EBADF;
#endif
  available.namespaces = namespaces_try();
}

struct homeward_confinement homeward_confinement_available(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, find_out);
  return available;
}

/* Everything that the child needs, made before the fork: after it only async-signal-safe calls are allowed. */
struct preparation {
  const struct homeward_spawn_request *request;
  int parent; /* a handle of this process, readable when it has ended */
  int input[2], output[2], error[2], report[2];
  int bus; /* a connected socket, or -1 */
  unsigned namespaces;
  struct namespace_maps maps;
};

static void close_all(const int *descriptors, int count) {
  for (int i = 0; i < count; i++)
    if (descriptors[i] >= 0) close(descriptors[i]);
}

/* A pipe whose ends are none of the child's, so that dup2 in the child cannot hit one. */
static int make_pipe(int ends[2]) {
  int raw[2];
  if (pipe2(raw, O_CLOEXEC) != 0) return -1;
  for (int i = 0; i < 2; i++) ends[i] = fcntl(raw[i], F_DUPFD_CLOEXEC, FIRST_FREE);
  close_all(raw, 2);
  return ends[0] >= 0 && ends[1] >= 0 ? 0 : -1;
}

static void say(const char *text) {
  ssize_t written = write(2, text, strlen(text));
  (void)written;
}

static void fail(const char *stage) __attribute__((noreturn));
static void fail(const char *stage) {
  int error = errno;
  say("error: the program could not be started: ");
  say(stage);
  switch (error) {
    case ENOENT: say(": not found\n"); break;
    case EACCES: say(": not permitted\n"); break;
    case EPERM: say(": not permitted\n"); break;
    case ENOEXEC: say(": not a program\n"); break;
    case ENOMEM: say(": not enough memory\n"); break;
    case EAGAIN: say(": too many processes\n"); break;
    default: say(": refused by the kernel\n"); break;
  }
  _exit(127);
}

static void reset_signals(void) {
  for (int number = 1; number < 65; number++) signal(number, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
}

/* When memory runs out the kernel takes the program before this one. */
static void offer_to_the_oom_killer(void) {
  int file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (file < 0) return;
  ssize_t written = write(file, "500", 3);
  (void)written;
  close(file);
}

/* The kernel tells the end of a parent only to those who have asked before it. */
static void end_with(int parent) {
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) fail("death signal");
  struct pollfd ended = {.fd = parent, .events = POLLIN};
  if (poll(&ended, 1, 0) != 0) _exit(127);
}

/* 0 is whoever writes it, which is this child. */
static void enter_group(int group) {
  if (group > 0 && write(group, "0", 1) != 1) fail("its group");
}

static void arrange_descriptors(const struct preparation *prepared) {
  if (prepared->bus >= 0 && dup2(prepared->bus, BUS) < 0) fail("the bus");
  if (prepared->report[1] >= 0 && dup2(prepared->report[1], REPORT) < 0) fail("the report");
  if (prepared->bus < 0) close(BUS);
  if (prepared->report[1] < 0) close(REPORT);
  if (close_range(FIRST_FREE, ~0U, 0) != 0) fail("closing descriptors");
}

static void become(const struct preparation *prepared) __attribute__((noreturn));
static void become(const struct preparation *prepared) {
  const struct homeward_spawn_request *request = prepared->request;
  if (setpgid(0, 0) != 0 && !(request->may_share_group && errno == EPERM)) _exit(127);
  if (dup2(prepared->input[0], 0) < 0 || dup2(prepared->output[1], 1) < 0 || dup2(prepared->error[1], 2) < 0)
    _exit(127);
  reset_signals();
  enter_group(request->group);
  end_with(prepared->parent);
  umask(077);
  setpriority(PRIO_PROCESS, 0, 5);
  offer_to_the_oom_killer();
  if (chdir(request->directory) != 0) fail("its folder");
  if (namespaces_enter(prepared->namespaces, &prepared->maps) != 0) fail("namespaces");
  arrange_descriptors(prepared);
  execve(request->program, request->arguments, request->environment);
  fail(request->program);
}

/* The connection to a bus, made here because the program itself may open no Unix socket; -1 when there is none. */
static int connect_bus(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (strlen(path) >= sizeof address.sun_path) return -1;
  strcpy(address.sun_path, path);
  int raw = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (raw < 0) return -1;
  int bus = fcntl(raw, F_DUPFD_CLOEXEC, FIRST_FREE);
  close(raw);
  if (bus < 0 || connect(bus, (struct sockaddr *)&address, sizeof address) == 0) return bus;
  close(bus);
  return -1;
}

static int prepare(struct preparation *prepared) {
  const struct homeward_spawn_request *request = prepared->request;
  prepared->namespaces = request->namespaces;
  if (prepared->namespaces) prepared->namespaces &= homeward_confinement_available().namespaces;
  namespaces_prepare(&prepared->maps);
  prepared->parent = (int)syscall(SYS_pidfd_open, getpid(), 0);
  if (prepared->parent < 0 || make_pipe(prepared->input) != 0 || make_pipe(prepared->output) != 0 ||
      make_pipe(prepared->error) != 0 || (request->reports && make_pipe(prepared->report) != 0))
    return -1;
  /* A whole batch fits without a wait; where the kernel refuses, it goes in parts. */
  fcntl(prepared->input[1], F_SETPIPE_SZ, 256 << 10);
  const int waiting[] = {prepared->input[1], prepared->output[0], prepared->error[0]};
  for (int i = 0; i < 3; i++)
    if (fcntl(waiting[i], F_SETFL, O_NONBLOCK) != 0) return -1;
  for (int i = 0; i < 2 && request->reports; i++)
    if (fcntl(prepared->report[i], F_SETFL, O_NONBLOCK) != 0) return -1;
  if (request->bus) prepared->bus = connect_bus(request->bus);
  return 0;
}

/* Signals stay blocked until the child has reset its handlers, so that none of the parent's runs in it. Where a
   namespace is refused now, as when there are too many of them, the program starts without. */
static pid_t start(struct preparation *prepared) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pid_t pid = namespaces_fork(prepared->namespaces);
  if (pid < 0 && prepared->namespaces && (errno == EPERM || errno == ENOSPC || errno == EUSERS)) {
    prepared->namespaces = 0;
    pid = fork();
  }
  if (pid == 0) become(prepared);
  int saved = errno;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  errno = saved;
  return pid;
}

int homeward_spawn(const struct homeward_spawn_request *request, struct homeward_spawned *spawned) {
  struct preparation prepared = {.request = request, .parent = -1, .input = {-1, -1}, .output = {-1, -1},
                                 .error = {-1, -1}, .report = {-1, -1}, .bus = -1};
  int pidfd = -1;
  pid_t pid = prepare(&prepared) == 0 ? start(&prepared) : -1;
  if (pid > 0) {
    setpgid(pid, pid); /* whoever comes first; the other one fails harmlessly */
    pidfd = (int)syscall(SYS_pidfd_open, pid, 0);
  }
  int saved = errno;
  const int ours[] = {prepared.input[1], prepared.output[0], prepared.error[0], prepared.report[0]};
  const int theirs[] = {prepared.input[0], prepared.output[1], prepared.error[1], prepared.report[1], prepared.bus,
                        prepared.parent};
  close_all(theirs, 6);
  if (pidfd >= 0) {
    *spawned = (struct homeward_spawned){pid, pidfd, ours[0], ours[1], ours[2], ours[3], prepared.namespaces};
    return 0;
  }
  close_all(ours, 4);
  if (pid > 0) kill(-pid, SIGKILL);
  errno = saved;
  return -1;
}

ssize_t homeward_read(int descriptor, void *bytes, size_t size) {
  ssize_t count;
  do {
    count = read(descriptor, bytes, size);
  } while (count < 0 && errno == EINTR);
  return count;
}

/* SIGPIPE is held back for this thread and taken away again, whatever the process does with it. */
ssize_t homeward_write(int descriptor, const void *bytes, size_t size) {
  sigset_t pipe_only, before;
  sigemptyset(&pipe_only);
  sigaddset(&pipe_only, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &pipe_only, &before);
  ssize_t count;
  do {
    count = write(descriptor, bytes, size);
  } while (count < 0 && errno == EINTR);
  int saved = errno;
  if (count < 0 && saved == EPIPE) {
    struct timespec none = {0};
    sigtimedwait(&pipe_only, NULL, &none);
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  errno = saved;
  return count;
}

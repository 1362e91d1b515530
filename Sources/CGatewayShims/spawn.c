#include "confine.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/seccomp.h>
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

#define LANDLOCK_VERSION_FLAG 1U

struct homeward_confinement homeward_confinement_available(void) {
  struct homeward_confinement available = {0};
  long abi = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_VERSION_FLAG);
  if (abi > 0) available.landlock_abi = (int)abi;
  struct homeward_filter filter;
  homeward_filter_build(&filter, false, 0);
  unsigned action = SECCOMP_RET_ERRNO;
  available.seccomp =
      filter.length > 0 && syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
  return available;
}

/* Everything that the child needs, made before the fork: after it only async-signal-safe calls are allowed. */
struct preparation {
  const struct homeward_spawn_request *request;
  pid_t parent;
  int input[2], output[2], error[2];
  int bus; /* a connected socket, or -1 */
  int ruleset;
  int landlock_abi;
  struct homeward_filter filter;
};

static void close_all(int *descriptors, int count) {
  for (int i = 0; i < count; i++)
    if (descriptors[i] >= 0) close(descriptors[i]);
}

/* A pipe whose ends are no standard descriptors, so that dup2 in the child cannot hit one. */
static int make_pipe(int ends[2]) {
  int raw[2];
  if (pipe2(raw, O_CLOEXEC) != 0) return -1;
  for (int i = 0; i < 2; i++) ends[i] = fcntl(raw[i], F_DUPFD_CLOEXEC, 3);
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
    case ENOENT: say(": not found (is the interpreter of its first line installed?)\n"); break;
    case EACCES: say(": not permitted (is the file executable, and below its folder?)\n"); break;
    case EPERM: say(": not permitted\n"); break;
    case ENOEXEC: say(": not a program (a script begins with #! and its interpreter)\n"); break;
    case ENOMEM: say(": not enough memory\n"); break;
    case EAGAIN: say(": too many processes\n"); break;
    default: say(": refused by the kernel\n"); break;
  }
  _exit(127);
}

static void limit(int resource, uint64_t amount) {
  struct rlimit bound = {.rlim_cur = amount, .rlim_max = amount};
  struct rlimit now;
  if (getrlimit(resource, &now) == 0 && now.rlim_max < amount)
    bound.rlim_cur = bound.rlim_max = now.rlim_max;
  if (setrlimit(resource, &bound) != 0) fail("limits");
}

static void reset_signals(void) {
  for (int number = 1; number < 65; number++) signal(number, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
}

/* When memory runs out the kernel takes a plugin before the daemon. */
static void offer_to_the_oom_killer(void) {
  int file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (file < 0) return;
  ssize_t written = write(file, "500", 3);
  (void)written;
  close(file);
}

static void confine(const struct preparation *prepared) {
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) fail("no new privileges");
  if (prepared->ruleset >= 0 && homeward_ruleset_apply(prepared->ruleset) != 0) fail("Landlock");
  if (homeward_filter_apply(&prepared->filter, prepared->landlock_abi < 6) != 0) fail("seccomp");
}

static void become(const struct preparation *prepared) __attribute__((noreturn));
static void become(const struct preparation *prepared) {
  const struct homeward_spawn_request *request = prepared->request;
  if (setpgid(0, 0) != 0) _exit(127);
  if (dup2(prepared->input[0], 0) < 0 || dup2(prepared->output[1], 1) < 0 ||
      dup2(prepared->error[1], 2) < 0)
    _exit(127);
  reset_signals();
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) fail("death signal");
  if (getppid() != prepared->parent) _exit(127);
  umask(077);
  setpriority(PRIO_PROCESS, 0, 5);
  offer_to_the_oom_killer();
  if (chdir(request->directory) != 0) fail("its folder");
  limit(RLIMIT_CORE, 0);
  if (request->open_files) limit(RLIMIT_NOFILE, request->open_files);
  if (request->processes) limit(RLIMIT_NPROC, request->processes);
  if (request->memory_bytes) limit(RLIMIT_DATA, request->memory_bytes);
  confine(prepared);
  if (prepared->bus >= 0 && prepared->bus != 3 && dup2(prepared->bus, 3) < 0) fail("the bus");
  if (prepared->bus == 3) fcntl(3, F_SETFD, 0);
  if (close_range(prepared->bus >= 0 ? 4 : 3, ~0U, 0) != 0) fail("closing descriptors");
  execve(request->program, request->arguments, request->environment);
  fail("its program");
}

/* The connection to a bus, made here because the plugin itself may open no Unix socket; -1 when there is none. */
static int connect_bus(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (strlen(path) >= sizeof address.sun_path) return -1;
  strcpy(address.sun_path, path);
  int raw = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (raw < 0) return -1;
  int bus = fcntl(raw, F_DUPFD_CLOEXEC, 3);
  close(raw);
  if (bus < 0 || connect(bus, (struct sockaddr *)&address, sizeof address) == 0) return bus;
  close(bus);
  return -1;
}

static int prepare(struct preparation *prepared) {
  const struct homeward_spawn_request *request = prepared->request;
  if (make_pipe(prepared->input) != 0 || make_pipe(prepared->output) != 0 ||
      make_pipe(prepared->error) != 0)
    return -1;
  /* A whole batch fits without a wait; where the kernel refuses, it goes in parts. */
  fcntl(prepared->input[1], F_SETPIPE_SZ, 256 << 10);
  if (fcntl(prepared->input[1], F_SETFL, O_NONBLOCK) != 0 ||
      fcntl(prepared->output[0], F_SETFL, O_NONBLOCK) != 0 ||
      fcntl(prepared->error[0], F_SETFL, O_NONBLOCK) != 0)
    return -1;
  if (request->bus) prepared->bus = connect_bus(request->bus);
  prepared->filter.length = 0;
  if (!request->is_confined) return 0;
  struct homeward_confinement available = homeward_confinement_available();
  prepared->landlock_abi = available.landlock_abi;
  if (available.seccomp)
    homeward_filter_build(&prepared->filter, request->may_open_sockets, available.landlock_abi);
  if (available.landlock_abi == 0) return 0;
  prepared->ruleset = homeward_ruleset_create(request, available.landlock_abi);
  return prepared->ruleset < 0 ? -1 : 0;
}

/* Signals stay blocked until the child has reset its handlers, so that none of the parent's runs in it. */
static pid_t start(const struct preparation *prepared) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pid_t pid = fork();
  if (pid == 0) become(prepared);
  int saved = errno;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  errno = saved;
  return pid;
}

int homeward_spawn(const struct homeward_spawn_request *request,
                   struct homeward_spawned *spawned) {
  struct preparation prepared = {.request = request, .parent = getpid(), .input = {-1, -1},
                                 .output = {-1, -1}, .error = {-1, -1}, .bus = -1, .ruleset = -1};
  int pidfd = -1;
  pid_t pid = prepare(&prepared) == 0 ? start(&prepared) : -1;
  if (pid > 0) {
    setpgid(pid, pid); /* whoever comes first; the other one fails harmlessly */
    pidfd = (int)syscall(SYS_pidfd_open, pid, 0);
  }
  int saved = errno;
  int ours[] = {prepared.input[1], prepared.output[0], prepared.error[0]};
  int theirs[] = {prepared.input[0], prepared.output[1], prepared.error[1], prepared.ruleset,
                  prepared.bus};
  close_all(theirs, 5);
  if (pidfd >= 0) {
    *spawned = (struct homeward_spawned){pid, pidfd, ours[0], ours[1], ours[2]};
    return 0;
  }
  close_all(ours, 3);
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

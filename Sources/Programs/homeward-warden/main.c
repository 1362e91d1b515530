#include "warden.h"

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* From the daemon: 0, 1 and 2 are the plugin's, 3 its connection to the bus or nothing, 4 takes lines of what to know:

     walls landlock=7 seccomp=1 loopback=1   before the plugin's program begins
     refused 2947 127.0.0.1                  a port of this machine that it may not reach, once
     end exited 0 left 1                     or "end killed 9 left 0"; left: its processes that still lived

   It does not block, and what does not fit is lost. */
#define BUS 3
#define REPORT 4

/* Alarms before plugins, when the processor is not enough for both: one to eight, as the weights of control groups say it
   where there are any. */
#define NICENESS 9

static void say(int descriptor, const char *text) {
  ssize_t written = write(descriptor, text, strlen(text));
  (void)written;
}

static void report(const char *line) { say(REPORT, line); }

void fail(const char *stage) {
  int error = errno;
  say(2, "error: the program could not be started: ");
  say(2, stage);
  switch (error) {
    case ENOENT: say(2, ": not found (is the interpreter of its first line installed?)\n"); break;
    case EACCES: say(2, ": not permitted (is the file executable, and below its folder?)\n"); break;
    case EPERM: say(2, ": not permitted\n"); break;
    case ENOEXEC: say(2, ": not a program (a script begins with #! and its interpreter)\n"); break;
    case ENOMEM: say(2, ": not enough memory\n"); break;
    case EAGAIN: say(2, ": too many processes\n"); break;
    default: say(2, ": refused by the kernel\n"); break;
  }
  _exit(127);
}

/* MARK: In the plugin's process, before its program */

static void limit(int resource, uint64_t amount) {
  struct rlimit bound = {.rlim_cur = amount, .rlim_max = amount}, now;
  if (getrlimit(resource, &now) == 0 && now.rlim_max < amount) bound.rlim_cur = bound.rlim_max = now.rlim_max;
  if (setrlimit(resource, &bound) != 0) fail("limits");
}

static void reset_signals(void) {
  for (int number = 1; number < 65; number++) signal(number, SIG_DFL);
}

/* What the plugin's process tells the warden before its program begins. */
struct walls {
  int landlock_abi;
  bool has_seccomp;
  int listener; /* a number of the plugin's process; -1 where nobody can watch it */
  bool are_known;
};

static struct walls confine(const struct order *order, bool is_watched) {
  struct walls walls = {.landlock_abi = landlock_abi(order), .listener = -1, .are_known = true};
  limit(RLIMIT_CORE, 0);
  if (order->open_files) limit(RLIMIT_NOFILE, order->open_files);
  uint64_t processes = order->has_own_processes ? order->processes : order->processes_together;
  if (processes) limit(RLIMIT_NPROC, processes);
  if (order->memory_bytes) limit(RLIMIT_DATA, order->memory_bytes);
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) fail("no new privileges");
  if (landlock_apply(order, walls.landlock_abi) != 0) fail("Landlock");
  walls.has_seccomp = !order->without_seccomp && seccomp_is_available();
  if (walls.has_seccomp && seccomp_apply(order, walls.landlock_abi) != 0) fail("seccomp");
  if (is_watched) walls.listener = seccomp_watch_addresses();
  return walls;
}

static void become(const struct order *order, bool is_watched, int channel) __attribute__((noreturn));
static void become(const struct order *order, bool is_watched, int channel) {
  pid_t warden = getppid();
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != warden) _exit(127);
  /* The warden fetches a descriptor of this process, which it could not while this is the image of the warden. */
  prctl(PR_SET_DUMPABLE, 1);
  reset_signals();
  struct walls walls = confine(order, is_watched);
  char go;
  if (write(channel, &walls, sizeof walls) != sizeof walls || read(channel, &go, 1) != 1) _exit(127);
  if (close_range(order->has_bus ? BUS + 1 : BUS, ~0U, 0) != 0) fail("closing descriptors");
  execve(order->program, order->arguments, environ);
  fail("its program");
}

/* MARK: In the warden */

/* A descriptor of a process that waits; -1 with errno. */
static int fetch(pid_t process, int descriptor) {
  int handle = (int)syscall(SYS_pidfd_open, process, 0);
  if (handle < 0) return -1;
  int fetched = (int)syscall(SYS_pidfd_getfd, handle, descriptor, 0);
  close(handle);
  return fetched;
}

/* Starts the plugin and answers its process, which waits for a byte from `*channel` before its program; -1 when nobody
   could watch it and it was ended again. */
static pid_t start(const struct order *order, bool is_watched, int *channel, struct walls *walls) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) fail("a channel");
  pid_t plugin = fork();
  if (plugin < 0) fail("a process");
  if (plugin == 0) {
    close(ends[0]);
    become(order, is_watched, ends[1]);
  }
  close(ends[1]);
  *channel = ends[0];
  *walls = (struct walls){.listener = -1};
  /* Its end, where it has failed, is seen by whoever waits for it. */
  if (read(ends[0], walls, sizeof *walls) != sizeof *walls || walls->listener < 0) return plugin;
  int listener = fetch(plugin, walls->listener);
  if (listener >= 0 && guard_start(listener, order, report)) return plugin;
  kill(plugin, SIGKILL);
  waitpid(plugin, NULL, 0);
  close(ends[0]);
  return -1;
}

/* This program wants nothing of what it passed on: an end of a pipe that it kept would hide that the plugin closed its
   own. */
static void let_go(const struct order *order) {
  int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
  for (int number = 0; number < 3; number++)
    if (nothing < 0 || dup2(nothing, number) < 0) close(number);
  if (order->has_bus) close(BUS);
}

/* Gives back the pages of the program that only the start needed: there is a warden for each plugin, for days. They are
   clean and come again from the file when they are wanted. */
static int forget_pages(struct dl_phdr_info *image, size_t size, void *unused) {
  (void)size, (void)unused;
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  for (int i = 0; i < image->dlpi_phnum; i++) {
    const ElfW(Phdr) *part = &image->dlpi_phdr[i];
    if (part->p_type != PT_LOAD || part->p_flags & PF_W) continue;
    uintptr_t begin = (image->dlpi_addr + part->p_vaddr) & ~(page - 1);
    uintptr_t end = image->dlpi_addr + part->p_vaddr + part->p_memsz;
    madvise((void *)begin, end - begin, MADV_DONTNEED);
  }
  return 1; /* the program itself is the first, and libraries are everybody's */
}

/* Waits for the plugin, collecting orphans, and ends as it ended. */
static void end_with(pid_t plugin) __attribute__((noreturn));
static void end_with(pid_t plugin) {
  int status = 0;
  for (pid_t ended = 0; ended != plugin;) {
    ended = waitpid(-1, &status, __WALL);
    if (ended < 0 && errno != EINTR) _exit(127);
  }
  pid_t other;
  while ((other = waitpid(-1, NULL, WNOHANG | __WALL)) > 0) {}
  bool was_killed = WIFSIGNALED(status);
  int code = was_killed ? WTERMSIG(status) : WEXITSTATUS(status);
  char line[64];
  snprintf(line, sizeof line, "end %s %d left %d\n", was_killed ? "killed" : "exited", code, other == 0);
  report(line);
  _exit(was_killed ? 128 + code : code);
}

int main(int count, char **words) {
  static struct order order;
  order_read(&order, count, words);
  /* Asked here and not told: the kernel may have refused what the daemon wanted. A namespace of processes comes with
     one of the user, within which the kernel counts. */
  order.has_own_processes = getpid() == 1;
  /* Nobody looks into this program or takes its descriptors, the plugin least of all. */
  prctl(PR_SET_DUMPABLE, 0);
  setpriority(PRIO_PROCESS, 0, NICENESS);
  /* The daemon's signals are for the plugin, which is of the same group; this one ends with it. */
  for (int number = 1; number < 65; number++)
    if (number != SIGCHLD) signal(number, SIG_IGN);
  if (!order.has_own_processes) prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  fcntl(REPORT, F_SETFD, FD_CLOEXEC);
  /* There may be no bus to be connected to. */
  if (fcntl(BUS, F_GETFD) < 0) order.has_bus = false;
  int channel;
  struct walls walls;
  bool is_watched = order.may_open_sockets && !order.without_guard && !order.without_seccomp;
  pid_t plugin = start(&order, is_watched, &channel, &walls);
  if (plugin < 0) plugin = start(&order, false, &channel, &walls);
  let_go(&order);
  char line[64];
  snprintf(line, sizeof line, "walls landlock=%d seccomp=%d loopback=%d\n", walls.landlock_abi, walls.has_seccomp,
           walls.listener >= 0);
  /* It has not become anybody's yet; a plugin whose warden could be taken is not let go. */
  if (walls.has_seccomp && (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || seccomp_apply_to_warden() != 0)) {
    kill(plugin, SIGKILL);
    walls.are_known = false;
  }
  if (walls.are_known) report(line);
  ssize_t written = write(channel, "", 1);
  (void)written;
  close(channel);
  dl_iterate_phdr(forget_pages, NULL);
  end_with(plugin);
}

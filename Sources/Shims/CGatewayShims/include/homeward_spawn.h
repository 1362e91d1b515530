#pragma once
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Starting and reaping programs. Lists end with NULL. */

/* Namespaces of a process; each keeps it from what it would share with all others. */
enum {
  HOMEWARD_NAMESPACE_USER = 1,    /* rights, and the counting of its processes; the others need it */
  HOMEWARD_NAMESPACE_PROCESS = 2, /* no process outside can be named; all within end with the first */
  HOMEWARD_NAMESPACE_MEMORY = 4,  /* System V's shared memory and queues */
  HOMEWARD_NAMESPACE_NETWORK = 8  /* no network at all, not even the loopback */
};

/* What this kernel can enforce on a program that is not trusted. */
struct homeward_confinement {
  int landlock_abi; /* 0: no Landlock */
  bool seccomp;
  bool watched_addresses; /* seccomp can ask a supervisor, which can reach the descriptors of the supervised */
  unsigned namespaces;
};
/* Found out once; tries each namespace with a process of its own. */
struct homeward_confinement homeward_confinement_available(void);

struct homeward_spawn_request {
  const char *program;          /* absolute path */
  char *const *arguments;       /* arguments[0] included */
  char *const *environment;
  const char *directory;        /* working directory */
  const char *bus;              /* Unix socket connected for it before it starts, as descriptor 3; NULL for none */
  bool reports;                 /* has a pipe to this process as descriptor 4 */
  unsigned namespaces;          /* wanted; those that the kernel refuses are left out */
  bool may_share_group;         /* stays in this process's group where the walls of a plugin refuse it one of its own */
  int group;                    /* cgroup.procs of a group to put it in before it runs; 0 for none */
};

struct homeward_spawned {
  pid_t pid;   /* leader of its own process group, but for one that may share this one's */
  int pidfd;   /* readable once it has exited */
  int input;   /* its standard input; these do not block */
  int output;
  int error;
  int report;  /* -1 where it does not report */
  unsigned namespaces; /* which it has for itself */
};

/* Starts a program. What fails in the child is said on its standard error, followed by exit status 127.
   Answers 0, or -1 with errno set when nothing was started. */
int homeward_spawn(const struct homeward_spawn_request *request, struct homeward_spawned *spawned);

/* Makes this process the parent of orphans of its children, so that none escapes unseen. */
int homeward_become_subreaper(void);

/* How a process ended. */
struct homeward_exit {
  bool has_ended;
  bool by_signal;
  int code; /* exit status, or signal */
};

/* Collects ended members of a process group; the leader's end is written to *leader when it is among them.
   Answers whether members of the group are left, living or not. */
bool homeward_reap_group(pid_t leader_pid, struct homeward_exit *leader);

/* Sends a signal to a whole process group. */
int homeward_signal_group(pid_t leader_pid, int number);

/* Kills processes that descend from this one, left the group of leader_pid, and carry `mark` (NAME=value) in the
   environment that they were started with. Writes at most max of them and answers how many. */
int homeward_kill_escaped(pid_t leader_pid, const char *mark, pid_t *found, int max);

/* Collects one process if it has ended. Answers whether it is gone for good. */
bool homeward_reap_process(pid_t pid);

/* Reads at most size bytes without waiting: 0 at the end, -1 with errno. */
ssize_t homeward_read(int descriptor, void *bytes, size_t size);
/* Writes at most size bytes without waiting and without SIGPIPE: -1 with errno. */
ssize_t homeward_write(int descriptor, const void *bytes, size_t size);

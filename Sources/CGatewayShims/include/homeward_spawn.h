#pragma once
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Starting, confining and reaping programs that are not trusted. Lists end with NULL. */

/* What this kernel can enforce. */
struct homeward_confinement {
  int landlock_abi; /* 0: no Landlock */
  bool seccomp;
};
struct homeward_confinement homeward_confinement_available(void);

struct homeward_spawn_request {
  const char *program;          /* absolute path */
  char *const *arguments;       /* arguments[0] included */
  char *const *environment;
  const char *directory;        /* working directory */
  char *const *readable;        /* files and folders to read and execute; missing ones are left out */
  char *const *writable;        /* folders to read and write */
  char *const *devices;         /* device files, or folders of them, to use; missing ones are left out */
  bool is_confined;             /* false: no Landlock, no seccomp */
  bool may_open_sockets;        /* internet sockets; others never */
  const char *bus;              /* Unix socket connected for it before it starts, as descriptor 3; NULL for none */
  uint64_t memory_bytes;        /* RLIMIT_DATA; 0 for no limit */
  uint64_t open_files;          /* RLIMIT_NOFILE; 0 for no limit of its own */
  uint64_t processes;           /* RLIMIT_NPROC, which counts the whole user; 0 for no limit of its own */
};

struct homeward_spawned {
  pid_t pid;   /* leader of its own process group */
  int pidfd;   /* readable once it has exited */
  int input;   /* its standard input; these three do not block */
  int output;
  int error;
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

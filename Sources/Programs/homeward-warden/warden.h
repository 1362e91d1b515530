#pragma once
#include <linux/filter.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/types.h>

/* The program between the daemon and one plugin: puts the walls up, starts the plugin behind them, watches its
   connections, and ends with it. It is process 1 of the plugin's namespace where there is one. */

#define MOST_PATHS 512
#define MOST_PORTS 64

/* What the daemon asks for, from the command line. Lists of paths end with NULL. */
struct order {
  const char *program;
  char **arguments; /* arguments[0] included */
  const char *readable[MOST_PATHS]; /* files and folders to read and execute; missing ones are left out */
  const char *writable[MOST_PATHS]; /* folders to read and write */
  const char *devices[MOST_PATHS];  /* device files, or folders of them, to use; missing ones are left out */
  uint16_t ports[MOST_PORTS];       /* of this machine, which it may connect to */
  int port_count;
  bool may_open_sockets; /* internet sockets; others never */
  bool has_bus;          /* keeps descriptor 3, a connected socket */
  bool has_own_processes; /* this is the first of a namespace: no other can be named, and all end with it */
  uint64_t memory_bytes; /* RLIMIT_DATA; 0 for no limit */
  uint64_t open_files;   /* RLIMIT_NOFILE; 0 for no limit of its own */
  uint64_t processes;    /* RLIMIT_NPROC where the kernel counts this plugin's alone; 0 for no limit of its own */
  uint64_t processes_together; /* the same where it counts those of the whole user */
  /* For tests, which take walls away one by one. */
  int landlock_at_most;
  bool without_seccomp, without_guard;
};
void order_read(struct order *order, int count, char **words);

/* Says to the plugin's log why it cannot be started, and ends with status 127. */
void fail(const char *stage) __attribute__((noreturn));

/* The kernel's version of Landlock, at most as high as ordered; 0 for none. */
int landlock_abi(const struct order *order);
/* Confines this process; answers 0, or -1 with errno. Nothing to do at ABI 0. */
int landlock_apply(const struct order *order, int abi);

struct filter {
  struct sock_filter code[512];
  unsigned short length;
};
bool seccomp_is_available(void);
/* Confines this process; answers 0, or -1 with errno. */
int seccomp_apply(const struct order *order, int abi);
/* Leaves the warden, all of its threads, what it needs from then on; answers 0, or -1 with errno. */
int seccomp_apply_to_warden(void);
/* Has this process's calls that name an address judged by who holds the descriptor that is answered; -1 with errno. */
int seccomp_watch_addresses(void);

/* Judges calls that name an address, on threads of its own, for as long as this process lives. `told` gets one line for
   each port that is refused for the first time. Answers false when there can be no threads. */
bool guard_start(int listener, const struct order *order, void (*told)(const char *line));

/* Whether an address is this machine's own, so that what is sent there arrives at one of its programs. */
bool address_is_here(const struct sockaddr *address, socklen_t length);

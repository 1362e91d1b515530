#pragma once
#include "warden.h"

#include <linux/seccomp.h>
#include <sys/socket.h>

/* One call of the plugin that waits for its answer. */
struct call {
  int listener;
  struct seccomp_notif *asked;
  int socket; /* of the plugin, held here too; -1 before it is fetched */
};

/* Copies memory of the caller, whole or not at all. */
bool call_read(const struct call *call, uint64_t from, void *to, size_t size);
bool call_write(const struct call *call, uint64_t to, const void *from, size_t size);
/* Another descriptor of the caller, held here too; -1 with errno. */
int call_fetch(const struct call *call, int descriptor);
/* Whether the caller still waits: what was read of it was its own. */
bool call_waits(const struct call *call);

/* Whether something may be sent to an address; says what is refused. */
bool guard_permits(const struct sockaddr *address, socklen_t length, bool sends);

/* sendmsg and sendmmsg, done here with a copy of everything; answer as the kernel does, -errno included. */
int64_t message_send(const struct call *call, uint64_t header, int flags);
int64_t messages_send(const struct call *call, uint64_t headers, unsigned count, int flags);

#define MOST_BYTES (256 << 10) /* of one call; a stream takes the rest in the next */

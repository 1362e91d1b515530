#pragma once
#include <stdint.h>

/* Unix sockets behind flat functions. Every function answers -1 with errno set when it fails;
   a path that does not fit gives ENAMETOOLONG. All descriptors are close-on-exec. */

/* Binds and listens with the given mode; nobody can connect before the mode is set. Non-blocking. */
int homeward_unix_listen(const char *path, uint32_t mode, int backlog);
/* Connects; when blocking is not 0 it waits up to 5 s for room in the listener's queue, then gives EAGAIN. */
int homeward_unix_connect(const char *path, int blocking);
/* Takes a waiting connection, non-blocking. */
int homeward_unix_accept(int listener);
/* The user behind a connection, as the kernel noted it when the connection was made. */
int homeward_unix_peer(int fd, uint32_t *uid);

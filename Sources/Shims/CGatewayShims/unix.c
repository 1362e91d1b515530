#include "homeward_unix.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

static int fill(struct sockaddr_un *address, const char *path) {
  memset(address, 0, sizeof *address);
  address->sun_family = AF_UNIX;
  if (strlen(path) >= sizeof address->sun_path) {
    errno = ENAMETOOLONG;
    return -1;
  }
  strcpy(address->sun_path, path);
  return 0;
}

static int close_with_errno(int fd) {
  int error = errno;
  close(fd);
  errno = error;
  return -1;
}

int homeward_unix_listen(const char *path, uint32_t mode, int backlog) {
  struct sockaddr_un address;
  if (fill(&address, path) < 0) return -1;
  int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (fd < 0) return -1;
  if (bind(fd, (struct sockaddr *)&address, sizeof address) < 0) return close_with_errno(fd);
  if (chmod(path, mode) < 0 || listen(fd, backlog) < 0) {
    close_with_errno(fd);
    int error = errno;
    unlink(path);
    errno = error;
    return -1;
  }
  return fd;
}

int homeward_unix_connect(const char *path, int blocking) {
  struct sockaddr_un address;
  if (fill(&address, path) < 0) return -1;
  int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | (blocking ? 0 : SOCK_NONBLOCK), 0);
  if (fd < 0) return -1;
  struct timeval limit = {.tv_sec = 5};
  if (blocking) setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
  if (connect(fd, (struct sockaddr *)&address, sizeof address) < 0) return close_with_errno(fd);
  return fd;
}

int homeward_unix_accept(int listener) {
  return accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
}

int homeward_unix_peer(int fd, uint32_t *uid) {
  struct ucred credentials;
  socklen_t length = sizeof credentials;
  if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &credentials, &length) < 0) return -1;
  *uid = credentials.uid;
  return 0;
}

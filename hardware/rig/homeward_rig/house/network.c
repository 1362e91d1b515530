/* The house's network: what is sent leaves at once. The kernel holds small packets back until the one before is acknowledged,
   up to a twentieth of a second in which everybody sleeps: a story would take that for rest, and leap while an answer is on
   its way. */
#include <dlfcn.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

int socket(int domain, int type, int protocol) {
  static int (*real)(int, int, int);
  if (!real) real = dlsym(RTLD_NEXT, "socket");
  int made = real(domain, type, protocol);
  int is_stream = (type & ~(SOCK_CLOEXEC | SOCK_NONBLOCK)) == SOCK_STREAM;
  if (made < 0 || !is_stream || (domain != AF_INET && domain != AF_INET6)) return made;
  int error = errno, yes = 1;
  /* Connections that are accepted have it from who listens. */
  (void)setsockopt(made, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  errno = error;
  return made;
}

#include "guard.h"

#include <errno.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <arpa/inet.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#ifndef SYS_pidfd_getfd
#define SYS_pidfd_getfd 438
#endif
#ifndef PIDFD_THREAD
#define PIDFD_THREAD 0200 /* O_EXCL; Linux 6.9 */
#endif

#define MOST_WORKERS 32
#define PORT_OF_NAMES 53

static const struct order *granted;
static void (*tell)(const char *line);
static int watched = -1;
static atomic_int workers, idle;

/* MARK: The caller */

bool call_read(const struct call *call, uint64_t from, void *to, size_t size) {
  struct iovec here = {to, size}, there = {(void *)(uintptr_t)from, size};
  return size == 0 || process_vm_readv((pid_t)call->asked->pid, &here, 1, &there, 1, 0) == (ssize_t)size;
}

bool call_write(const struct call *call, uint64_t to, const void *from, size_t size) {
  struct iovec here = {(void *)from, size}, there = {(void *)(uintptr_t)to, size};
  return process_vm_writev((pid_t)call->asked->pid, &here, 1, &there, 1, 0) == (ssize_t)size;
}

bool call_waits(const struct call *call) {
  return ioctl(call->listener, SECCOMP_IOCTL_NOTIF_ID_VALID, &call->asked->id) == 0;
}

/* The process that a thread belongs to. Only /proc tells a program so of others, and it may be of another namespace: a
   signal that is none finds out, and the number is the thread's own or one before it. */
static pid_t process_of(pid_t thread) {
  static _Atomic pid_t found_last;
  pid_t last = found_last;
  if (last > 0 && syscall(SYS_tgkill, last, thread, 0) == 0) return last;
  for (pid_t process = thread; process > 1; process--)
    if (syscall(SYS_tgkill, process, thread, 0) == 0) return found_last = process;
  return -1;
}

int call_fetch(const struct call *call, int descriptor) {
  pid_t thread = (pid_t)call->asked->pid;
  int handle = (int)syscall(SYS_pidfd_open, thread, PIDFD_THREAD);
  if (handle < 0) {
    pid_t process = process_of(thread);
    handle = process > 0 ? (int)syscall(SYS_pidfd_open, process, 0) : -1;
  }
  if (handle < 0) return -1;
  int fetched = (int)syscall(SYS_pidfd_getfd, handle, descriptor, 0);
  int saved = errno;
  close(handle);
  errno = saved;
  return fetched;
}

/* MARK: What is permitted */

static bool is_granted(uint16_t port) {
  if (port == PORT_OF_NAMES) return true;
  for (int i = 0; i < granted->port_count; i++)
    if (granted->ports[i] == port) return true;
  return false;
}

/* Once for each port and family of addresses: a plugin that tries for ever does not fill the log. */
static void tell_refusal(const struct sockaddr *address, uint16_t port) {
  static atomic_uchar told[8192];
  unsigned char bit = (unsigned char)(1 << (port & 7));
  if (atomic_fetch_or(&told[port >> 3], bit) & bit) return;
  char text[INET6_ADDRSTRLEN] = "?", line[128];
  const void *number = address->sa_family == AF_INET6
                           ? (const void *)&((const struct sockaddr_in6 *)address)->sin6_addr
                           : (const void *)&((const struct sockaddr_in *)address)->sin_addr;
  inet_ntop(address->sa_family == AF_INET6 ? AF_INET6 : AF_INET, number, text, sizeof text);
  snprintf(line, sizeof line, "refused %u %s\n", port, text);
  tell(line);
}

bool guard_permits(const struct sockaddr *address, socklen_t length, bool sends) {
  if (length < (socklen_t)sizeof(sa_family_t)) return true; /* which the kernel refuses */
  sa_family_t family = address->sa_family;
  /* To connect to no family is to part; to send to it is to send to the Internet address that is in it. */
  if (family == AF_NETLINK || (family == AF_UNSPEC && !sends)) return true;
  if (family != AF_INET && family != AF_INET6 && family != AF_UNSPEC) return false;
  if (length < 8) return true; /* which the kernel refuses: no address is so short */
  uint16_t port = ntohs(((const struct sockaddr_in *)address)->sin_port);
  if (is_granted(port) || !address_is_here(address, length)) return true;
  tell_refusal(address, port);
  return false;
}

/* MARK: The calls */

static int64_t connect_for(const struct call *call, uint64_t from, int length) {
  struct sockaddr_storage address = {0};
  if (length < 0 || length > (int)sizeof address) return -EINVAL;
  if (!call_read(call, from, &address, (size_t)length)) return -EFAULT;
  if (!call_waits(call)) return -EINTR;
  if (!guard_permits((struct sockaddr *)&address, (socklen_t)length, false)) return -EACCES;
  return connect(call->socket, (struct sockaddr *)&address, (socklen_t)length) == 0 ? 0 : -errno;
}

static int64_t send_for(const struct call *call, const uint64_t *arguments) {
  struct sockaddr_storage address = {0};
  int length = (int)arguments[5];
  if (length < 0 || length > (int)sizeof address) return -EINVAL;
  if (!call_read(call, arguments[4], &address, (size_t)length)) return -EFAULT;
  size_t size = arguments[2] < MOST_BYTES ? arguments[2] : MOST_BYTES;
  char *bytes = malloc(size ? size : 1);
  if (!bytes) return -ENOMEM;
  int64_t answer = -EFAULT;
  if (call_read(call, arguments[1], bytes, size)) {
    if (!call_waits(call)) answer = -EINTR;
    else if (!guard_permits((struct sockaddr *)&address, (socklen_t)length, true)) answer = -EACCES;
    else {
      int flags = ((int)arguments[3] & ~MSG_ZEROCOPY) | MSG_NOSIGNAL;
      ssize_t sent = sendto(call->socket, bytes, size, flags, (struct sockaddr *)&address, (socklen_t)length);
      answer = sent < 0 ? -errno : sent;
    }
  }
  free(bytes);
  return answer;
}

static int64_t perform(const struct call *call) {
  const uint64_t *arguments = (const uint64_t *)call->asked->data.args;
  switch (call->asked->data.nr) {
    case SYS_connect: return connect_for(call, arguments[1], (int)arguments[2]);
    case SYS_sendto: return send_for(call, arguments);
    case SYS_sendmsg: return message_send(call, arguments[1], (int)arguments[2]);
    case SYS_sendmmsg: return messages_send(call, arguments[1], (unsigned)arguments[2], (int)arguments[3]);
    default: return -ENOSYS;
  }
}

static void answer(struct call *call, struct seccomp_notif_resp *response, size_t size) {
  memset(response, 0, size);
  response->id = call->asked->id;
  call->socket = call_fetch(call, (int)call->asked->data.args[0]);
  int64_t outcome = -errno;
  if (call->socket >= 0) {
    /* What was fetched by a number is of whoever waits, not of a later bearer of the number. */
    outcome = call_waits(call) ? perform(call) : -EINTR;
    close(call->socket);
  }
  if (outcome < 0) response->error = (int)outcome;
  else response->val = outcome;
  ioctl(call->listener, SECCOMP_IOCTL_NOTIF_SEND, response);
}

/* MARK: Threads: a call that blocks holds up nothing but its own caller */

static bool add_worker(void);

static size_t larger(size_t one, size_t other) { return one > other ? one : other; }

static void *work(void *unused) {
  (void)unused;
  struct seccomp_notif_sizes sizes;
  if (syscall(SYS_seccomp, SECCOMP_GET_NOTIF_SIZES, 0, &sizes) != 0) return NULL;
  /* Of a newer kernel they may be larger. */
  size_t asked_size = larger(sizes.seccomp_notif, sizeof(struct seccomp_notif));
  size_t response_size = larger(sizes.seccomp_notif_resp, sizeof(struct seccomp_notif_resp));
  struct seccomp_notif *asked = malloc(asked_size);
  struct seccomp_notif_resp *response = malloc(response_size);
  while (asked && response) {
    memset(asked, 0, asked_size);
    if (ioctl(watched, SECCOMP_IOCTL_NOTIF_RECV, asked) != 0) {
      /* A caller that was interrupted or killed asks no more. */
      if (errno == EINTR || errno == ENOENT) continue;
      break;
    }
    if (atomic_fetch_sub(&idle, 1) == 1) add_worker();
    struct call call = {.listener = watched, .asked = asked, .socket = -1};
    answer(&call, response, response_size);
    atomic_fetch_add(&idle, 1);
  }
  free(asked);
  free(response);
  atomic_fetch_sub(&idle, 1);
  atomic_fetch_sub(&workers, 1);
  return NULL;
}

static bool add_worker(void) {
  if (atomic_fetch_add(&workers, 1) >= MOST_WORKERS) {
    atomic_fetch_sub(&workers, 1);
    return false;
  }
  atomic_fetch_add(&idle, 1);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 64 << 10);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_t thread;
  bool started = pthread_create(&thread, &attributes, work, NULL) == 0;
  pthread_attr_destroy(&attributes);
  if (started) return true;
  atomic_fetch_sub(&idle, 1);
  atomic_fetch_sub(&workers, 1);
  return false;
}

bool guard_start(int listener, const struct order *order, void (*told)(const char *line)) {
  watched = listener;
  granted = order;
  tell = told;
  /* Two, so that there is one while the first is busy, whatever becomes of the limit of tasks. */
  return add_worker() && add_worker();
}

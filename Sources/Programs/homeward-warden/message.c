#include "guard.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/udp.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#define MOST_PARTS 1024 /* UIO_MAXIOV */
#define MOST_MESSAGES 64 /* of one call; the caller sends the rest in the next */
#define MOST_CONTROL 2048
#define MOST_DESCRIPTORS 64

#ifndef UDP_SEGMENT
#define UDP_SEGMENT 103
#endif

/* A message with everything that belongs to it, in memory that the plugin cannot change. */
struct copy {
  struct msghdr header;
  struct sockaddr_storage address;
  struct iovec bytes;
  _Alignas(struct cmsghdr) char control[MOST_CONTROL];
  int descriptors[MOST_DESCRIPTORS];
  int descriptor_count;
};

static void discard(struct copy *copy) {
  for (int i = 0; i < copy->descriptor_count; i++) close(copy->descriptors[i]);
  free(copy->bytes.iov_base);
}

/* All parts in one piece. */
static int64_t copy_bytes(const struct call *call, const struct msghdr *header, struct copy *copy) {
  if (header->msg_iovlen > MOST_PARTS) return -EMSGSIZE;
  struct iovec *parts = calloc(header->msg_iovlen + 1, sizeof *parts);
  if (!parts) return -ENOMEM;
  int64_t answer = -EFAULT;
  if (call_read(call, (uintptr_t)header->msg_iov, parts, header->msg_iovlen * sizeof *parts)) {
    size_t size = 0;
    for (size_t i = 0; i < header->msg_iovlen; i++) {
      if (parts[i].iov_len > MOST_BYTES - size) parts[i].iov_len = MOST_BYTES - size;
      size += parts[i].iov_len;
    }
    copy->bytes = (struct iovec){malloc(size ? size : 1), size};
    answer = copy->bytes.iov_base ? 0 : -ENOMEM;
    char *to = copy->bytes.iov_base;
    for (size_t i = 0; answer == 0 && i < header->msg_iovlen; i++) {
      if (!call_read(call, (uintptr_t)parts[i].iov_base, to, parts[i].iov_len)) answer = -EFAULT;
      to += parts[i].iov_len;
    }
  }
  free(parts);
  return answer;
}

/* Numbers of the plugin's descriptors become those of their copies here. */
static int64_t fetch_descriptors(const struct call *call, struct cmsghdr *part, struct copy *copy) {
  size_t count = (part->cmsg_len - CMSG_LEN(0)) / sizeof(int);
  for (size_t i = 0; i < count; i++) {
    int theirs;
    memcpy(&theirs, CMSG_DATA(part) + i * sizeof theirs, sizeof theirs);
    if (copy->descriptor_count == MOST_DESCRIPTORS) return -EINVAL;
    int ours = call_fetch(call, theirs);
    if (ours < 0) return -EBADF;
    copy->descriptors[copy->descriptor_count++] = ours;
    memcpy(CMSG_DATA(part) + i * sizeof ours, &ours, sizeof ours);
  }
  return 0;
}

/* What goes beside a message: descriptors, and how packets are sent, but not where to. */
static bool is_harmless(const struct cmsghdr *part) {
  switch (part->cmsg_level) {
    case IPPROTO_IP: return part->cmsg_type == IP_TOS || part->cmsg_type == IP_TTL || part->cmsg_type == IP_PKTINFO;
    case IPPROTO_IPV6:
      return part->cmsg_type == IPV6_TCLASS || part->cmsg_type == IPV6_HOPLIMIT || part->cmsg_type == IPV6_PKTINFO;
    case SOL_UDP: return part->cmsg_type == UDP_SEGMENT;
    default: return false;
  }
}

static int64_t copy_control(const struct call *call, const struct msghdr *header, struct copy *copy) {
  if (header->msg_controllen == 0) return 0;
  if (header->msg_controllen > MOST_CONTROL) return -ENOBUFS;
  if (!call_read(call, (uintptr_t)header->msg_control, copy->control, header->msg_controllen)) return -EFAULT;
  copy->header.msg_control = copy->control;
  copy->header.msg_controllen = header->msg_controllen;
  for (struct cmsghdr *part = CMSG_FIRSTHDR(&copy->header); part; part = CMSG_NXTHDR(&copy->header, part)) {
    size_t room = (size_t)(copy->control + copy->header.msg_controllen - (char *)part);
    if (part->cmsg_len < CMSG_LEN(0) || part->cmsg_len > room) return -EINVAL;
    if (part->cmsg_level == SOL_SOCKET && part->cmsg_type == SCM_RIGHTS) {
      int64_t answer = fetch_descriptors(call, part, copy);
      if (answer != 0) return answer;
    } else if (!is_harmless(part)) {
      return -EPERM;
    }
  }
  return 0;
}

static int64_t copy_message(const struct call *call, const struct msghdr *header, struct copy *copy) {
  if (header->msg_name && header->msg_namelen) {
    if (header->msg_namelen > sizeof copy->address) return -EINVAL;
    if (!call_read(call, (uintptr_t)header->msg_name, &copy->address, header->msg_namelen)) return -EFAULT;
    copy->header.msg_name = &copy->address;
    copy->header.msg_namelen = header->msg_namelen;
  }
  int64_t answer = copy_bytes(call, header, copy);
  if (answer == 0) answer = copy_control(call, header, copy);
  copy->header.msg_iov = &copy->bytes;
  copy->header.msg_iovlen = 1;
  return answer;
}

static int64_t send_copy(const struct call *call, const struct msghdr *header, int flags) {
  struct copy *copy = calloc(1, sizeof *copy);
  if (!copy) return -ENOMEM;
  int64_t answer = copy_message(call, header, copy);
  if (answer == 0 && !call_waits(call)) answer = -EINTR;
  if (answer == 0 && copy->header.msg_name &&
      !guard_permits(copy->header.msg_name, copy->header.msg_namelen, true))
    answer = -EACCES;
  if (answer == 0) {
    ssize_t sent = sendmsg(call->socket, &copy->header, (flags & ~MSG_ZEROCOPY) | MSG_NOSIGNAL);
    answer = sent < 0 ? -errno : sent;
  }
  discard(copy);
  free(copy);
  return answer;
}

int64_t message_send(const struct call *call, uint64_t from, int flags) {
  struct msghdr header;
  if (!call_read(call, from, &header, sizeof header)) return -EFAULT;
  return send_copy(call, &header, flags);
}

int64_t messages_send(const struct call *call, uint64_t from, unsigned count, int flags) {
  unsigned sent = 0;
  if (count > MOST_MESSAGES) count = MOST_MESSAGES;
  for (; sent < count; sent++) {
    struct mmsghdr message;
    uint64_t at = from + sent * sizeof message;
    if (!call_read(call, at, &message, sizeof message)) return sent ? (int64_t)sent : -EFAULT;
    int64_t answer = send_copy(call, &message.msg_hdr, flags);
    if (answer < 0) return sent ? (int64_t)sent : answer;
    unsigned length = (unsigned)answer;
    uint64_t length_at = at + offsetof(struct mmsghdr, msg_len);
    if (!call_write(call, length_at, &length, sizeof length)) return sent ? (int64_t)sent : -EFAULT;
  }
  return sent;
}

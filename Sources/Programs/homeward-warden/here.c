#include "warden.h"

#include <errno.h>
#include <linux/rtnetlink.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

struct question {
  struct nlmsghdr header;
  struct rtmsg route;
  char attributes[64];
};

static void attach(struct question *question, unsigned short type, const void *bytes, size_t size) {
  struct rtattr *attribute = (void *)((char *)question + NLMSG_ALIGN(question->header.nlmsg_len));
  attribute->rta_type = type;
  attribute->rta_len = (unsigned short)RTA_LENGTH(size);
  memcpy(RTA_DATA(attribute), bytes, size);
  question->header.nlmsg_len = NLMSG_ALIGN(question->header.nlmsg_len) + RTA_ALIGN(attribute->rta_len);
}

/* Asks the kernel which way a packet would take. What it does not answer is taken for this machine's. */
static bool ends_here(unsigned char family, const void *address, unsigned char bits, unsigned interface) {
  struct question question = {
      .header = {.nlmsg_len = NLMSG_LENGTH(sizeof(struct rtmsg)),
                 .nlmsg_type = RTM_GETROUTE,
                 .nlmsg_flags = NLM_F_REQUEST},
      .route = {.rtm_family = family, .rtm_dst_len = bits}};
  attach(&question, RTA_DST, address, bits / 8);
  if (interface) attach(&question, RTA_OIF, &interface, sizeof interface);
  int kernel = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
  if (kernel < 0) return true;
  struct timeval patience = {.tv_sec = 2};
  setsockopt(kernel, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  _Alignas(struct nlmsghdr) char answer[4096];
  ssize_t length = -1;
  if (send(kernel, &question, question.header.nlmsg_len, 0) > 0) length = recv(kernel, answer, sizeof answer, 0);
  close(kernel);
  const struct nlmsghdr *header = (const void *)answer;
  if (length < 0 || !NLMSG_OK(header, (size_t)length)) return true;
  if (header->nlmsg_type == NLMSG_ERROR) {
    /* There is no way there at all. */
    const struct nlmsgerr *error = NLMSG_DATA(header);
    return error->error != -ENETUNREACH && error->error != -EHOSTUNREACH && error->error != -EACCES;
  }
  if (header->nlmsg_type != RTM_NEWROUTE) return true;
  const struct rtmsg *route = NLMSG_DATA(header);
  return route->rtm_type == RTN_LOCAL || route->rtm_type == RTN_BROADCAST || route->rtm_type == RTN_ANYCAST;
}

static bool is_here_4(const struct in_addr *address) {
  uint32_t number = ntohl(address->s_addr);
  if (number == INADDR_ANY || number == INADDR_BROADCAST || number >> 24 == 127) return true;
  if (IN_MULTICAST(number)) return false;
  return ends_here(AF_INET, address, 32, 0);
}

static bool is_here_6(const struct sockaddr_in6 *address) {
  const struct in6_addr *number = &address->sin6_addr;
  if (IN6_IS_ADDR_UNSPECIFIED(number) || IN6_IS_ADDR_LOOPBACK(number)) return true;
  if (IN6_IS_ADDR_V4MAPPED(number)) {
    struct in_addr mapped;
    memcpy(&mapped, number->s6_addr + 12, sizeof mapped);
    return is_here_4(&mapped);
  }
  if (IN6_IS_ADDR_MULTICAST(number)) return IN6_IS_ADDR_MC_NODELOCAL(number);
  /* A short address, which is allowed, has no scope. */
  return ends_here(AF_INET6, number, 128, address->sin6_scope_id);
}

bool address_is_here(const struct sockaddr *address, socklen_t length) {
  struct sockaddr_in6 whole = {0};
  if (address->sa_family == AF_INET6) {
    memcpy(&whole, address, length < sizeof whole ? length : sizeof whole);
    return is_here_6(&whole);
  }
  struct sockaddr_in four = {0};
  memcpy(&four, address, length < sizeof four ? length : sizeof four);
  return is_here_4(&four.sin_addr);
}

#include "homeward_loop.h"

#include <errno.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/timerfd.h>
#include <sys/timex.h>
#include <time.h>
#include <unistd.h>

int homeward_epoll_create(void) { return epoll_create1(EPOLL_CLOEXEC); }

int homeward_epoll_set(int epoll, int fd, bool readable, bool writable) {
  struct epoll_event event = {.events = EPOLLRDHUP, .data.fd = fd};
  if (readable) event.events |= EPOLLIN;
  if (writable) event.events |= EPOLLOUT;
  if (epoll_ctl(epoll, EPOLL_CTL_MOD, fd, &event) == 0) return 0;
  if (errno != ENOENT) return -1;
  return epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event);
}

int homeward_epoll_remove(int epoll, int fd) { return epoll_ctl(epoll, EPOLL_CTL_DEL, fd, NULL); }

int homeward_epoll_wait(int epoll, struct homeward_ready *ready, int max, bool waits) {
  struct epoll_event events[64];
  if (max > 64) max = 64;
  int count;
  do {
    count = epoll_wait(epoll, events, max, waits ? -1 : 0);
  } while (count < 0 && errno == EINTR);
  for (int i = 0; i < count; i++) {
    ready[i].fd = events[i].data.fd;
    ready[i].readable = events[i].events & EPOLLIN;
    ready[i].writable = events[i].events & EPOLLOUT;
    ready[i].hung_up = events[i].events & (EPOLLHUP | EPOLLERR | EPOLLRDHUP);
  }
  return count;
}

int homeward_eventfd_create(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

void homeward_eventfd_signal(int fd) {
  uint64_t one = 1;
  ssize_t written = write(fd, &one, sizeof one);
  (void)written; /* EAGAIN means that it is signalled already */
}

void homeward_eventfd_drain(int fd) {
  uint64_t count;
  ssize_t got = read(fd, &count, sizeof count);
  (void)got;
}

int homeward_timer_create(void) {
  return timerfd_create(CLOCK_BOOTTIME, TFD_CLOEXEC | TFD_NONBLOCK);
}

int homeward_timer_set(int fd, int64_t deadline_nanoseconds) {
  struct itimerspec spec = {.it_value = {.tv_sec = deadline_nanoseconds / 1000000000,
                                         .tv_nsec = deadline_nanoseconds % 1000000000}};
  return timerfd_settime(fd, TFD_TIMER_ABSTIME, &spec, NULL);
}

void homeward_timer_drain(int fd) { homeward_eventfd_drain(fd); }

int homeward_clock_change_create(void) {
  int fd = timerfd_create(CLOCK_REALTIME, TFD_CLOEXEC | TFD_NONBLOCK);
  if (fd >= 0) homeward_clock_change_rearm(fd);
  return fd;
}

void homeward_clock_change_rearm(int fd) {
  homeward_eventfd_drain(fd);
  /* Far enough never to expire: the descriptor speaks only through ECANCELED. */
  struct itimerspec spec = {.it_value = {.tv_sec = 4000000000LL}};
  timerfd_settime(fd, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &spec, NULL);
}

int64_t homeward_boottime_nanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_BOOTTIME, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int64_t homeward_realtime_milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

bool homeward_clock_is_synchronised(void) {
  struct timex state = {0};
  int answer = adjtimex(&state);
  return answer >= 0 && answer != TIME_ERROR && !(state.status & STA_UNSYNC);
}

void homeward_name_thread(const char *name) { pthread_setname_np(pthread_self(), name); }

void homeward_thread_gives_way(void) { setpriority(PRIO_PROCESS, (id_t)gettid(), 10); }

#pragma once
#include <stdbool.h>
#include <stdint.h>

/* epoll, eventfd and timerfd behind flat functions: their headers hide from Swift behind _GNU_SOURCE.
   Every function that answers an int answers -1 with errno set when it fails. */

struct homeward_ready {
  int32_t fd;
  bool readable;
  bool writable;
  bool hung_up; /* peer closed, or the descriptor is in error */
};

int homeward_epoll_create(void);
/* Watches fd for the given directions; replaces an earlier watch. */
int homeward_epoll_set(int epoll, int fd, bool readable, bool writable);
int homeward_epoll_remove(int epoll, int fd);
/* Waits without limit, restarted after signals, or only looks; fills at most max entries and answers how many. */
int homeward_epoll_wait(int epoll, struct homeward_ready *ready, int max, bool waits);

int homeward_eventfd_create(void);
void homeward_eventfd_signal(int fd);
void homeward_eventfd_drain(int fd);

/* A timer on CLOCK_BOOTTIME; deadline in nanoseconds since boot, 0 disarms. */
int homeward_timer_create(void);
int homeward_timer_set(int fd, int64_t deadline_nanoseconds);
void homeward_timer_drain(int fd);

/* A descriptor that becomes readable when somebody sets the wall clock. */
int homeward_clock_change_create(void);
void homeward_clock_change_rearm(int fd);

int64_t homeward_boottime_nanoseconds(void);
int64_t homeward_realtime_milliseconds(void);
/* Whether the kernel's clock is disciplined by NTP (adjtimex without STA_UNSYNC). */
bool homeward_clock_is_synchronised(void);

void homeward_name_thread(const char *name);
/* Lets the other threads of the process run first from now on, where there is too little of the processors for all. */
void homeward_thread_gives_way(void);

/* The story's clock: loaded into a gateway before its libraries, it adds to the machine's clocks what a story has skipped.

   The page that HOMEWARD_STORY_CLOCK names is shared with the story. Skipped time is added to every clock that counts
   since the start (as if the machine had slept, which is what CLOCK_BOOTTIME counts), and the wall clock has an offset
   of its own, so that it can be wrong. Timers that are waiting are set anew after each leap: what became due within it
   is due now. Nothing of the gateway knows of this.

   Only the gateway's timers skip, which HOMEWARD_STORY_TIMERS says. Its plugins, and what plays its devices, talk to each
   other in real time, with time-outs that mean it. They have the story's wall clock, and read its CLOCK_BOOTTIME, by which
   they tell the gateway until when a command is fresh; what they wait for by it they wait for in real time. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/timex.h>
#include <time.h>
#include <unistd.h>

#include "page.h"

#define DESCRIPTORS 1024

struct timer {
  int is_set;
  int is_wall;
  int tells_steps; /* TFD_TIMER_CANCEL_ON_SET */
  struct itimerspec spec;
};

static struct page *page;
static int skips;
static struct timer timers[DESCRIPTORS];
static int timer_clock[DESCRIPTORS]; /* the clock's number and 1; 0 is no timer */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int (*real_gettime)(clockid_t, struct timespec *);
static int (*real_settime)(int, int, const struct itimerspec *, struct itimerspec *);
static int (*real_create)(int, int);
static int (*real_close)(int);

static void find(void) {
  if (real_gettime) return;
  real_settime = dlsym(RTLD_NEXT, "timerfd_settime");
  real_create = dlsym(RTLD_NEXT, "timerfd_create");
  real_close = dlsym(RTLD_NEXT, "close");
  real_gettime = dlsym(RTLD_NEXT, "clock_gettime");
}

static int is_wall(clockid_t clock) {
  return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE;
}

static int64_t ahead(clockid_t clock) {
  if (!page) return 0;
  if (is_wall(clock)) return page->wall_nanoseconds;
  if (clock == CLOCK_BOOTTIME) return page->skipped_nanoseconds;
  if (!skips) return 0;
  switch (clock) {
    case CLOCK_MONOTONIC:
    case CLOCK_MONOTONIC_RAW:
    case CLOCK_MONOTONIC_COARSE: return page->skipped_nanoseconds;
    default: return 0;
  }
}

static struct timespec shifted(struct timespec time, int64_t nanoseconds) {
  int64_t sum = time.tv_nsec + nanoseconds % 1000000000;
  time.tv_sec += nanoseconds / 1000000000 + sum / 1000000000;
  sum %= 1000000000;
  if (sum < 0) {
    sum += 1000000000;
    time.tv_sec--;
  }
  time.tv_nsec = sum;
  return time;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
  find();
  int answer = real_gettime(clock, time);
  if (answer == 0) *time = shifted(*time, ahead(clock));
  return answer;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
  (void)zone;
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  time->tv_sec = now.tv_sec;
  time->tv_usec = now.tv_nsec / 1000;
  return 0;
}

time_t time(time_t *place) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (place) *place = now.tv_sec;
  return now.tv_sec;
}

int adjtimex(struct timex *state) {
  memset(state, 0, sizeof *state);
  if (page && page->is_synchronised) return TIME_OK;
  state->status = STA_UNSYNC;
  return TIME_ERROR;
}

int64_t story_machine_nanoseconds(void) {
  struct timespec now;
  find();
  real_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* A sound whose next period is late has not ended. */
#define PAUSE_NANOSECONDS INT64_C(150000000)

static int64_t story_nanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_BOOTTIME, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int64_t story_sounds(void) {
  if (!skips) return 0;
  int has_ended = page->sounds_until < story_machine_nanoseconds();
  page->sounds_until = INT64_MAX;
  return has_ended ? story_nanoseconds() - page->silent_since : 0;
}

void story_falls_silent(void) {
  if (!skips) return;
  page->silent_since = story_nanoseconds();
  page->sounds_until = story_machine_nanoseconds() + PAUSE_NANOSECONDS;
}

int story_disk_is_full(void) { return skips && page->disk_is_full; }

/* Says on the page when the next timer is due. Called with the lock held. */
static void note_due(void) {
  int64_t due = 0;
  for (int descriptor = 0; descriptor < DESCRIPTORS; descriptor++) {
    struct timer *timer = &timers[descriptor];
    if (!timer_clock[descriptor] || !timer->is_set || timer->is_wall) continue;
    int64_t at = (int64_t)timer->spec.it_value.tv_sec * 1000000000 + timer->spec.it_value.tv_nsec;
    if (!due || at < due) due = at;
  }
  page->due_nanoseconds = due;
}

/* Sets the kernel's timer for a moment of the story's clock, by the machine's own. */
static int set_kernels(int descriptor, clockid_t clock, struct itimerspec spec) {
  spec.it_value = shifted(spec.it_value, -ahead(clock));
  /* What lies before the machine's own beginning is due at once; nought would disarm it. */
  if (spec.it_value.tv_sec < 0 || (spec.it_value.tv_sec == 0 && spec.it_value.tv_nsec == 0))
    spec.it_value = (struct timespec){.tv_nsec = 1};
  return real_settime(descriptor, TFD_TIMER_ABSTIME, &spec, NULL);
}

/* Arms the kernel's timer for what the gateway asked for. Called with the lock held. */
static int arm(int descriptor) {
  struct timer *timer = &timers[descriptor];
  if (timer->tells_steps) return 0;
  return set_kernels(descriptor, timer_clock[descriptor] - 1, timer->spec);
}

int timerfd_create(int clock, int flags) {
  find();
  int descriptor = real_create(clock, flags);
  if (descriptor >= 0 && descriptor < DESCRIPTORS) {
    pthread_mutex_lock(&lock);
    timer_clock[descriptor] = clock + 1;
    timers[descriptor] = (struct timer){0};
    pthread_mutex_unlock(&lock);
  }
  return descriptor;
}

int timerfd_settime(int descriptor, int flags, const struct itimerspec *spec, struct itimerspec *old) {
  find();
  if (!page || descriptor < 0 || descriptor >= DESCRIPTORS || !timer_clock[descriptor] ||
      !(flags & TFD_TIMER_ABSTIME))
    return real_settime(descriptor, flags, spec, old);
  if (!skips) {
    int waits = spec->it_value.tv_sec != 0 || spec->it_value.tv_nsec != 0;
    return waits && timer_clock[descriptor] == CLOCK_BOOTTIME + 1
               ? set_kernels(descriptor, CLOCK_BOOTTIME, *spec)
               : real_settime(descriptor, flags, spec, old);
  }
  pthread_mutex_lock(&lock);
  struct timer *timer = &timers[descriptor];
  timer->is_set = spec->it_value.tv_sec != 0 || spec->it_value.tv_nsec != 0;
  timer->is_wall = is_wall(timer_clock[descriptor] - 1);
  timer->tells_steps = (flags & TFD_TIMER_CANCEL_ON_SET) != 0;
  timer->spec = *spec;
  int answer = timer->is_set && !timer->tells_steps ? arm(descriptor)
                                                    : real_settime(descriptor, flags, spec, old);
  note_due();
  pthread_mutex_unlock(&lock);
  return answer;
}

int close(int descriptor) {
  find();
  if (descriptor >= 0 && descriptor < DESCRIPTORS && timer_clock[descriptor]) {
    pthread_mutex_lock(&lock);
    timer_clock[descriptor] = 0;
    timers[descriptor] = (struct timer){0};
    pthread_mutex_unlock(&lock);
  }
  return real_close(descriptor);
}

/* Makes a descriptor that waits for the wall clock to be set readable, as the kernel would. */
static void tell_step(int descriptor) {
  struct itimerspec now = {.it_value = {.tv_nsec = 1}};
  real_settime(descriptor, 0, &now, NULL);
}

static void *follow(void *unused) {
  (void)unused;
  uint32_t seen = page->leap, steps = page->wall_steps;
  page->followed = seen;
  for (;;) {
    syscall(SYS_futex, &page->leap, FUTEX_WAIT, seen, NULL, NULL, 0);
    uint32_t leap = page->leap;
    if (leap == seen) continue;
    seen = leap;
    int is_step = page->wall_steps != steps;
    steps = page->wall_steps;
    pthread_mutex_lock(&lock);
    for (int descriptor = 0; descriptor < DESCRIPTORS; descriptor++) {
      if (!timer_clock[descriptor] || !timers[descriptor].is_set) continue;
      if (!timers[descriptor].tells_steps) arm(descriptor);
      else if (is_step) tell_step(descriptor);
    }
    pthread_mutex_unlock(&lock);
    page->followed = leap;
    syscall(SYS_futex, &page->followed, FUTEX_WAKE, 64, NULL, NULL, 0);
  }
  return NULL;
}

__attribute__((constructor)) static void begin(void) {
  find();
  const char *path = getenv("HOMEWARD_STORY_CLOCK");
  int is_gateway = getenv("HOMEWARD_STORY_TIMERS") != NULL;
  int file = path ? open(path, (is_gateway ? O_RDWR : O_RDONLY) | O_CLOEXEC) : -1;
  if (file < 0) return;
  void *shared = mmap(NULL, sizeof *page, is_gateway ? PROT_READ | PROT_WRITE : PROT_READ, MAP_SHARED, file, 0);
  real_close(file);
  if (shared == MAP_FAILED) return;
  page = shared;
  skips = is_gateway;
  if (!skips) return;
  /* Signals are for the gateway's own threads. */
  sigset_t all, old;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &old);
  pthread_t thread;
  pthread_create(&thread, NULL, follow, NULL);
  pthread_detach(thread);
  pthread_sigmask(SIG_SETMASK, &old, NULL);
}

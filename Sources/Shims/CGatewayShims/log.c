#include "homeward_log.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "homeward_loop.h"

struct homeward_log {
  pthread_mutex_t lock;
  pthread_cond_t more; /* something to write */
  pthread_cond_t idle; /* nothing left to write */
  int descriptor;
  char prefix[32];
  char *ring;
  size_t capacity;
  size_t head;   /* where the oldest byte lies */
  size_t filled; /* bytes that wait, those being written included */
  uint64_t dropped;
  uint64_t untold;    /* of those, how many nobody has been told of */
  bool is_full;       /* dropping until everything before has left, so that the count stands in its place */
  bool has_thread;
  bool is_writing;
  int64_t writing_since; /* nanoseconds since boot */
  int error;
};

static struct homeward_log *drained_at_exit;
static int64_t exit_patience;

struct homeward_log *homeward_log_create(int descriptor, size_t capacity, const char *prefix) {
  struct homeward_log *log = calloc(1, sizeof *log);
  char *ring = malloc(capacity);
  if (!log || !ring) {
    free(log);
    free(ring);
    return NULL;
  }
  pthread_mutex_init(&log->lock, NULL);
  pthread_cond_init(&log->more, NULL);
  pthread_condattr_t monotonic;
  pthread_condattr_init(&monotonic);
  pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
  pthread_cond_init(&log->idle, &monotonic);
  pthread_condattr_destroy(&monotonic);
  log->descriptor = descriptor;
  log->ring = ring;
  log->capacity = capacity;
  snprintf(log->prefix, sizeof log->prefix, "%s", prefix);
  return log;
}

/* Writes everything, however long it takes; 0 or the errno. Called without the lock. */
static int write_whole(int descriptor, struct iovec *parts, int count) {
  while (count > 0) {
    ssize_t written = writev(descriptor, parts, count);
    if (written < 0) {
      if (errno == EINTR) continue;
      /* Whoever shares the descriptor has made it one that does not wait. */
      if (errno != EAGAIN) return errno;
      struct pollfd room = {.fd = descriptor, .events = POLLOUT};
      poll(&room, 1, -1);
      continue;
    }
    while (count > 0 && (size_t)written >= parts->iov_len) {
      written -= (ssize_t)parts->iov_len;
      parts++;
      count--;
    }
    if (count > 0) {
      parts->iov_base = (char *)parts->iov_base + written;
      parts->iov_len -= (size_t)written;
    }
  }
  return 0;
}

/* Writes without the lock, which the caller holds before and after. */
static int write_unlocked(struct homeward_log *log, struct iovec *parts, int count) {
  log->is_writing = true;
  log->writing_since = homeward_boottime_nanoseconds();
  pthread_mutex_unlock(&log->lock);
  int error = write_whole(log->descriptor, parts, count);
  pthread_mutex_lock(&log->lock);
  log->is_writing = false;
  log->error = error;
  return error;
}

static size_t first_line(const struct homeward_log *log) {
  size_t until_end = log->capacity - log->head;
  size_t first = log->filled < until_end ? log->filled : until_end;
  const char *end = memchr(log->ring + log->head, '\n', first);
  if (end) return (size_t)(end - (log->ring + log->head)) + 1;
  end = memchr(log->ring, '\n', log->filled - first);
  return end ? first + (size_t)(end - log->ring) + 1 : log->filled;
}

/* Nothing else moves the head, and what waits is not overwritten: it may be read without the lock. */
static void write_line(struct homeward_log *log) {
  size_t length = first_line(log);
  size_t until_end = log->capacity - log->head;
  size_t first = length < until_end ? length : until_end;
  struct iovec parts[2] = {{log->ring + log->head, first}, {log->ring, length - first}};
  if (write_unlocked(log, parts, length > first ? 2 : 1) != 0) {
    log->dropped++;
    log->untold++;
  }
  log->head = (log->head + length) % log->capacity;
  log->filled -= length;
  if (log->filled == 0) {
    log->head = 0; /* so that a quiet log touches one page of memory and not all */
    log->is_full = false;
  }
}

static void tell_dropped(struct homeward_log *log) {
  uint64_t count = log->untold;
  char text[128];
  int length = snprintf(text, sizeof text, "%s%llu %s dropped here: nobody took them in time\n", log->prefix,
                        (unsigned long long)count, count == 1 ? "line was" : "lines were");
  struct iovec part = {text, (size_t)length};
  if (write_unlocked(log, &part, 1) == 0) log->untold -= count;
}

static void *write_for_ever(void *argument) {
  struct homeward_log *log = argument;
  homeward_name_thread("log");
  pthread_mutex_lock(&log->lock);
  while (true) {
    /* Where writing fails, the next line is the next try: a full disk is not asked again and again. */
    bool mayTell = log->untold > 0 && !log->is_full && (log->error == 0 || log->filled > 0);
    if (mayTell) tell_dropped(log);
    if (log->filled > 0) {
      write_line(log);
    } else if (log->untold == 0 || log->error != 0) {
      pthread_cond_broadcast(&log->idle);
      pthread_cond_wait(&log->more, &log->lock);
    }
  }
  return NULL;
}

/* A system that has no more threads to give may have one later. */
static void start_thread(struct homeward_log *log) {
  pthread_attr_t small;
  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, 64 << 10);
  pthread_t thread;
  if (pthread_create(&thread, &small, write_for_ever, log) == 0) {
    pthread_detach(thread);
    log->has_thread = true;
  }
  pthread_attr_destroy(&small);
}

bool homeward_log_write(struct homeward_log *log, const void *line, size_t length) {
  const char *bytes = line;
  if (length == 0) return true;
  bool is_cut = length > log->capacity / 4;
  if (is_cut) length = log->capacity / 4;
  pthread_mutex_lock(&log->lock);
  if (!log->has_thread) start_thread(log);
  bool fits = !log->is_full && length <= log->capacity - log->filled;
  if (fits) {
    size_t tail = (log->head + log->filled) % log->capacity;
    size_t first = length < log->capacity - tail ? length : log->capacity - tail;
    memcpy(log->ring + tail, bytes, first);
    memcpy(log->ring, bytes + first, length - first);
    if (is_cut) log->ring[(tail + length - 1) % log->capacity] = '\n';
    log->filled += length;
    pthread_cond_signal(&log->more);
  } else {
    log->is_full = log->filled > 0;
    log->dropped++;
    log->untold++;
  }
  pthread_mutex_unlock(&log->lock);
  return fits;
}

struct homeward_log_state homeward_log_state_of(struct homeward_log *log) {
  pthread_mutex_lock(&log->lock);
  struct homeward_log_state state = {.dropped = log->dropped, .waiting_bytes = log->filled, .error = log->error};
  if (log->is_writing) state.stuck_milliseconds = (homeward_boottime_nanoseconds() - log->writing_since) / 1000000;
  pthread_mutex_unlock(&log->lock);
  return state;
}

bool homeward_log_drain(struct homeward_log *log, int64_t milliseconds) {
  struct timespec deadline;
  clock_gettime(CLOCK_MONOTONIC, &deadline);
  int64_t nanoseconds = deadline.tv_nsec + (milliseconds % 1000) * 1000000;
  deadline.tv_sec += milliseconds / 1000 + nanoseconds / 1000000000;
  deadline.tv_nsec = nanoseconds % 1000000000;
  pthread_mutex_lock(&log->lock);
  int failure = 0;
  while (log->has_thread && (log->filled > 0 || log->is_writing) && failure == 0) {
    failure = pthread_cond_timedwait(&log->idle, &log->lock, &deadline);
  }
  bool is_drained = log->filled == 0 && !log->is_writing;
  pthread_mutex_unlock(&log->lock);
  return is_drained;
}

static void drain_before_exit(void) { homeward_log_drain(drained_at_exit, exit_patience); }

void homeward_log_drain_at_exit(struct homeward_log *log, int64_t milliseconds) {
  drained_at_exit = log;
  exit_patience = milliseconds;
  atexit(drain_before_exit);
}

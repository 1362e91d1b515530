#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Lines for a descriptor that somebody else reads, or does not: a thread of its own writes them, so that nobody waits
   for a full pipe, a stopped journal or a disk that hangs. The descriptor itself is left as it is, for others may
   share it. What finds no room is dropped whole and counted, and the count is written where the lines are missing. */
struct homeward_log;

struct homeward_log_state {
  uint64_t dropped;           /* lines lost since the start */
  size_t waiting_bytes;       /* what has not been written yet */
  int64_t stuck_milliseconds; /* how long the write that goes on now has taken; 0 when none does */
  int error;                  /* errno of the last write when it failed, else 0 */
};

/* `capacity` bytes may wait. `prefix`, of at most 31 bytes, stands before the line that tells of dropped ones.
   NULL when there is no memory. */
struct homeward_log *homeward_log_create(int descriptor, size_t capacity, const char *prefix);

/* Takes one line with its newline, on any thread, and never waits for the descriptor. A line longer than a quarter of
   the capacity is cut. Answers whether it was taken. */
bool homeward_log_write(struct homeward_log *log, const void *line, size_t length);

struct homeward_log_state homeward_log_state_of(struct homeward_log *log);

/* Waits until everything is written or has failed, but no longer than that; answers whether it is. */
bool homeward_log_drain(struct homeward_log *log, int64_t milliseconds);

/* Drains when the process ends through exit(3), so that its last words are not lost. */
void homeward_log_drain_at_exit(struct homeward_log *log, int64_t milliseconds);

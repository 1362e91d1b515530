/* What a story and the gateway that it plays with share. */
#pragma once
#include <stdatomic.h>
#include <stdint.h>

/* The page that HOMEWARD_STORY_CLOCK names; clock.py has the same layout. */
struct page {
  _Atomic int64_t skipped_nanoseconds; /* added to the clocks that count since the start */
  _Atomic int64_t wall_nanoseconds;    /* added to the wall clock, the skipped time included */
  _Atomic uint32_t leap;               /* counted up after each change of the above */
  _Atomic uint32_t followed;           /* the leap that the gateway's timers have followed */
  _Atomic uint32_t is_synchronised;    /* whether network time vouches for the wall clock */
  _Atomic uint32_t wall_steps;         /* counted up when the wall clock was set, apart from time going on */
  _Atomic uint32_t disk_is_full;       /* whether the database finds no room */
  _Atomic uint32_t unused;
  _Atomic int64_t due_nanoseconds;     /* when the gateway's next timer is due, by its own clock; 0 for none */
  _Atomic int64_t sounds_until;        /* by the machine's own clock: until then the card plays something */
  _Atomic int64_t silent_since;        /* by the story's clock: when it last played something */
};

/* Nanoseconds of the machine's own steady clock, whatever the story skipped. */
int64_t story_machine_nanoseconds(void);

/* Says on the page that something sounds; gives the nanoseconds for which it was silent in the story, 0 when a sound only
   goes on. */
int64_t story_sounds(void);

/* Says on the page that nothing sounds any more, unless it goes on at once. */
void story_falls_silent(void);

/* Whether the page says that the disk is full. */
int story_disk_is_full(void);

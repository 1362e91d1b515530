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
  _Atomic uint32_t sounds;             /* whether the card plays something */
  _Atomic uint32_t disk_is_full;       /* whether the database finds no room */
  _Atomic int64_t due_nanoseconds;     /* when the gateway's next timer is due, by its own clock; 0 for none */
};

/* Nanoseconds of the machine's own steady clock, whatever the story skipped. */
int64_t story_machine_nanoseconds(void);

/* Says on the page whether something sounds. */
void story_sounds(int sounds);

/* Whether the page says that the disk is full. */
int story_disk_is_full(void);

#pragma once
#include <stdbool.h>
#include <stdint.h>

/* alsa-lib behind flat functions. One thread uses a card; nothing here waits longer than it says.
   Functions that answer an int answer a negative errno when they fail. alsa-lib's own messages are swallowed. */

struct homeward_pcm;

struct homeward_pcm_format {
  int32_t frames_per_second;
  int32_t channels;
  int32_t period_frames;
  int32_t buffer_frames;
};

/* Opens a playback device for 16 bits in native order, near 48,000 frames a second, with periods near 10 ms and a buffer
   near 40 ms, and prepares it. Fails with -EBUSY instead of waiting for another program. */
struct homeward_pcm *homeward_pcm_open(const char *name, struct homeward_pcm_format *format, int *error);
/* Hands in interleaved frames without waiting; answers how many were taken, -EAGAIN when there is no room. The first frames
   start the device. */
int homeward_pcm_write(struct homeward_pcm *pcm, const int16_t *frames, int count);
/* Brings the device back after -EPIPE (underrun) or -ESTRPIPE (suspend). */
int homeward_pcm_recover(struct homeward_pcm *pcm, int error);
/* Stops at once, drops what is still waiting, and prepares again. */
int homeward_pcm_rest(struct homeward_pcm *pcm);
/* 0 when the device is there in a state that can be written to; else what is wrong. */
int homeward_pcm_check(struct homeward_pcm *pcm);
void homeward_pcm_close(struct homeward_pcm *pcm);

#define HOMEWARD_PCM_WOKEN 1  /* the event descriptor is readable */
#define HOMEWARD_PCM_READY 2  /* there is room for frames */
#define HOMEWARD_PCM_BROKEN 4 /* the device is in error; see homeward_pcm_check */

/* Waits for the event descriptor, for room when wants_room, and for an error of the device; pcm may be NULL. Answers a set
   of the bits above, 0 after timeout_milliseconds (-1 for none). */
int homeward_pcm_wait(struct homeward_pcm *pcm, bool wants_room, int event, int timeout_milliseconds);

struct homeward_mixer;

/* Opens the mixer of a card, such as "hw:0" or "default". */
struct homeward_mixer *homeward_mixer_open(const char *card, int *error);
#define HOMEWARD_MIXER_CHANNELS 9 /* front left through rear centre and the low frequencies */

struct homeward_level {
  int64_t volume[HOMEWARD_MIXER_CHANNELS];
  int32_t is_on[HOMEWARD_MIXER_CHANNELS];
  bool has_volume;
  bool has_switch;
};
/* Sets the playback volume of a simple element to a share of its range and unmutes it; what each channel was goes to
   `kept`. -ENOENT when there is no such element. */
int homeward_mixer_raise(
    struct homeward_mixer *mixer, const char *element, int percent, struct homeward_level *kept);
/* Puts an element back to what it was. */
int homeward_mixer_restore(
    struct homeward_mixer *mixer, const char *element, const struct homeward_level *kept);
void homeward_mixer_close(struct homeward_mixer *mixer);

/* Gives the calling thread a real-time priority, or takes it away; answers false, and changes nothing, when that is not
   allowed. */
bool homeward_set_realtime(bool is_on);

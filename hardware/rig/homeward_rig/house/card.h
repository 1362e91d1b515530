/* What sound cards have in common that are plugins of the real alsa-lib and no hardware: the house's, and that of the
   tests of the loudspeaker. Each says by itself when a frame has been heard. */
#pragma once
#include <alsa/asoundlib.h>
#include <alsa/pcm_external.h>
#include <stdint.h>

enum { CARD_FRAMES_PER_SECOND = 48000, CARD_CHANNELS = 2 };

/* The first member of a card's own stream, which is its io.private_data. */
struct card_stream {
  snd_pcm_ioplug_t io;
  snd_pcm_uframes_t boundary;
};

/* The callback sw_params: after so many frames alsa-lib counts from 0 again. */
static inline int card_set_boundary(snd_pcm_ioplug_t *io, snd_pcm_sw_params_t *parameters) {
  struct card_stream *stream = io->private_data;
  return snd_pcm_sw_params_get_boundary(parameters, &stream->boundary);
}

/* What the callback pointer answers when so many frames have been heard since the stream was prepared. */
static inline snd_pcm_sframes_t card_position(const struct card_stream *stream, int64_t heard) {
  return stream->boundary ? heard % (snd_pcm_sframes_t)stream->boundary : heard;
}

/* Whether there is room for a period while so many frames wait to be heard. */
static inline int card_has_room(const struct card_stream *stream, int64_t waiting) {
  return (int64_t)stream->io.buffer_size - waiting >= (int64_t)stream->io.period_size;
}

/* Interleaved 16-bit frames, two channels, 48 kHz, buffers as small and as large as those of real cards. */
static inline int card_constrain(snd_pcm_ioplug_t *io) {
  static const unsigned access[] = {SND_PCM_ACCESS_RW_INTERLEAVED};
  static const unsigned format[] = {SND_PCM_FORMAT_S16};
  int error = snd_pcm_ioplug_set_param_list(io, SND_PCM_IOPLUG_HW_ACCESS, 1, access);
  if (!error) error = snd_pcm_ioplug_set_param_list(io, SND_PCM_IOPLUG_HW_FORMAT, 1, format);
  if (!error)
    error = snd_pcm_ioplug_set_param_minmax(io, SND_PCM_IOPLUG_HW_CHANNELS, CARD_CHANNELS, CARD_CHANNELS);
  if (!error)
    error = snd_pcm_ioplug_set_param_minmax(
        io, SND_PCM_IOPLUG_HW_RATE, CARD_FRAMES_PER_SECOND, CARD_FRAMES_PER_SECOND);
  if (!error) error = snd_pcm_ioplug_set_param_minmax(io, SND_PCM_IOPLUG_HW_PERIOD_BYTES, 256, 1 << 16);
  if (!error) error = snd_pcm_ioplug_set_param_minmax(io, SND_PCM_IOPLUG_HW_BUFFER_BYTES, 1024, 1 << 18);
  return error;
}

/* Makes the stream's alsa device, which is readable at `descriptor` when there is something to look at. */
static inline int card_create(
    struct card_stream *made, const char *title, int descriptor, const snd_pcm_ioplug_callback_t *callbacks,
    const char *name, snd_pcm_stream_t direction, int mode) {
  made->io.version = SND_PCM_IOPLUG_VERSION;
  made->io.name = title;
  made->io.flags = SND_PCM_IOPLUG_FLAG_BOUNDARY_WA;
  made->io.poll_fd = descriptor;
  made->io.poll_events = POLLIN;
  made->io.callback = callbacks;
  made->io.private_data = made;
  int error = snd_pcm_ioplug_create(&made->io, name, direction, mode);
  return error ? error : card_constrain(&made->io);
}

/* The frame of that number among those that a transfer hands in; its channels lie one after the other. */
static inline const int16_t *card_frame(const snd_pcm_channel_area_t *areas, snd_pcm_uframes_t number) {
  return (const int16_t *)((const char *)areas->addr + areas->first / 8 + number * areas->step / 8);
}

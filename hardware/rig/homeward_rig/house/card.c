/* The house's sound card, as a plugin of the real alsa-lib: it takes what is played sixteen times as fast as it would
   sound, so that a story need not wait for a ringtone, and says on the story's page whether something sounds. Nobody
   hears it: what is audible is for the virtual machine to measure. */
#include <alsa/asoundlib.h>
#include <alsa/pcm_external.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "page.h"

enum { FRAMES_PER_SECOND = 48000, HASTE = 16, LOOK_MILLISECONDS = 5 };

struct stream {
  snd_pcm_ioplug_t io;
  int64_t written, heard;
  int64_t looked; /* nanoseconds of the machine's own clock */
  snd_pcm_uframes_t boundary;
};

/* Lets sound what has been handed in, as far as time has gone. */
static void hear(struct stream *stream) {
  int64_t now = story_machine_nanoseconds();
  int64_t frames = (now - stream->looked) * FRAMES_PER_SECOND / 1000000 * HASTE / 1000;
  if (frames > 0) stream->looked = now;
  stream->heard = stream->heard + frames < stream->written ? stream->heard + frames : stream->written;
  story_sounds(stream->heard < stream->written);
}

static snd_pcm_sframes_t pointer(snd_pcm_ioplug_t *io) {
  struct stream *stream = io->private_data;
  hear(stream);
  return stream->boundary ? stream->heard % (snd_pcm_sframes_t)stream->boundary : stream->heard;
}

static snd_pcm_sframes_t transfer(
    snd_pcm_ioplug_t *io, const snd_pcm_channel_area_t *areas, snd_pcm_uframes_t offset, snd_pcm_uframes_t size) {
  struct stream *stream = io->private_data;
  (void)areas;
  (void)offset;
  hear(stream);
  stream->written += (int64_t)size;
  story_sounds(1);
  return (snd_pcm_sframes_t)size;
}

static int start(snd_pcm_ioplug_t *io) {
  struct stream *stream = io->private_data;
  stream->looked = story_machine_nanoseconds();
  return 0;
}

static int restart(snd_pcm_ioplug_t *io) {
  struct stream *stream = io->private_data;
  stream->written = stream->heard = 0;
  stream->looked = story_machine_nanoseconds();
  story_sounds(0);
  return 0;
}

static int set_boundary(snd_pcm_ioplug_t *io, snd_pcm_sw_params_t *parameters) {
  struct stream *stream = io->private_data;
  return snd_pcm_sw_params_get_boundary(parameters, &stream->boundary);
}

static int revents(snd_pcm_ioplug_t *io, struct pollfd *pfd, unsigned count, unsigned short *events) {
  struct stream *stream = io->private_data;
  uint64_t looks;
  (void)count;
  if (read(pfd->fd, &looks, sizeof looks) < 0) looks = 0;
  hear(stream);
  *events = pfd->revents & (POLLERR | POLLHUP | POLLNVAL);
  if ((int64_t)io->buffer_size - (stream->written - stream->heard) >= (int64_t)io->period_size) *events |= POLLOUT;
  return 0;
}

static int close_stream(snd_pcm_ioplug_t *io) {
  struct stream *stream = io->private_data;
  story_sounds(0);
  close(io->poll_fd);
  free(stream);
  return 0;
}

static const snd_pcm_ioplug_callback_t callbacks = {
    .start = start,
    .stop = restart,
    .prepare = restart,
    .pointer = pointer,
    .transfer = transfer,
    .sw_params = set_boundary,
    .poll_revents = revents,
    .close = close_stream,
};

static int constrain(snd_pcm_ioplug_t *io) {
  static const unsigned access[] = {SND_PCM_ACCESS_RW_INTERLEAVED};
  static const unsigned format[] = {SND_PCM_FORMAT_S16};
  int error = snd_pcm_ioplug_set_param_list(io, SND_PCM_IOPLUG_HW_ACCESS, 1, access);
  if (!error) error = snd_pcm_ioplug_set_param_list(io, SND_PCM_IOPLUG_HW_FORMAT, 1, format);
  if (!error) error = snd_pcm_ioplug_set_param_minmax(io, SND_PCM_IOPLUG_HW_CHANNELS, 2, 2);
  if (!error)
    error = snd_pcm_ioplug_set_param_minmax(io, SND_PCM_IOPLUG_HW_RATE, FRAMES_PER_SECOND, FRAMES_PER_SECOND);
  if (!error) error = snd_pcm_ioplug_set_param_minmax(io, SND_PCM_IOPLUG_HW_PERIOD_BYTES, 256, 1 << 16);
  if (!error) error = snd_pcm_ioplug_set_param_minmax(io, SND_PCM_IOPLUG_HW_BUFFER_BYTES, 1024, 1 << 18);
  return error;
}

SND_PCM_PLUGIN_DEFINE_FUNC(homewardhouse) {
  (void)root;
  (void)conf;
  int timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
  if (timer < 0) return -errno;
  struct timespec look = {.tv_nsec = LOOK_MILLISECONDS * 1000000};
  timerfd_settime(timer, 0, &(struct itimerspec){look, look}, NULL);
  struct stream *made = calloc(1, sizeof *made);
  made->io.version = SND_PCM_IOPLUG_VERSION;
  made->io.name = "The house's sound card";
  made->io.flags = SND_PCM_IOPLUG_FLAG_BOUNDARY_WA;
  made->io.poll_fd = timer;
  made->io.poll_events = POLLIN;
  made->io.callback = &callbacks;
  made->io.private_data = made;
  made->looked = story_machine_nanoseconds();
  int error = snd_pcm_ioplug_create(&made->io, name, stream, mode);
  if (!error) error = constrain(&made->io);
  if (!error) *pcmp = made->io.pcm;
  return error;
}
SND_PCM_PLUGIN_SYMBOL(homewardhouse);

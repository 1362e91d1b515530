/* The house's sound card: it takes what is played sixteen times as fast as it would sound, so that a story need not wait
   for a ringtone, and says on the story's page whether something sounds. What sounded is added to the story's recording of
   the room: a sound as long as it is, the silence between two as long as it was in the story, a minute at most. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "card.h"
#include "page.h"

enum { HASTE = 16, LOOK_MILLISECONDS = 5, LONGEST_SILENCE_SECONDS = 60, KEPT_FRAMES = 1 << 16 };
enum { FRAME_BYTES = CARD_CHANNELS * sizeof(int16_t) };

struct stream {
  struct card_stream card;
  int64_t written, heard;
  int64_t looked; /* nanoseconds of the machine's own clock */
  int recording;
  int is_looking; /* whether the timer goes */
  int16_t kept[KEPT_FRAMES * CARD_CHANNELS]; /* frames by their number; a buffer is not larger */
};

/* Adds frames to the recording. A disk that takes none is no reason for a card to stop. */
static void record(struct stream *stream, int64_t from, int64_t count) {
  while (count > 0) {
    int64_t place = from % KEPT_FRAMES;
    int64_t whole = count < KEPT_FRAMES - place ? count : KEPT_FRAMES - place;
    if (write(stream->recording, &stream->kept[place * CARD_CHANNELS], (size_t)whole * FRAME_BYTES) < 0) return;
    from += whole;
    count -= whole;
  }
}

/* Adds the silence since the last sound, of which only its length takes room on a disk. */
static void record_silence(struct stream *stream, int64_t nanoseconds) {
  int64_t longest = LONGEST_SILENCE_SECONDS * INT64_C(1000000000);
  if (nanoseconds > longest) nanoseconds = longest;
  struct stat told;
  if (nanoseconds <= 0 || fstat(stream->recording, &told) < 0) return;
  int64_t frames = nanoseconds / 1000 * CARD_FRAMES_PER_SECOND / 1000000;
  if (ftruncate(stream->recording, told.st_size + frames * FRAME_BYTES) < 0) return;
}

/* Looks every few milliseconds while something waits to be heard. A card that never rests would keep the story from seeing
   that the daemon does. */
static void look(struct stream *stream, int is_looking) {
  if (stream->is_looking == is_looking) return;
  stream->is_looking = is_looking;
  struct timespec pause = {.tv_nsec = is_looking ? LOOK_MILLISECONDS * 1000000 : 0};
  timerfd_settime(stream->card.io.poll_fd, 0, &(struct itimerspec){pause, pause}, NULL);
}

/* Lets sound what has been handed in, as far as time has gone. */
static void hear(struct stream *stream) {
  int64_t now = story_machine_nanoseconds();
  int64_t frames = (now - stream->looked) * CARD_FRAMES_PER_SECOND / 1000000 * HASTE / 1000;
  if (frames > 0) stream->looked = now;
  int64_t heard = stream->heard + frames < stream->written ? stream->heard + frames : stream->written;
  if (stream->recording >= 0) record(stream, stream->heard, heard - stream->heard);
  int has_sounded = heard > stream->heard;
  stream->heard = heard;
  if (has_sounded && heard == stream->written) story_falls_silent();
  look(stream, heard < stream->written);
}

static snd_pcm_sframes_t pointer(snd_pcm_ioplug_t *io) {
  struct stream *stream = io->private_data;
  hear(stream);
  return card_position(&stream->card, stream->heard);
}

static snd_pcm_sframes_t transfer(
    snd_pcm_ioplug_t *io, const snd_pcm_channel_area_t *areas, snd_pcm_uframes_t offset, snd_pcm_uframes_t size) {
  struct stream *stream = io->private_data;
  hear(stream);
  int64_t silence = story_sounds();
  if (stream->recording >= 0) record_silence(stream, silence);
  for (snd_pcm_uframes_t number = 0; number < size; number++) {
    int64_t place = (stream->written + (int64_t)number) % KEPT_FRAMES * CARD_CHANNELS;
    for (int channel = 0; channel < CARD_CHANNELS; channel++)
      stream->kept[place + channel] = card_frame(areas, offset + number)[channel];
  }
  stream->written += (int64_t)size;
  look(stream, 1);
  return (snd_pcm_sframes_t)size;
}

static int start(snd_pcm_ioplug_t *io) {
  struct stream *stream = io->private_data;
  stream->looked = story_machine_nanoseconds();
  return 0;
}

static int restart(snd_pcm_ioplug_t *io) {
  struct stream *stream = io->private_data;
  if (stream->heard < stream->written) story_falls_silent();
  stream->written = stream->heard = 0;
  stream->looked = story_machine_nanoseconds();
  look(stream, 0);
  return 0;
}

static int revents(snd_pcm_ioplug_t *io, struct pollfd *pfd, unsigned count, unsigned short *events) {
  struct stream *stream = io->private_data;
  uint64_t looks;
  (void)count;
  if (read(pfd->fd, &looks, sizeof looks) < 0) looks = 0;
  hear(stream);
  *events = pfd->revents & (POLLERR | POLLHUP | POLLNVAL);
  if (card_has_room(&stream->card, stream->written - stream->heard)) *events |= POLLOUT;
  return 0;
}

static int close_stream(snd_pcm_ioplug_t *io) {
  struct stream *stream = io->private_data;
  if (stream->heard < stream->written) story_falls_silent();
  close(io->poll_fd);
  if (stream->recording >= 0) close(stream->recording);
  free(stream);
  return 0;
}

static const snd_pcm_ioplug_callback_t callbacks = {
    .start = start,
    .stop = restart,
    .prepare = restart,
    .pointer = pointer,
    .transfer = transfer,
    .sw_params = card_set_boundary,
    .poll_revents = revents,
    .close = close_stream,
};

SND_PCM_PLUGIN_DEFINE_FUNC(homewardhouse) {
  (void)root;
  (void)conf;
  int timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
  if (timer < 0) return -errno;
  const char *room = getenv("HOMEWARD_STORY_ROOM");
  struct stream *made = calloc(1, sizeof *made);
  made->recording = room ? open(room, O_WRONLY | O_APPEND | O_CLOEXEC) : -1;
  made->looked = story_machine_nanoseconds();
  int error = card_create(&made->card, "The house's sound card", timer, &callbacks, name, stream, mode);
  if (!error) *pcmp = made->card.io.pcm;
  return error;
}
SND_PCM_PLUGIN_SYMBOL(homewardhouse);

/* Sound cards for tests: they hear as many frames as they are allowed to, are pulled out, are busy and stumble when a test
   says so. A test finds the functions at the end through dlsym. What they share with the card of the rig's house is in its
   card.h. */
#include <alsa/asoundlib.h>
#include <alsa/control_external.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "card.h"

struct card {
  char name[64];
  struct card *next;
  int16_t *frames; /* handed in; those up to `heard` have sounded */
  int64_t written, room, heard, allowed, base;
  bool is_gone, is_busy;
  int trouble; /* errno of the next transfer */
  int sockets[2];
  int opened;
  long volume, is_on;
  int volume_trouble;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct card *cards;

static struct card *find(const char *name) {
  for (struct card *card = cards; card; card = card->next)
    if (!strcmp(card->name, name)) return card;
  struct card *card = calloc(1, sizeof *card);
  strncpy(card->name, name, sizeof card->name - 1);
  card->sockets[0] = card->sockets[1] = -1;
  card->volume = 30;
  card->next = cards;
  return cards = card;
}

static void ring(struct card *card) {
  if (card->sockets[1] >= 0) (void)send(card->sockets[1], "x", 1, MSG_DONTWAIT | MSG_NOSIGNAL);
}

static void hear(struct card *card) {
  card->heard = card->allowed < card->written ? card->allowed : card->written;
}

struct stream {
  struct card_stream common;
  struct card *card;
};

static snd_pcm_sframes_t pointer(snd_pcm_ioplug_t *io) {
  struct stream *stream = io->private_data;
  pthread_mutex_lock(&lock);
  snd_pcm_sframes_t answer = stream->card->heard - stream->card->base;
  if (stream->card->is_gone) answer = -ENODEV;
  if (stream->card->trouble == EPIPE) {
    answer = -EPIPE;
    stream->card->trouble = 0;
  }
  pthread_mutex_unlock(&lock);
  return answer < 0 ? answer : card_position(&stream->common, answer);
}

static snd_pcm_sframes_t transfer(
    snd_pcm_ioplug_t *io, const snd_pcm_channel_area_t *areas, snd_pcm_uframes_t offset,
    snd_pcm_uframes_t size) {
  struct stream *stream = io->private_data;
  struct card *card = stream->card;
  pthread_mutex_lock(&lock);
  int error = card->is_gone ? ENODEV : card->trouble;
  card->trouble = 0;
  for (snd_pcm_uframes_t index = 0; !error && index < size; index++) {
    if (card->written == card->room) {
      card->room = card->room ? 2 * card->room : 48000;
      card->frames = realloc(card->frames, (size_t)card->room * sizeof *card->frames);
    }
    card->frames[card->written++] = card_frame(areas, offset + index)[0];
  }
  hear(card);
  pthread_mutex_unlock(&lock);
  return error ? -error : (snd_pcm_sframes_t)size;
}

static int restart(snd_pcm_ioplug_t *io) {
  struct stream *stream = io->private_data;
  pthread_mutex_lock(&lock);
  stream->card->written = stream->card->base = stream->card->heard;
  ring(stream->card);
  int error = stream->card->is_gone ? -ENODEV : 0;
  pthread_mutex_unlock(&lock);
  return error;
}

static int start(snd_pcm_ioplug_t *io) {
  (void)io;
  return 0;
}

static int revents(snd_pcm_ioplug_t *io, struct pollfd *pfd, unsigned count, unsigned short *events) {
  struct stream *stream = io->private_data;
  (void)count;
  *events = pfd->revents & (POLLERR | POLLHUP | POLLNVAL);
  pthread_mutex_lock(&lock);
  struct card *card = stream->card;
  if (card_has_room(&stream->common, card->written - card->heard)) {
    *events |= POLLOUT;
  } else {
    char drained[256];
    while (recv(card->sockets[0], drained, sizeof drained, MSG_DONTWAIT) > 0) {}
  }
  pthread_mutex_unlock(&lock);
  return 0;
}

static int close_stream(snd_pcm_ioplug_t *io) {
  struct stream *stream = io->private_data;
  pthread_mutex_lock(&lock);
  stream->card->opened--;
  for (int index = 0; index < 2; index++) {
    if (stream->card->sockets[index] >= 0) close(stream->card->sockets[index]);
    stream->card->sockets[index] = -1;
  }
  pthread_mutex_unlock(&lock);
  free(stream);
  return 0;
}

static const snd_pcm_ioplug_callback_t stream_callbacks = {
    .start = start,
    .stop = restart,
    .prepare = restart,
    .pointer = pointer,
    .transfer = transfer,
    .sw_params = card_set_boundary,
    .poll_revents = revents,
    .close = close_stream,
};

static const char *card_name(snd_config_t *configuration) {
  snd_config_t *entry;
  const char *name;
  if (snd_config_search(configuration, "name", &entry) < 0) return "";
  return snd_config_get_string(entry, &name) < 0 ? "" : name;
}

SND_PCM_PLUGIN_DEFINE_FUNC(homewardtest) {
  (void)root;
  pthread_mutex_lock(&lock);
  struct card *card = find(card_name(conf));
  int error = card->is_gone ? -ENODEV : card->is_busy ? -EBUSY : 0;
  if (!error && socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, card->sockets) < 0) error = -errno;
  if (!error) card->opened++;
  ring(card);
  pthread_mutex_unlock(&lock);
  if (error) return error;
  struct stream *made = calloc(1, sizeof *made);
  made->card = card;
  error = card_create(
      &made->common, "Homeward test card", card->sockets[0], &stream_callbacks, name, stream, mode);
  if (!error) *pcmp = made->common.io.pcm;
  return error;
}
SND_PCM_PLUGIN_SYMBOL(homewardtest);

/* The mixer: "Master" with a volume from 0 to 200 and a switch. */

static int elements(snd_ctl_ext_t *ext) {
  (void)ext;
  return 2;
}

static int list(snd_ctl_ext_t *ext, unsigned offset, snd_ctl_elem_id_t *id) {
  (void)ext;
  snd_ctl_elem_id_set_interface(id, SND_CTL_ELEM_IFACE_MIXER);
  snd_ctl_elem_id_set_name(id, offset ? "Master Playback Switch" : "Master Playback Volume");
  return 0;
}

static snd_ctl_ext_key_t find_element(snd_ctl_ext_t *ext, const snd_ctl_elem_id_t *id) {
  (void)ext;
  const char *name = snd_ctl_elem_id_get_name(id);
  if (!strcmp(name, "Master Playback Volume")) return 0;
  return strcmp(name, "Master Playback Switch") ? SND_CTL_EXT_KEY_NOT_FOUND : 1;
}

static int attribute(
    snd_ctl_ext_t *ext, snd_ctl_ext_key_t key, int *type, unsigned *access, unsigned *count) {
  (void)ext;
  *type = key ? SND_CTL_ELEM_TYPE_BOOLEAN : SND_CTL_ELEM_TYPE_INTEGER;
  *access = SND_CTL_EXT_ACCESS_READWRITE;
  *count = 1;
  return 0;
}

static int range(snd_ctl_ext_t *ext, snd_ctl_ext_key_t key, long *low, long *high, long *step) {
  (void)ext;
  *low = 0;
  *high = key ? 1 : 200;
  *step = 1;
  return 0;
}

static int read_element(snd_ctl_ext_t *ext, snd_ctl_ext_key_t key, long *value) {
  struct card *card = ext->private_data;
  pthread_mutex_lock(&lock);
  *value = key ? card->is_on : card->volume;
  pthread_mutex_unlock(&lock);
  return 0;
}

static int write_element(snd_ctl_ext_t *ext, snd_ctl_ext_key_t key, long *value) {
  struct card *card = ext->private_data;
  pthread_mutex_lock(&lock);
  int error = card->volume_trouble;
  if (!error && key) card->is_on = *value;
  if (!error && !key) card->volume = *value;
  pthread_mutex_unlock(&lock);
  return error ? -error : 1;
}

static int no_event(snd_ctl_ext_t *ext, snd_ctl_elem_id_t *id, unsigned *mask) {
  (void)ext;
  (void)id;
  (void)mask;
  return -EAGAIN;
}

static void close_mixer(snd_ctl_ext_t *ext) { free(ext); }

static const snd_ctl_ext_callback_t mixer_callbacks = {
    .close = close_mixer,
    .elem_count = elements,
    .elem_list = list,
    .find_elem = find_element,
    .get_attribute = attribute,
    .get_integer_info = range,
    .read_integer = read_element,
    .write_integer = write_element,
    .read_event = no_event,
};

SND_CTL_PLUGIN_DEFINE_FUNC(homewardtest) {
  (void)root;
  snd_ctl_ext_t *ext = calloc(1, sizeof *ext);
  ext->version = SND_CTL_EXT_VERSION;
  strcpy(ext->id, "test");
  strcpy(ext->name, "Homeward test card");
  ext->poll_fd = -1;
  ext->callback = &mixer_callbacks;
  pthread_mutex_lock(&lock);
  ext->private_data = find(card_name(conf));
  pthread_mutex_unlock(&lock);
  int error = snd_ctl_ext_create(ext, name, mode);
  if (!error) *handlep = ext->handle;
  return error;
}
SND_CTL_PLUGIN_SYMBOL(homewardtest);

/* What a test calls. */

void card_allow(const char *name, int64_t frames) {
  pthread_mutex_lock(&lock);
  struct card *card = find(name);
  card->allowed = frames > INT64_MAX - card->allowed ? INT64_MAX : card->allowed + frames;
  hear(card);
  ring(card);
  pthread_mutex_unlock(&lock);
}

void card_set_gone(const char *name, bool is_gone) {
  pthread_mutex_lock(&lock);
  struct card *card = find(name);
  card->is_gone = is_gone;
  if (is_gone && card->sockets[1] >= 0) shutdown(card->sockets[1], SHUT_RDWR);
  pthread_mutex_unlock(&lock);
}

void card_set_busy(const char *name, bool is_busy) {
  pthread_mutex_lock(&lock);
  find(name)->is_busy = is_busy;
  pthread_mutex_unlock(&lock);
}

void card_trouble(const char *name, int error) {
  pthread_mutex_lock(&lock);
  find(name)->trouble = error;
  pthread_mutex_unlock(&lock);
}

int64_t card_written(const char *name) {
  pthread_mutex_lock(&lock);
  int64_t written = find(name)->written;
  pthread_mutex_unlock(&lock);
  return written;
}

int64_t card_heard(const char *name) {
  pthread_mutex_lock(&lock);
  int64_t heard = find(name)->heard;
  pthread_mutex_unlock(&lock);
  return heard;
}

void card_copy(const char *name, int16_t *frames, int64_t count) {
  pthread_mutex_lock(&lock);
  if (count > 0) memcpy(frames, find(name)->frames, (size_t)count * sizeof *frames);
  pthread_mutex_unlock(&lock);
}

int64_t card_opened(const char *name) {
  pthread_mutex_lock(&lock);
  int64_t opened = find(name)->opened;
  pthread_mutex_unlock(&lock);
  return opened;
}

void card_mixer(const char *name, int64_t *volume, int64_t *is_on) {
  pthread_mutex_lock(&lock);
  *volume = find(name)->volume;
  *is_on = find(name)->is_on;
  pthread_mutex_unlock(&lock);
}

void card_volume_trouble(const char *name, int error) {
  pthread_mutex_lock(&lock);
  find(name)->volume_trouble = error;
  pthread_mutex_unlock(&lock);
}

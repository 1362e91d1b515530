#include "homeward_alsa.h"

#include <alsa/asoundlib.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

#define DESCRIPTORS_MAX 16

struct homeward_pcm {
  snd_pcm_t *handle;
};

struct homeward_mixer {
  snd_mixer_t *handle;
};

static void swallow(const char *file, int line, const char *function, int error, const char *format, ...) {
  (void)file;
  (void)line;
  (void)function;
  (void)error;
  (void)format;
}

static void install_handler(void) { snd_lib_error_set_handler(swallow); }

/* alsa-lib keeps the handler in one variable for the whole process. */
static void be_quiet(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, install_handler);
}


static int set_hardware(snd_pcm_t *pcm, struct homeward_pcm_format *format) {
  snd_pcm_hw_params_t *parameters;
  if (snd_pcm_hw_params_malloc(&parameters) < 0) return -ENOMEM;
  unsigned rate = 48000, channels = 1;
  int direction = 0;
  int error = snd_pcm_hw_params_any(pcm, parameters);
  if (error >= 0) error = snd_pcm_hw_params_set_access(pcm, parameters, SND_PCM_ACCESS_RW_INTERLEAVED);
  if (error >= 0) error = snd_pcm_hw_params_set_format(pcm, parameters, SND_PCM_FORMAT_S16);
  if (error >= 0) error = snd_pcm_hw_params_set_channels_near(pcm, parameters, &channels);
  if (error >= 0) error = snd_pcm_hw_params_set_rate_near(pcm, parameters, &rate, &direction);
  snd_pcm_uframes_t period = rate / 100, buffer = 4 * period;
  direction = 0;
  if (error >= 0) error = snd_pcm_hw_params_set_period_size_near(pcm, parameters, &period, &direction);
  if (error >= 0) error = snd_pcm_hw_params_set_buffer_size_near(pcm, parameters, &buffer);
  if (error >= 0) error = snd_pcm_hw_params(pcm, parameters);
  snd_pcm_hw_params_free(parameters);
  if (error < 0) return error;
  if (channels < 1 || channels > 8 || rate < 8000 || rate > 384000 || period < 1) return -EINVAL;
  format->frames_per_second = (int32_t)rate;
  format->channels = (int32_t)channels;
  format->period_frames = (int32_t)period;
  format->buffer_frames = (int32_t)buffer;
  return 0;
}

static int set_software(snd_pcm_t *pcm, const struct homeward_pcm_format *format) {
  snd_pcm_sw_params_t *parameters;
  if (snd_pcm_sw_params_malloc(&parameters) < 0) return -ENOMEM;
  int error = snd_pcm_sw_params_current(pcm, parameters);
  if (error >= 0) error = snd_pcm_sw_params_set_start_threshold(pcm, parameters, 1);
  if (error >= 0)
    error = snd_pcm_sw_params_set_avail_min(pcm, parameters, (snd_pcm_uframes_t)format->period_frames);
  if (error >= 0) error = snd_pcm_sw_params(pcm, parameters);
  snd_pcm_sw_params_free(parameters);
  return error;
}

struct homeward_pcm *homeward_pcm_open(const char *name, struct homeward_pcm_format *format, int *error) {
  be_quiet();
  struct homeward_pcm *pcm = calloc(1, sizeof *pcm);
  if (!pcm) {
    *error = -ENOMEM;
    return NULL;
  }
  *error = snd_pcm_open(&pcm->handle, name, SND_PCM_STREAM_PLAYBACK, SND_PCM_NONBLOCK);
  if (*error < 0) {
    free(pcm);
    return NULL;
  }
  *error = set_hardware(pcm->handle, format);
  if (*error >= 0) *error = set_software(pcm->handle, format);
  if (*error >= 0) *error = snd_pcm_prepare(pcm->handle);
  if (*error < 0) {
    homeward_pcm_close(pcm);
    return NULL;
  }
  return pcm;
}

int homeward_pcm_write(struct homeward_pcm *pcm, const int16_t *frames, int count) {
  return (int)snd_pcm_writei(pcm->handle, frames, (snd_pcm_uframes_t)count);
}

int homeward_pcm_recover(struct homeward_pcm *pcm, int error) {
  /* After a suspend some drivers cannot resume; prepare is what helps then, and it costs one period. */
  if (error == -ESTRPIPE && snd_pcm_resume(pcm->handle) == 0) return 0;
  return snd_pcm_prepare(pcm->handle);
}

int homeward_pcm_rest(struct homeward_pcm *pcm) {
  int error = snd_pcm_drop(pcm->handle);
  return error < 0 ? error : snd_pcm_prepare(pcm->handle);
}

int homeward_pcm_check(struct homeward_pcm *pcm) {
  switch (snd_pcm_state(pcm->handle)) {
  case SND_PCM_STATE_DISCONNECTED: return -ENODEV;
  case SND_PCM_STATE_XRUN: return -EPIPE;
  case SND_PCM_STATE_SUSPENDED: return -ESTRPIPE;
  default: break;
  }
  snd_pcm_sframes_t room = snd_pcm_avail(pcm->handle);
  return room < 0 ? (int)room : 0;
}

void homeward_pcm_close(struct homeward_pcm *pcm) {
  snd_pcm_close(pcm->handle);
  free(pcm);
}

int homeward_pcm_wait(struct homeward_pcm *pcm, bool wants_room, int event, int timeout_milliseconds) {
  struct pollfd descriptors[DESCRIPTORS_MAX + 1] = {{.fd = event, .events = POLLIN}};
  int count = pcm ? snd_pcm_poll_descriptors(pcm->handle, descriptors + 1, DESCRIPTORS_MAX) : 0;
  if (count < 0) return HOMEWARD_PCM_BROKEN;
  /* Without interest in room only errors are told, so that a resting card wakes nobody. */
  for (int index = 1; index <= count && !wants_room; index++) descriptors[index].events = 0;
  int ready = poll(descriptors, (nfds_t)count + 1, timeout_milliseconds);
  if (ready <= 0) return 0;
  int answer = descriptors[0].revents ? HOMEWARD_PCM_WOKEN : 0;
  bool is_touched = false;
  for (int index = 1; index <= count; index++) is_touched |= descriptors[index].revents != 0;
  if (!is_touched) return answer;
  unsigned short events = 0;
  if (snd_pcm_poll_descriptors_revents(pcm->handle, descriptors + 1, (unsigned)count, &events) < 0)
    return answer | HOMEWARD_PCM_BROKEN;
  if (events & (POLLERR | POLLHUP | POLLNVAL)) answer |= HOMEWARD_PCM_BROKEN;
  if (wants_room && (events & POLLOUT)) answer |= HOMEWARD_PCM_READY;
  return answer;
}

struct homeward_mixer *homeward_mixer_open(const char *card, int *error) {
  be_quiet();
  struct homeward_mixer *mixer = calloc(1, sizeof *mixer);
  if (!mixer) {
    *error = -ENOMEM;
    return NULL;
  }
  *error = snd_mixer_open(&mixer->handle, 0);
  if (*error < 0) {
    free(mixer);
    return NULL;
  }
  *error = snd_mixer_attach(mixer->handle, card);
  if (*error >= 0) *error = snd_mixer_selem_register(mixer->handle, NULL, NULL);
  if (*error >= 0) *error = snd_mixer_load(mixer->handle);
  if (*error < 0) {
    homeward_mixer_close(mixer);
    return NULL;
  }
  return mixer;
}

static snd_mixer_elem_t *find(struct homeward_mixer *mixer, const char *name) {
  snd_mixer_selem_id_t *id;
  if (snd_mixer_selem_id_malloc(&id) < 0) return NULL;
  snd_mixer_selem_id_set_index(id, 0);
  snd_mixer_selem_id_set_name(id, name);
  snd_mixer_elem_t *element = snd_mixer_find_selem(mixer->handle, id);
  snd_mixer_selem_id_free(id);
  return element;
}

static int keep(snd_mixer_elem_t *element, struct homeward_level *kept) {
  for (int channel = 0; channel < HOMEWARD_MIXER_CHANNELS; channel++) {
    if (!snd_mixer_selem_has_playback_channel(element, (snd_mixer_selem_channel_id_t)channel)) continue;
    long volume = 0;
    int is_on = 1, error = 0;
    if (kept->has_volume) error = snd_mixer_selem_get_playback_volume(element, channel, &volume);
    if (error >= 0 && kept->has_switch)
      error = snd_mixer_selem_get_playback_switch(element, channel, &is_on);
    if (error < 0) return error;
    kept->volume[channel] = volume;
    kept->is_on[channel] = is_on;
  }
  return 0;
}

int homeward_mixer_raise(
    struct homeward_mixer *mixer, const char *name, int percent, struct homeward_level *kept) {
  snd_mixer_handle_events(mixer->handle);
  snd_mixer_elem_t *element = find(mixer, name);
  if (!element) return -ENOENT;
  kept->has_volume = snd_mixer_selem_has_playback_volume(element);
  kept->has_switch = snd_mixer_selem_has_playback_switch(element);
  if (!kept->has_volume && !kept->has_switch) return -ENOENT;
  int error = keep(element, kept);
  if (error >= 0 && kept->has_volume) {
    long low = 0, high = 0;
    snd_mixer_selem_get_playback_volume_range(element, &low, &high);
    error = snd_mixer_selem_set_playback_volume_all(element, low + (high - low) * percent / 100);
  }
  if (error >= 0 && kept->has_switch) error = snd_mixer_selem_set_playback_switch_all(element, 1);
  return error;
}

int homeward_mixer_restore(
    struct homeward_mixer *mixer, const char *name, const struct homeward_level *kept) {
  snd_mixer_handle_events(mixer->handle);
  snd_mixer_elem_t *element = find(mixer, name);
  if (!element) return -ENOENT;
  int error = 0;
  for (int channel = 0; channel < HOMEWARD_MIXER_CHANNELS && error >= 0; channel++) {
    if (!snd_mixer_selem_has_playback_channel(element, (snd_mixer_selem_channel_id_t)channel)) continue;
    if (kept->has_volume)
      error = snd_mixer_selem_set_playback_volume(element, channel, (long)kept->volume[channel]);
    if (error >= 0 && kept->has_switch)
      error = snd_mixer_selem_set_playback_switch(element, channel, kept->is_on[channel]);
  }
  return error;
}

void homeward_mixer_close(struct homeward_mixer *mixer) {
  snd_mixer_close(mixer->handle);
  free(mixer);
}

bool homeward_set_realtime(bool is_on) {
  struct sched_param parameters = {.sched_priority = is_on ? 10 : 0};
  return pthread_setschedparam(pthread_self(), is_on ? SCHED_FIFO : SCHED_OTHER, &parameters) == 0;
}

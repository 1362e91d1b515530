#include "homeward_keyword.h"

#include <alsa/asoundlib.h>
#include <errno.h>
#include <stdlib.h>

struct homeward_capture {
  snd_pcm_t *pcm;
};

static void say_nothing(const char *file, int line, const char *function, int error, const char *format, ...) {
  (void)file, (void)line, (void)function, (void)error, (void)format;
}

int homeward_capture_open(const char *device, struct homeward_capture **capture) {
  snd_lib_error_set_handler(say_nothing);
  snd_pcm_t *pcm = NULL;
  int error = snd_pcm_open(&pcm, device, SND_PCM_STREAM_CAPTURE, SND_PCM_NONBLOCK);
  if (error < 0) {
    /* A card that comes later is found only in a configuration that is read anew. */
    snd_config_update_free_global();
    return error;
  }
  error = snd_pcm_set_params(pcm, SND_PCM_FORMAT_S16, SND_PCM_ACCESS_RW_INTERLEAVED, 1, 16000, 1, 500000);
  if (error >= 0) error = snd_pcm_start(pcm);
  struct homeward_capture *opened = error < 0 ? NULL : calloc(1, sizeof *opened);
  if (!opened) {
    snd_pcm_close(pcm);
    return error < 0 ? error : -ENOMEM;
  }
  opened->pcm = pcm;
  *capture = opened;
  return 0;
}

long homeward_capture_read(struct homeward_capture *capture, int16_t *samples, size_t count, unsigned *overruns) {
  int ready = snd_pcm_wait(capture->pcm, 1000);
  if (ready == 0) return 0;
  long got = ready < 0 ? ready : snd_pcm_readi(capture->pcm, samples, count);
  if (got >= 0) return got;
  if (got == -EAGAIN) return 0;
  if (got != -EPIPE && got != -ESTRPIPE && got != -EINTR) return got;
  *overruns += got == -EPIPE;
  int error = snd_pcm_recover(capture->pcm, (int)got, 1);
  if (error >= 0) error = snd_pcm_start(capture->pcm);
  return error < 0 ? error : 0;
}

void homeward_capture_close(struct homeward_capture *capture) {
  if (!capture) return;
  snd_pcm_close(capture->pcm);
  free(capture);
}

const char *homeward_capture_error(int error) { return snd_strerror(error); }

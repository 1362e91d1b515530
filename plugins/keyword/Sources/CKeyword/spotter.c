#include "homeward_keyword.h"

#include <err.h>
#include <pocketsphinx.h>
#include <stdlib.h>
#include <string.h>

struct homeward_spotter {
  ps_decoder_t *decoder;
};

static const char search[] = "phrase";

struct homeward_spotter *homeward_spotter_open(const char *model, const char *dictionary, double threshold) {
  /* The library would tell every detail of every model on standard error. */
  err_set_logfp(NULL);
  struct homeward_spotter *spotter = calloc(1, sizeof *spotter);
  if (!spotter) return NULL;
  cmd_ln_t *options = cmd_ln_init(NULL, ps_args(), TRUE, "-hmm", model, "-dict", dictionary, "-logfn", "/dev/null", NULL);
  if (options) {
    cmd_ln_set_float_r(options, "-kws_threshold", threshold);
    spotter->decoder = ps_init(options);
    cmd_ln_free_r(options);
  }
  if (spotter->decoder) return spotter;
  free(spotter);
  return NULL;
}

int homeward_spotter_sounds(struct homeward_spotter *spotter, const char *word) {
  char *sounds = ps_lookup_word(spotter->decoder, word);
  if (!sounds) return 0;
  int count = 1;
  for (const char *next = sounds; *next; next++) count += *next == ' ';
  free(sounds);
  return count;
}

static bool begin(struct homeward_spotter *spotter) {
  return ps_set_search(spotter->decoder, search) == 0 && ps_start_utt(spotter->decoder) == 0;
}

bool homeward_spotter_begin(struct homeward_spotter *spotter, const char *phrase) {
  return ps_set_keyphrase(spotter->decoder, search, phrase) == 0 && begin(spotter);
}

bool homeward_spotter_begin_list(struct homeward_spotter *spotter, const char *list) {
  return ps_set_kws(spotter->decoder, search, list) == 0 && begin(spotter);
}

int homeward_spotter_feed(struct homeward_spotter *spotter, const int16_t *samples, size_t count, const char *phrase) {
  if (ps_process_raw(spotter->decoder, samples, count, FALSE, FALSE) < 0) return -1;
  const char *heard = ps_get_hyp(spotter->decoder, NULL);
  if (!heard) return 0;
  bool is_phrase = strstr(heard, phrase) != NULL;
  /* The next hit is a new one only in a new utterance. */
  if (ps_end_utt(spotter->decoder) < 0 || ps_start_utt(spotter->decoder) < 0) return -1;
  return is_phrase ? 1 : 2;
}

void homeward_spotter_close(struct homeward_spotter *spotter) {
  if (!spotter) return;
  ps_free(spotter->decoder);
  free(spotter);
}

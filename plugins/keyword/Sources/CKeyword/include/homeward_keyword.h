// What Swift cannot say itself to PocketSphinx (variadic functions) and to ALSA.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct homeward_spotter;
struct homeward_capture;

/// Loads the acoustic model and the dictionary; NULL when one of them cannot be read.
struct homeward_spotter *homeward_spotter_open(const char *model, const char *dictionary, double threshold);
/// How many sounds the dictionary has for a word; 0 when it does not know the word.
int homeward_spotter_sounds(struct homeward_spotter *spotter, const char *word);
/// Chooses the phrase, whose words are all known, and begins to listen.
bool homeward_spotter_begin(struct homeward_spotter *spotter, const char *phrase);
/// The same for all phrases of a file, a line each, with how sure it must be: "help me please /1e-30/".
bool homeward_spotter_begin_list(struct homeward_spotter *spotter, const char *list);
/// Takes samples, 16,000 a second: 1 when this phrase ended in them, 2 when another one did, 0 when none, -1 when the
/// decoder fails.
int homeward_spotter_feed(struct homeward_spotter *spotter, const int16_t *samples, size_t count, const char *phrase);
/// Lets go of everything.
void homeward_spotter_close(struct homeward_spotter *spotter);

/// Opens a capture device with one channel of 16 bits and 16,000 samples a second; 0, or a negative error number.
int homeward_capture_open(const char *device, struct homeward_capture **capture);
/// Waits for samples: how many came, 0 when none came within a second, or a negative error number. `overruns` counts gaps.
long homeward_capture_read(struct homeward_capture *capture, int16_t *samples, size_t count, unsigned *overruns);
/// Lets go of the device.
void homeward_capture_close(struct homeward_capture *capture);
/// The words for an error number of this header.
const char *homeward_capture_error(int error);

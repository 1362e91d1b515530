#include "catalogues.h"

#include <stdbool.h>
#include <string.h>

typedef struct {
  const uint8_t *bytes;
  size_t count;
} span;

// Negative where the wanted bytes come before those of an entry's field, 0 where they are the same.
//
// `keyword` stands at the beginning of the field's first line; a line that begins with a quotation mark continues it.
static int order(span entry, const char *keyword, span wanted) {
  const size_t length = strlen(keyword);
  size_t place = 0;
  bool is_inside = false;
  const uint8_t *const end = entry.bytes + entry.count;
  for (const uint8_t *line = entry.bytes; line < end;) {
    const uint8_t *stop = memchr(line, '\n', (size_t)(end - line));
    if (stop == NULL) stop = end;
    const uint8_t *byte = memchr(line, '"', (size_t)(stop - line));
    if (byte != NULL && *line != '#') {
      if (byte != line)
        is_inside = (size_t)(byte - line) == length && memcmp(line, keyword, length) == 0;
      for (byte += 1; is_inside && byte < stop && *byte != '"'; byte++) {
        uint8_t found = *byte;
        if (found == '\\' && byte + 1 < stop) {
          byte += 1;
          found = *byte == 'n' ? '\n' : *byte == 't' ? '\t' : *byte;
        }
        if (place == wanted.count) return -1;
        if (wanted.bytes[place] != found) return wanted.bytes[place] < found ? -1 : 1;
        place += 1;
      }
    }
    line = stop + 1;
  }
  return place == wanted.count ? 0 : 1;
}

// Where the entry begins that holds a place, not before `low`.
static size_t entry_begin(const uint8_t *bytes, size_t low, size_t place) {
  while (place - low >= 2) {
    const uint8_t *newline = memrchr(bytes + low, '\n', place - low);
    if (newline == NULL || newline == bytes + low) break;
    if (newline[-1] == '\n') return (size_t)(newline - bytes) + 1;
    place = (size_t)(newline - bytes);
  }
  return low;
}

// Where the entry ends that begins at a place: at an empty line, or at `high`.
static size_t entry_end(const uint8_t *bytes, size_t place, size_t high) {
  while (place < high) {
    const uint8_t *newline = memchr(bytes + place, '\n', high - place);
    if (newline == NULL || newline + 1 == bytes + high) break;
    if (newline[1] == '\n') return (size_t)(newline - bytes);
    place = (size_t)(newline - bytes) + 1;
  }
  return high;
}

bool homeward_catalogue_find(
    const uint8_t *bytes, size_t count, const uint8_t *msgid, size_t msgid_count,
    const uint8_t *msgctxt, size_t msgctxt_count, size_t *start, size_t *end) {
  const span id = {msgid, msgid_count};
  const span context = {msgctxt, msgctxt_count};
  size_t low = 0;
  size_t high = count;
  while (low < high) {
    const size_t first = entry_begin(bytes, low, low + (high - low) / 2);
    const size_t last = entry_end(bytes, first, high);
    const span entry = {bytes + first, last - first};
    int found = order(entry, "msgid ", id);
    if (found == 0) found = order(entry, "msgctxt ", context);
    if (found == 0) {
      *start = first;
      *end = last;
      return true;
    }
    if (found < 0) {
      high = first;
    } else {
      low = last + 2;
    }
  }
  return false;
}

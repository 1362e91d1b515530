#ifndef HOMEWARD_CATALOGUES_H
#define HOMEWARD_CATALOGUES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The catalogue zh_CN.po as it lies in the source, a part of the program.
const uint8_t *homeward_zh_CN(void);
size_t homeward_zh_CN_size(void);

// Finds the entry of a msgid and a msgctxt (empty for none) in the bytes of a catalogue whose entries are in the order of
// their msgid's bytes, an empty line between them; answers whether there is one and tells where it begins and ends.
//
// Nothing is copied: a text is looked for in a dozen entries, and a page of help has hundreds of texts.
bool homeward_catalogue_find(
    const uint8_t *bytes, size_t count, const uint8_t *msgid, size_t msgid_count,
    const uint8_t *msgctxt, size_t msgctxt_count, size_t *start, size_t *end);

#endif

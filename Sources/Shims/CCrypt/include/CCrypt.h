#ifndef HOMEWARD_CRYPT_H
#define HOMEWARD_CRYPT_H

#include <stddef.h>

/// Writes a new salted hash of a phrase (yescrypt) into `text`; 0 when it cannot be made.
int homeward_crypt_hash(const char *phrase, char *text, size_t size);

/// Whether a phrase has this hash; 1 for yes, 0 for no, -1 when the hash cannot be computed.
int homeward_crypt_matches(const char *phrase, const char *hash);

#endif

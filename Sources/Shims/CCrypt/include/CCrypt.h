#ifndef HOMEWARD_CRYPT_H
#define HOMEWARD_CRYPT_H

/// Whether a phrase has this hash; 1 for yes, 0 for no, -1 when the hash cannot be computed.
int homeward_crypt_matches(const char *phrase, const char *hash);

#endif

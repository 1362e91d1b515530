#include "CCrypt.h"

#include <crypt.h>
#include <stdlib.h>
#include <string.h>

int homeward_crypt_hash(const char *phrase, char *text, size_t size) {
  char salt[CRYPT_GENSALT_OUTPUT_SIZE];
  // The system's own random bytes and default cost.
  if (crypt_gensalt_rn("$y$", 0, NULL, 0, salt, sizeof salt) == NULL) return 0;
  struct crypt_data *data = calloc(1, sizeof *data);
  if (data == NULL) return 0;
  const char *hash = crypt_rn(phrase, salt, data, sizeof *data);
  int is_made = hash != NULL && strlen(hash) < size;
  if (is_made) strcpy(text, hash);
  explicit_bzero(data, sizeof *data);
  free(data);
  return is_made;
}

int homeward_crypt_matches(const char *phrase, const char *hash) {
  struct crypt_data *data = calloc(1, sizeof *data);
  if (data == NULL) return -1;
  const char *computed = crypt_rn(phrase, hash, data, sizeof *data);
  int outcome = -1;
  if (computed != NULL) {
    // As long for a wrong one as for the right one.
    size_t length = strlen(hash);
    unsigned char difference = strlen(computed) != length;
    for (size_t index = 0; index < length && index < strlen(computed); index++)
      difference |= (unsigned char)(computed[index] ^ hash[index]);
    outcome = difference == 0;
  }
  explicit_bzero(data, sizeof *data);
  free(data);
  return outcome;
}

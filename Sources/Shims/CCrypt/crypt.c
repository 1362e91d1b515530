#include "CCrypt.h"

#include <crypt.h>
#include <stdlib.h>
#include <string.h>

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

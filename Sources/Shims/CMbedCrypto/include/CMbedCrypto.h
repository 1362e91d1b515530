#ifndef HOMEWARD_MBEDCRYPTO_H
#define HOMEWARD_MBEDCRYPTO_H

#include <stddef.h>

/// Encrypts one block of 16 bytes with AES-128; 0 when it cannot be done.
int homeward_aes_block(const unsigned char key[16], const unsigned char block[16], unsigned char encrypted[16]);

/// Opens what AES-128 in CCM mode sealed, without further data; 0 when the check does not fit or a length is none of CCM's.
int homeward_ccm_open(
  const unsigned char key[16], const unsigned char *nonce, size_t nonce_length, const unsigned char *sealed, size_t length,
  const unsigned char *check, size_t check_length, unsigned char *plain);

#endif

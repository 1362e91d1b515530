#include "CMbedCrypto.h"

#include <mbedtls/aes.h>
#include <mbedtls/ccm.h>
#include <mbedtls/platform_util.h>

int homeward_aes_block(const unsigned char key[16], const unsigned char block[16], unsigned char encrypted[16]) {
  mbedtls_aes_context context;
  mbedtls_aes_init(&context);
  int is_done = mbedtls_aes_setkey_enc(&context, key, 128) == 0
    && mbedtls_aes_crypt_ecb(&context, MBEDTLS_AES_ENCRYPT, block, encrypted) == 0;
  mbedtls_aes_free(&context);
  return is_done;
}

int homeward_ccm_open(
  const unsigned char key[16], const unsigned char *nonce, size_t nonce_length, const unsigned char *sealed, size_t length,
  const unsigned char *check, size_t check_length, unsigned char *plain) {
  // A check of no bytes would fit everything.
  if (check_length < 4) return 0;
  mbedtls_ccm_context context;
  mbedtls_ccm_init(&context);
  int is_open = mbedtls_ccm_setkey(&context, MBEDTLS_CIPHER_ID_AES, key, 128) == 0
    && mbedtls_ccm_auth_decrypt(
         &context, length, nonce, nonce_length, NULL, 0, sealed, plain, check, check_length) == 0;
  mbedtls_ccm_free(&context);
  if (!is_open) mbedtls_platform_zeroize(plain, length);
  return is_open;
}

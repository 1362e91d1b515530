#include "homeward_checksum.h"

#include <endian.h>
#include <pthread.h>
#include <string.h>

#ifdef __aarch64__
#include <sys/auxv.h>
#endif

static uint64_t word_at(const uint8_t *bytes) {
  uint64_t word;
  memcpy(&word, bytes, sizeof word);
  return le64toh(word);
}

/* What a byte does to the sum with so many bytes after it. */
static uint32_t tables[8][256];
static pthread_once_t tables_once = PTHREAD_ONCE_INIT;

static void make_tables(void) {
  for (uint32_t byte = 0; byte < 256; byte++) {
    uint32_t sum = byte;
    for (int bit = 0; bit < 8; bit++) sum = sum >> 1 ^ (sum & 1 ? 0x82F63B78u : 0);
    tables[0][byte] = sum;
  }
  for (int following = 1; following < 8; following++)
    for (int byte = 0; byte < 256; byte++) {
      uint32_t sum = tables[following - 1][byte];
      tables[following][byte] = tables[0][sum & 0xFF] ^ sum >> 8;
    }
}

uint32_t homeward_crc32c_by_tables(uint32_t state, const void *bytes, size_t count) {
  pthread_once(&tables_once, make_tables);
  const uint8_t *next = bytes;
  for (; count >= 8; count -= 8, next += 8) {
    uint64_t word = word_at(next) ^ state;
    state = 0;
    for (int place = 0; place < 8; place++) state ^= tables[7 - place][word >> (place * 8) & 0xFF];
  }
  for (; count > 0; count--, next++) state = tables[0][(state ^ *next) & 0xFF] ^ state >> 8;
  return state;
}

#if defined(__x86_64__)

static int has_instruction(void) { return __builtin_cpu_supports("sse4.2"); }

__attribute__((target("sse4.2"))) static uint32_t by_instruction(uint32_t state, const uint8_t *next, size_t count) {
  uint64_t wide = state;
  for (; count >= 8; count -= 8, next += 8) wide = __builtin_ia32_crc32di(wide, word_at(next));
  state = (uint32_t)wide;
  for (; count > 0; count--, next++) state = __builtin_ia32_crc32qi(state, *next);
  return state;
}

#elif defined(__aarch64__)

static int has_instruction(void) { return (getauxval(AT_HWCAP) & (1 << 7)) != 0; /* HWCAP_CRC32 */ }

__attribute__((target("crc"))) static uint32_t by_instruction(uint32_t state, const uint8_t *next, size_t count) {
  for (; count >= 8; count -= 8, next += 8) state = __builtin_arm_crc32cd(state, word_at(next));
  for (; count > 0; count--, next++) state = __builtin_arm_crc32cb(state, *next);
  return state;
}

#else

static int has_instruction(void) { return 0; }

static uint32_t by_instruction(uint32_t state, const uint8_t *next, size_t count) {
  return homeward_crc32c_by_tables(state, next, count);
}

#endif

uint32_t homeward_crc32c(uint32_t state, const void *bytes, size_t count) {
  return has_instruction() ? by_instruction(state, bytes, count) : homeward_crc32c_by_tables(state, bytes, count);
}

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

#define BY_INSTRUCTION __attribute__((target("sse4.2")))
#define AFTER_BYTE __builtin_ia32_crc32qi
#define AFTER_WORD(state, word) (uint32_t)__builtin_ia32_crc32di(state, word)

#elif defined(__aarch64__)

static int has_instruction(void) { return (getauxval(AT_HWCAP) & (1 << 7)) != 0; /* HWCAP_CRC32 */ }

#define BY_INSTRUCTION __attribute__((target("crc")))
#define AFTER_BYTE __builtin_arm_crc32cb
#define AFTER_WORD __builtin_arm_crc32cd

#else

static int has_instruction(void) { return 0; }

static uint32_t after_word(uint32_t state, uint64_t word) {
  word = htole64(word);
  return homeward_crc32c_by_tables(state, &word, sizeof word);
}

#define BY_INSTRUCTION
#define AFTER_BYTE(state, byte) homeward_crc32c_by_tables(state, &(uint8_t){byte}, 1)
#define AFTER_WORD after_word

#endif

BY_INSTRUCTION static uint32_t by_instruction(uint32_t state, const uint8_t *next, size_t count) {
  for (; count >= 8; count -= 8, next += 8) state = AFTER_WORD(state, word_at(next));
  for (; count > 0; count--, next++) state = AFTER_BYTE(state, *next);
  return state;
}

BY_INSTRUCTION static uint32_t value_by_instruction(
    uint32_t state, uint8_t kind, uint64_t number, const uint8_t *bytes, size_t count) {
  return by_instruction(AFTER_WORD(AFTER_BYTE(state, kind), number), bytes, count);
}

uint32_t homeward_crc32c_of_value(uint32_t state, uint8_t kind, uint64_t number, const void *bytes, size_t count) {
  if (has_instruction()) return value_by_instruction(state, kind, number, bytes, count);
  uint8_t head[9] = {kind};
  number = htole64(number);
  memcpy(head + 1, &number, sizeof number);
  return homeward_crc32c_by_tables(homeward_crc32c_by_tables(state, head, sizeof head), bytes, count);
}

uint32_t homeward_crc32c(uint32_t state, const void *bytes, size_t count) {
  return has_instruction() ? by_instruction(state, bytes, count) : homeward_crc32c_by_tables(state, bytes, count);
}

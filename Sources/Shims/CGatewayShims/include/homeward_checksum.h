#pragma once
#include <stddef.h>
#include <stdint.h>

/* CRC-32C (Castagnoli, RFC 3720 appendix B.4) as it stands after more bytes. Begin with ~0; the sum is the complement of
   what comes out at last. By the processor's instruction where it has one. */
uint32_t homeward_crc32c(uint32_t state, const void *bytes, size_t count);

/* The same after one value of a row: a byte for its kind, its number or its count of bytes in eight, the lowest first, and
   its bytes. */
uint32_t homeward_crc32c_of_value(uint32_t state, uint8_t kind, uint64_t number, const void *bytes, size_t count);

/* The same on every processor, by tables. */
uint32_t homeward_crc32c_by_tables(uint32_t state, const void *bytes, size_t count);

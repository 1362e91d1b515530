#pragma once
#include <stddef.h>
#include <stdint.h>

/* Packs bytes as gzip (RFC 1952), as small as zlib can; how many it became, 0 where there is no room or no memory. */
size_t homeward_gzip(const uint8_t *bytes, size_t length, uint8_t *packed, size_t room);


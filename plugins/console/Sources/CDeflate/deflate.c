#include "homeward_deflate.h"

#include <zlib.h>

size_t homeward_gzip(const uint8_t *bytes, size_t length, uint8_t *packed, size_t room) {
  const int gzip_window = 15 + 16;
  z_stream stream = {.next_in = (uint8_t *)bytes, .avail_in = (uInt)length, .next_out = packed, .avail_out = (uInt)room};
  if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, gzip_window, 9, Z_DEFAULT_STRATEGY) != Z_OK) return 0;
  int result = deflate(&stream, Z_FINISH);
  size_t count = stream.total_out;
  deflateEnd(&stream);
  return result == Z_STREAM_END ? count : 0;
}

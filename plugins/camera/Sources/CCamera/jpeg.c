#include "homeward_camera.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>
#include <jerror.h>

/* libjpeg leaves by longjmp; nothing that must survive it lives in a register. */
struct guard {
  struct jpeg_error_mgr manager;
  jmp_buf leave;
  char *message;
};

static void leave(j_common_ptr state) {
  struct guard *guard = (struct guard *)state->err;
  char text[JMSG_LENGTH_MAX];
  state->err->format_message(state, text);
  snprintf(guard->message, HOMEWARD_JPEG_MESSAGE, "%s", text);
  longjmp(guard->leave, 1);
}

static void warn(j_common_ptr state, int level) {
  /* A picture that is cut off is none; other warnings, such as stray bytes, are common and harmless. */
  int code = state->err->msg_code;
  if (level < 0 && (code == JWRN_JPEG_EOF || code == JWRN_HIT_MARKER)) leave(state);
}

static void print_nothing(j_common_ptr state) { (void)state; }

static struct jpeg_error_mgr *prepare(struct guard *guard, char *message) {
  jpeg_std_error(&guard->manager);
  guard->manager.error_exit = leave;
  guard->manager.emit_message = warn;
  guard->manager.output_message = print_nothing;
  guard->message = message;
  message[0] = 0;
  return &guard->manager;
}

static int fail(char *message, const char *text) {
  snprintf(message, HOMEWARD_JPEG_MESSAGE, "%s", text);
  return -1;
}

/* Both states and what they point to, on the heap: safe across longjmp. */
struct work {
  struct guard guard;
  struct jpeg_decompress_struct reader;
  struct jpeg_compress_struct writer;
  unsigned char *out;
  unsigned long out_size;
  JSAMPLE *row;
};

static int finish(struct work *work, int result, uint8_t **out, size_t *out_size) {
  jpeg_destroy_compress(&work->writer);
  jpeg_destroy_decompress(&work->reader);
  free(work->row);
  if (result == 0) {
    *out = work->out;
    *out_size = work->out_size;
  } else {
    free(work->out);
  }
  free(work);
  return result;
}

static void begin(struct work *work, uint32_t width, uint32_t height, int components, int quality) {
  jpeg_create_compress(&work->writer);
  jpeg_mem_dest(&work->writer, &work->out, &work->out_size);
  work->writer.image_width = width;
  work->writer.image_height = height;
  work->writer.input_components = components;
  work->writer.in_color_space = components == 1 ? JCS_GRAYSCALE : JCS_YCbCr;
  jpeg_set_defaults(&work->writer);
  jpeg_set_quality(&work->writer, quality, TRUE);
  jpeg_start_compress(&work->writer, TRUE);
}

int homeward_jpeg_from_yuyv(
    const uint8_t *bytes, size_t size, uint32_t width, uint32_t height, uint32_t stride, int quality,
    uint8_t **out, size_t *out_size, char message[HOMEWARD_JPEG_MESSAGE]) {
  if (width < 2 || height < 1 || width > 16384 || height > 16384 || width % 2 != 0) {
    return fail(message, "the picture's size makes no sense");
  }
  if (stride < width * 2) stride = width * 2;
  if (size < (size_t)stride * (height - 1) + (size_t)width * 2) {
    return fail(message, "the frame is shorter than its size says");
  }
  struct work *work = calloc(1, sizeof *work);
  if (work == NULL) return fail(message, "out of memory");
  work->writer.err = prepare(&work->guard, message);
  work->row = malloc((size_t)width * 3);
  if (work->row == NULL) {
    fail(message, "out of memory");
    return finish(work, -1, out, out_size);
  }
  if (setjmp(work->guard.leave) != 0) return finish(work, -1, out, out_size);
  begin(work, width, height, 3, quality);
  while (work->writer.next_scanline < height) {
    const uint8_t *from = bytes + (size_t)work->writer.next_scanline * stride;
    JSAMPLE *to = work->row;
    for (uint32_t pair = 0; pair < width / 2; pair++, from += 4, to += 6) {
      to[0] = from[0], to[1] = from[1], to[2] = from[3];
      to[3] = from[2], to[4] = from[1], to[5] = from[3];
    }
    jpeg_write_scanlines(&work->writer, &work->row, 1);
  }
  jpeg_finish_compress(&work->writer);
  return finish(work, 0, out, out_size);
}

int homeward_jpeg_again(
    const uint8_t *bytes, size_t size, uint32_t max_pixels, int quality, uint8_t **out, size_t *out_size,
    char message[HOMEWARD_JPEG_MESSAGE]) {
  struct work *work = calloc(1, sizeof *work);
  if (work == NULL) return fail(message, "out of memory");
  struct jpeg_error_mgr *errors = prepare(&work->guard, message);
  work->reader.err = errors;
  work->writer.err = errors;
  if (setjmp(work->guard.leave) != 0) return finish(work, -1, out, out_size);
  jpeg_create_decompress(&work->reader);
  jpeg_mem_src(&work->reader, bytes, size);
  jpeg_read_header(&work->reader, TRUE);
  uint64_t pixels = (uint64_t)work->reader.image_width * work->reader.image_height;
  if (pixels > max_pixels) {
    fail(message, "the picture is larger than any camera's");
    return finish(work, -1, out, out_size);
  }
  int components = work->reader.jpeg_color_space == JCS_GRAYSCALE ? 1 : 3;
  work->reader.out_color_space = components == 1 ? JCS_GRAYSCALE : JCS_YCbCr;
  jpeg_start_decompress(&work->reader);
  work->row = malloc((size_t)work->reader.output_width * 3);
  if (work->row == NULL) {
    fail(message, "out of memory");
    return finish(work, -1, out, out_size);
  }
  begin(work, work->reader.output_width, work->reader.output_height, components, quality);
  while (work->reader.output_scanline < work->reader.output_height) {
    jpeg_read_scanlines(&work->reader, &work->row, 1);
    jpeg_write_scanlines(&work->writer, &work->row, 1);
  }
  jpeg_finish_decompress(&work->reader);
  jpeg_finish_compress(&work->writer);
  return finish(work, 0, out, out_size);
}

#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Video4Linux, libjpeg and child programs behind flat functions. None may run on the event loop: they wait.
   Functions that answer an int answer 0, or -1 with errno set, unless said otherwise. */

#define HOMEWARD_VIDEO_BUFFERS 4

struct homeward_video {
  int fd;
  uint32_t width;
  uint32_t height;
  uint32_t stride;      /* bytes from one row to the next; 0 for MJPEG */
  bool is_mjpeg;        /* else YUYV */
  bool is_streaming;
  uint32_t buffer_count;
  void *starts[HOMEWARD_VIDEO_BUFFERS];
  size_t lengths[HOMEWARD_VIDEO_BUFFERS];
};

/* Opens a camera. errno ENOTSUP: the device is no camera that streams. */
int homeward_video_open(const char *path, struct homeward_video *video);
/* Asks for MJPEG, else YUYV, of about this size. errno ENOTSUP: the camera has neither. */
int homeward_video_choose(struct homeward_video *video, uint32_t width, uint32_t height);
/* Maps buffers and starts the stream. */
int homeward_video_start(struct homeward_video *video);
/* Waits at most so long for a frame and answers the number of its buffer, -1 with errno: ETIMEDOUT when none came.
   *is_broken: the driver says that the frame is damaged. The bytes are valid until the buffer is given back. */
int homeward_video_take(
    struct homeward_video *video, int timeout_ms, const uint8_t **bytes, size_t *size, bool *is_broken);
int homeward_video_give_back(struct homeward_video *video, int buffer);
/* Stops, unmaps and closes what is open; may be called at any time. */
void homeward_video_close(struct homeward_video *video);

#define HOMEWARD_JPEG_MESSAGE 200

/* Compresses packed YUYV 4:2:2. *out is malloc'd and the caller's. -1: message says why. */
int homeward_jpeg_from_yuyv(
    const uint8_t *bytes, size_t size, uint32_t width, uint32_t height, uint32_t stride, int quality,
    uint8_t **out, size_t *out_size, char message[HOMEWARD_JPEG_MESSAGE]);
/* Reads a JPEG and writes it anew: whole, with all tables, without metadata. Cut-off pictures and ones of more than
   max_pixels fail. */
int homeward_jpeg_again(
    const uint8_t *bytes, size_t size, uint32_t max_pixels, int quality, uint8_t **out, size_t *out_size,
    char message[HOMEWARD_JPEG_MESSAGE]);

/* Runs a program to its end, for at most timeout_ms, and keeps the end of what it writes to standard error, which is
   ended with 0. *status is as waitpid has it. errno ETIMEDOUT: it was killed. */
int homeward_run(
    const char *program, char *const *arguments, int timeout_ms, int *status, char *complaint, size_t complaint_size);

#include "homeward_camera.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/videodev2.h>
#include <poll.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

static int again(int fd, unsigned long request, void *argument) {
  int answer;
  do {
    answer = ioctl(fd, request, argument);
  } while (answer < 0 && errno == EINTR);
  return answer;
}

int homeward_video_open(const char *path, struct homeward_video *video) {
  memset(video, 0, sizeof *video);
  video->fd = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
  if (video->fd < 0) return -1;
  struct v4l2_capability found;
  memset(&found, 0, sizeof found);
  if (again(video->fd, VIDIOC_QUERYCAP, &found) < 0) {
    int problem = errno == ENOTTY ? ENOTSUP : errno;
    homeward_video_close(video);
    errno = problem;
    return -1;
  }
  uint32_t can = found.capabilities & V4L2_CAP_DEVICE_CAPS ? found.device_caps : found.capabilities;
  if ((can & V4L2_CAP_VIDEO_CAPTURE) && (can & V4L2_CAP_STREAMING)) return 0;
  homeward_video_close(video);
  errno = ENOTSUP;
  return -1;
}

int homeward_video_choose(struct homeward_video *video, uint32_t width, uint32_t height) {
  const uint32_t wanted[] = {V4L2_PIX_FMT_MJPEG, V4L2_PIX_FMT_YUYV};
  for (size_t index = 0; index < 2; index++) {
    struct v4l2_format format;
    memset(&format, 0, sizeof format);
    format.type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
    format.fmt.pix.width = width;
    format.fmt.pix.height = height;
    format.fmt.pix.pixelformat = wanted[index];
    format.fmt.pix.field = V4L2_FIELD_ANY;
    if (again(video->fd, VIDIOC_S_FMT, &format) < 0) {
      if (errno == EINVAL) continue;
      return -1;
    }
    /* A driver that has not the format answers with another one. */
    if (format.fmt.pix.pixelformat != wanted[index]) continue;
    video->is_mjpeg = index == 0;
    video->width = format.fmt.pix.width;
    video->height = format.fmt.pix.height;
    video->stride = video->is_mjpeg ? 0 : format.fmt.pix.bytesperline;
    return 0;
  }
  errno = ENOTSUP;
  return -1;
}

static void describe(struct v4l2_buffer *buffer, uint32_t index) {
  memset(buffer, 0, sizeof *buffer);
  buffer->type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
  buffer->memory = V4L2_MEMORY_MMAP;
  buffer->index = index;
}

int homeward_video_start(struct homeward_video *video) {
  struct v4l2_requestbuffers request;
  memset(&request, 0, sizeof request);
  request.count = HOMEWARD_VIDEO_BUFFERS;
  request.type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
  request.memory = V4L2_MEMORY_MMAP;
  if (again(video->fd, VIDIOC_REQBUFS, &request) < 0) return -1;
  if (request.count < 2) {
    errno = ENOMEM;
    return -1;
  }
  uint32_t count = request.count < HOMEWARD_VIDEO_BUFFERS ? request.count : HOMEWARD_VIDEO_BUFFERS;
  for (uint32_t index = 0; index < count; index++) {
    struct v4l2_buffer buffer;
    describe(&buffer, index);
    if (again(video->fd, VIDIOC_QUERYBUF, &buffer) < 0) return -1;
    void *start =
        mmap(NULL, buffer.length, PROT_READ | PROT_WRITE, MAP_SHARED, video->fd, buffer.m.offset);
    if (start == MAP_FAILED) return -1;
    video->starts[index] = start;
    video->lengths[index] = buffer.length;
    video->buffer_count = index + 1;
    if (again(video->fd, VIDIOC_QBUF, &buffer) < 0) return -1;
  }
  int type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
  if (again(video->fd, VIDIOC_STREAMON, &type) < 0) return -1;
  video->is_streaming = true;
  return 0;
}

int homeward_video_take(
    struct homeward_video *video, int timeout_ms, const uint8_t **bytes, size_t *size, bool *is_broken) {
  struct pollfd ready = {.fd = video->fd, .events = POLLIN};
  int count = poll(&ready, 1, timeout_ms);
  if (count < 0) return -1;
  if (count == 0) {
    errno = ETIMEDOUT;
    return -1;
  }
  struct v4l2_buffer buffer;
  describe(&buffer, 0);
  if (again(video->fd, VIDIOC_DQBUF, &buffer) < 0) return -1;
  if (buffer.index >= video->buffer_count) {
    errno = EPROTO;
    return -1;
  }
  size_t length = video->lengths[buffer.index];
  *bytes = video->starts[buffer.index];
  *size = buffer.bytesused < length ? buffer.bytesused : length;
  *is_broken = (buffer.flags & V4L2_BUF_FLAG_ERROR) != 0;
  return (int)buffer.index;
}

int homeward_video_give_back(struct homeward_video *video, int number) {
  struct v4l2_buffer buffer;
  describe(&buffer, (uint32_t)number);
  return again(video->fd, VIDIOC_QBUF, &buffer) < 0 ? -1 : 0;
}

void homeward_video_close(struct homeward_video *video) {
  if (video->is_streaming) {
    int type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
    again(video->fd, VIDIOC_STREAMOFF, &type);
  }
  for (uint32_t index = 0; index < video->buffer_count; index++) {
    munmap(video->starts[index], video->lengths[index]);
  }
  if (video->fd >= 0) close(video->fd);
  memset(video, 0, sizeof *video);
  video->fd = -1;
}

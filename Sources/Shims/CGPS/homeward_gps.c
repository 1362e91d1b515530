#include "homeward_gps.h"

#include <errno.h>
#include <fcntl.h>
#include <gps.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#if GPSD_API_MAJOR_VERSION < 11 || GPSD_API_MAJOR_VERSION > 15
#error "Homeward is written for libgps with API 11 through 15 (gpsd 3.22 through 3.25): install libgps-dev of Debian 12 or 13"
#endif

#define LINE_MAX_BYTES 16384 /* gpsd promises at most 10,240 */
#define LAST_MILLISECONDS_SECOND 253402300799LL /* 9999-12-31T23:59:59Z */

/* Lines are taken off the socket here and given to libgps one by one, looked at first: gps_read of 3.22 hands every
   line to a parser that never returns from a list of more than four devices. */
struct homeward_gps {
  struct gps_data_t data;
  char waiting[LINE_MAX_BYTES]; /* received and not yet handed out */
  size_t waiting_bytes;
  char line[LINE_MAX_BYTES + 1];
  size_t line_bytes;
};

int homeward_gps_api_version(void) { return GPSD_API_MAJOR_VERSION; }

struct homeward_gps *homeward_gps_open(const char *host, const char *port) {
  struct homeward_gps *gps = calloc(1, sizeof *gps);
  if (gps == NULL) return NULL;
  if (gps_open(host, port, &gps->data) != 0) {
    free(gps);
    return NULL;
  }
  int fd = homeward_gps_descriptor(gps);
  int flags = fcntl(fd, F_GETFL);
  if (flags < 0 || fcntl(fd, F_SETFL, flags | O_NONBLOCK) < 0 ||
      fcntl(fd, F_SETFD, FD_CLOEXEC) < 0 || homeward_gps_stream(gps, true) != 0) {
    homeward_gps_close(gps);
    return NULL;
  }
  return gps;
}

int homeward_gps_descriptor(const struct homeward_gps *gps) { return (int)gps->data.gps_fd; }

const char *homeward_gps_line(const struct homeward_gps *gps) { return gps->line; }

size_t homeward_gps_line_bytes(const struct homeward_gps *gps) { return gps->line_bytes; }

int homeward_gps_stream(struct homeward_gps *gps, bool is_on) {
  unsigned int direction = is_on ? WATCH_ENABLE : WATCH_DISABLE;
  return gps_stream(&gps->data, direction | WATCH_JSON, NULL) < 0 ? -1 : 0;
}

void homeward_gps_close(struct homeward_gps *gps) {
  gps_close(&gps->data);
  free(gps);
}

static void copy_path(char *target, const char *source) {
  size_t length = strnlen(source, HOMEWARD_GPS_PATH_MAX - 1);
  memcpy(target, source, length);
  target[length] = 0;
}

static bool is_of_class(const char *message, const char *name) {
  static const char head[] = "{\"class\":\"";
  size_t length = strlen(name);
  return strncmp(message, head, sizeof head - 1) == 0 &&
         strncmp(message + sizeof head - 1, name, length) == 0 &&
         message[sizeof head - 1 + length] == '"';
}

static void fill_time(struct homeward_gps_report *report, const struct timespec *time) {
  if (time->tv_sec <= 0 || time->tv_sec > LAST_MILLISECONDS_SECOND) return;
  report->has_time = true;
  report->time_milliseconds = (int64_t)time->tv_sec * 1000 + time->tv_nsec / 1000000;
}

static void fill_position(struct homeward_gps_report *report, const struct gps_data_t *data) {
  const struct gps_fix_t *fix = &data->fix;
  report->kind = HOMEWARD_GPS_POSITION;
  copy_path(report->device, data->dev.path);
  report->mode = fix->mode;
  report->status = fix->status;
  fill_time(report, &fix->time);
  report->latitude_degrees = fix->latitude;
  report->longitude_degrees = fix->longitude;
  report->altitude_msl_meters = fix->altMSL;
  report->speed_meters_per_second = fix->speed;
  report->course_degrees = fix->track;
  report->eph_meters = fix->eph;
  report->epx_meters = fix->epx;
  report->epy_meters = fix->epy;
}

static void fill_sky(struct homeward_gps_report *report, const struct gps_data_t *data) {
  report->kind = HOMEWARD_GPS_SKY;
  copy_path(report->device, data->dev.path);
  report->satellites_used = data->satellites_used;
}

static void fill_device(struct homeward_gps_report *report, const struct gps_data_t *data) {
  report->kind = HOMEWARD_GPS_DEVICE;
  copy_path(report->device, data->dev.path);
  report->device_is_active = data->dev.activated.tv_sec > 0;
}

static void clear(struct homeward_gps_report *report) {
  memset(report, 0, sizeof *report);
  report->latitude_degrees = report->longitude_degrees = report->altitude_msl_meters = NAN;
  report->speed_meters_per_second = report->course_degrees = NAN;
  report->eph_meters = report->epx_meters = report->epy_meters = NAN;
  report->satellites_used = -1;
}

/* A second class inside a line sends libgps into a second round on the rest of it. */
static bool has_one_class(const char *line) {
  static const char tag[] = "\"class\":";
  const char *first = strstr(line, tag);
  return first != NULL && strstr(first + 1, tag) == NULL;
}

static bool unpack(struct homeward_gps *gps, char *line) {
  return has_one_class(line) && gps_unpack(line, &gps->data) == 0;
}

/* Devices are flat objects: each is decoded by itself. */
static void fill_devices(struct homeward_gps_report *report, struct homeward_gps *gps) {
  report->kind = HOMEWARD_GPS_DEVICES;
  char *next = gps->line + 1;
  while (report->device_count < HOMEWARD_GPS_DEVICES_MAX &&
         (next = strstr(next, "{\"class\":\"DEVICE\"")) != NULL) {
    char *end = strchr(next, '}');
    if (end == NULL) return;
    char after = end[1];
    end[1] = 0;
    gps->data.dev.path[0] = 0;
    if (unpack(gps, next) && gps->data.dev.path[0] != 0) {
      struct homeward_gps_device *device = &report->devices[report->device_count++];
      copy_path(device->path, gps->data.dev.path);
      device->is_active = gps->data.dev.activated.tv_sec > 0;
    }
    end[1] = after;
    next = end + 1;
  }
}

void homeward_gps_decode(struct homeward_gps *gps, struct homeward_gps_report *report) {
  clear(report);
  char *line = gps->line;
  if (is_of_class(line, "TPV") && unpack(gps, line)) fill_position(report, &gps->data);
  if (is_of_class(line, "SKY") && unpack(gps, line)) fill_sky(report, &gps->data);
  if (is_of_class(line, "DEVICE") && unpack(gps, line)) fill_device(report, &gps->data);
  if (is_of_class(line, "DEVICES")) fill_devices(report, gps);
}

static bool take_line(struct homeward_gps *gps) {
  char *end = memchr(gps->waiting, '\n', gps->waiting_bytes);
  if (end == NULL) return false;
  size_t length = (size_t)(end - gps->waiting) + 1;
  memcpy(gps->line, gps->waiting, length);
  gps->line_bytes = length;
  gps->line[length] = 0;
  gps->waiting_bytes -= length;
  memmove(gps->waiting, gps->waiting + length, gps->waiting_bytes);
  return true;
}

/* 1 when something arrived, 0 when nothing waits, -1 at the end, on an error and when a line is too long. */
static int receive(struct homeward_gps *gps) {
  size_t room = sizeof gps->waiting - gps->waiting_bytes;
  if (room == 0) return -1;
  ssize_t count;
  do {
    count = recv(homeward_gps_descriptor(gps), gps->waiting + gps->waiting_bytes, room, MSG_DONTWAIT);
  } while (count < 0 && errno == EINTR);
  if (count < 0) return errno == EAGAIN || errno == EWOULDBLOCK ? 0 : -1;
  gps->waiting_bytes += (size_t)count;
  return count == 0 ? -1 : 1;
}

int homeward_gps_read(struct homeward_gps *gps) {
  while (!take_line(gps)) {
    int answer = receive(gps);
    if (answer <= 0) return answer;
  }
  return 1;
}

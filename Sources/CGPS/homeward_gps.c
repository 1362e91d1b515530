#include "homeward_gps.h"

#include <ctype.h>
#include <fcntl.h>
#include <gps.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#if GPSD_API_MAJOR_VERSION < 11 || GPSD_API_MAJOR_VERSION > 15
#error "Homeward is written for libgps with API 11 through 15 (gpsd 3.22 through 3.25): install libgps-dev of Debian 12 or 13"
#endif

#define MESSAGE_MAX 16384
#define LAST_MILLISECONDS_SECOND 253402300799LL /* 9999-12-31T23:59:59Z */

struct homeward_gps {
  struct gps_data_t data;
  char message[MESSAGE_MAX];
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

int homeward_gps_stream(struct homeward_gps *gps, bool is_on) {
  unsigned int direction = is_on ? WATCH_ENABLE : WATCH_DISABLE;
  return gps_stream(&gps->data, direction | WATCH_JSON, NULL) < 0 ? -1 : 0;
}

void homeward_gps_close(struct homeward_gps *gps) {
  gps_close(&gps->data);
  free(gps);
}

static int unread_bytes(const struct homeward_gps *gps) {
  int count = 0;
  return ioctl(homeward_gps_descriptor(gps), FIONREAD, &count) == 0 ? count : 0;
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

/* A line that was cut ends inside a number or a name; half a latitude is another place. */
static bool is_whole(const char *message) {
  size_t length = strlen(message);
  while (length > 0 && isspace((unsigned char)message[length - 1])) length--;
  return length > 0 && message[length - 1] == '}';
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

static void fill_devices(struct homeward_gps_report *report, const struct gps_data_t *data) {
  report->kind = HOMEWARD_GPS_DEVICES;
  int count = data->devices.ndevices;
  if (count < 0) count = 0;
  if (count > HOMEWARD_GPS_DEVICES_MAX) count = HOMEWARD_GPS_DEVICES_MAX;
  if (count > MAXUSERDEVS) count = MAXUSERDEVS;
  report->device_count = count;
  for (int i = 0; i < count; i++) {
    copy_path(report->devices[i].path, data->devices.list[i].path);
    report->devices[i].is_active = data->devices.list[i].activated.tv_sec > 0;
  }
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

static void fill(struct homeward_gps_report *report, const struct homeward_gps *gps) {
  clear(report);
  if (!is_whole(gps->message)) return;
  if (is_of_class(gps->message, "TPV")) fill_position(report, &gps->data);
  if (is_of_class(gps->message, "SKY")) fill_sky(report, &gps->data);
  if (is_of_class(gps->message, "DEVICES")) fill_devices(report, &gps->data);
  if (is_of_class(gps->message, "DEVICE")) fill_device(report, &gps->data);
}

int homeward_gps_read(struct homeward_gps *gps, struct homeward_gps_report *report) {
  int before = unread_bytes(gps);
  memset(gps->message, 0, sizeof gps->message);
  int answer = gps_read(&gps->data, gps->message, sizeof gps->message - 1);
  if (answer < 0) return -1;
  if (gps->message[0] != 0) {
    fill(report, gps);
    return 1;
  }
  if (answer == 0 && before > 0 && unread_bytes(gps) >= before) return -1; /* its buffer is full */
  return answer > 0 ? 1 : 0;
}

#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* libgps behind one flat structure whose layout is ours, whatever version of gpsd the headers belong to. */

#define HOMEWARD_GPS_PATH_MAX 128
#define HOMEWARD_GPS_DEVICES_MAX 4

/* Which message of the gpsd protocol a report was made from. */
enum homeward_gps_kind {
  HOMEWARD_GPS_OTHER = 0,    /* nothing below is filled in: another class, or text that makes no sense */
  HOMEWARD_GPS_POSITION = 1, /* TPV */
  HOMEWARD_GPS_SKY = 2,      /* SKY: device, satellites_used */
  HOMEWARD_GPS_DEVICES = 3,  /* DEVICES: device_count, devices */
  HOMEWARD_GPS_DEVICE = 4    /* DEVICE: device, device_is_active */
};

struct homeward_gps_device {
  char path[HOMEWARD_GPS_PATH_MAX];
  bool is_active; /* gpsd has it open */
};

/* Doubles are NaN where gpsd said nothing. */
struct homeward_gps_report {
  int32_t kind; /* homeward_gps_kind */
  char device[HOMEWARD_GPS_PATH_MAX]; /* empty when not said */
  bool device_is_active;
  int32_t device_count; /* 0 through HOMEWARD_GPS_DEVICES_MAX */
  struct homeward_gps_device devices[HOMEWARD_GPS_DEVICES_MAX];
  int32_t mode;   /* 0 unknown, 1 none, 2 2D, 3 3D */
  int32_t status; /* 8 simulated; else as in the gpsd protocol */
  bool has_time;
  int64_t time_milliseconds; /* since 1970, UTC */
  double latitude_degrees;
  double longitude_degrees;
  double altitude_msl_meters;
  double speed_meters_per_second;
  double course_degrees;
  double eph_meters; /* horizontal error */
  double epx_meters; /* longitude error */
  double epy_meters; /* latitude error */
  int32_t satellites_used; /* -1 when not said */
};

struct homeward_gps;

/* Connects and asks for the stream; may block on name resolution and on the connection.
   NULL when gpsd does not answer. */
struct homeward_gps *homeward_gps_open(const char *host, const char *port);
/* The socket, non-blocking. */
int homeward_gps_descriptor(const struct homeward_gps *gps);
/* Takes at most one line: 1 when there is one, 0 when no whole line is there, -1 when the connection cannot be used any
   more: it ended, or a line had no end within 16,384 bytes.
   Call it until it answers 0 or -1: lines wait in a buffer that poll does not see. */
int homeward_gps_read(struct homeward_gps *gps);
/* The line that was taken, its end included; valid until the next call. */
const char *homeward_gps_line(const struct homeward_gps *gps);
size_t homeward_gps_line_bytes(const struct homeward_gps *gps);
/* Decodes the line that was taken. Only for a line that is known to be one whole JSON object: libgps reads the number
   that an unfinished line breaks off in, and 0 where there is none. */
void homeward_gps_decode(struct homeward_gps *gps, struct homeward_gps_report *report);
/* Turns the stream of reports on or off; -1 when the connection cannot be used any more. */
int homeward_gps_stream(struct homeward_gps *gps, bool is_on);
void homeward_gps_close(struct homeward_gps *gps);
/* GPSD_API_MAJOR_VERSION of the headers that this was built with. */
int homeward_gps_api_version(void);

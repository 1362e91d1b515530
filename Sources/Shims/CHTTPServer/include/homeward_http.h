#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An HTTP server on libmicrohttpd without threads of its own: everything happens inside homeward_http_run. Answers may
   come later, whole or piece by piece. */

struct homeward_http;

/* One request has come whole; answer it, at once or later. */
typedef void (*homeward_http_handler)(void *context, uint64_t request);
/* A request whose answer is sent piece by piece is over: its client went away, or it was ended. */
typedef void (*homeward_http_over)(void *context, uint64_t request);

struct homeward_http_settings {
  const char *address; /* numeric */
  uint16_t port;       /* 0 takes a free one */
  /* At most so many connections are served at a time: a newcomer takes the place of the one whose deadline comes first. */
  unsigned connections;
  /* A connection is hung up when its request has not been sent and the answer not been taken whole within this time. */
  int64_t patience_milliseconds;
  /* The longest body of a request, in bytes; longer ones are refused with 413, those that do not say how long they are
     with 411. */
  size_t body_limit;
  /* PEM texts, for TLS 1.2 and 1.3; NULL for none. */
  const char *certificate;
  const char *key;
  homeward_http_handler handler;
  homeward_http_over over; /* may be NULL */
  void *context;
};

/* NULL with errno set when listening fails; EBADMSG when certificate and key are none that belong together. */
struct homeward_http *homeward_http_start(const struct homeward_http_settings *settings);
/* The port that it listens on. */
uint16_t homeward_http_port(const struct homeward_http *server);
/* A descriptor that becomes readable when homeward_http_run has something to do. */
int homeward_http_descriptor(const struct homeward_http *server);
void homeward_http_run(struct homeward_http *server);
/* Milliseconds until homeward_http_run is due without readiness; -1 for never. */
int64_t homeward_http_timeout_milliseconds(struct homeward_http *server);

/* What follows lives until the request is answered; NULL where there is none, or the client is gone. */
const char *homeward_http_method(struct homeward_http *server, uint64_t request);
/* Path and query as they were sent. */
const char *homeward_http_target(struct homeward_http *server, uint64_t request);
/* The value of a header whose name is spelt in any case; how often it came is in count, unless that is NULL. */
const char *homeward_http_header(struct homeward_http *server, uint64_t request, const char *name, unsigned *count);
const uint8_t *homeward_http_body(struct homeward_http *server, uint64_t request, size_t *length);
/* The client's numeric address, into a buffer of at least 46 bytes; false where it is not known. */
bool homeward_http_peer(struct homeward_http *server, uint64_t request, char *text, size_t size);

/* Answers a request; nothing happens when its client is gone. headers are names and values in turn, ended by NULL. */
void homeward_http_answer(struct homeward_http *server, uint64_t request, unsigned status, const char *const *headers,
                          const void *body, size_t length);
/* Begins an answer whose body is sent piece by piece, for as long as the client stays; false when it is gone. */
bool homeward_http_begin(struct homeward_http *server, uint64_t request, unsigned status, const char *const *headers);
/* Sends a piece. False when the client is gone or does not take what is sent: more than limit bytes would wait. */
bool homeward_http_send(struct homeward_http *server, uint64_t request, const void *piece, size_t length, size_t limit);
/* Ends an answer that was begun. */
void homeward_http_end(struct homeward_http *server, uint64_t request);

/* Ends all connections and frees the server. */
void homeward_http_stop(struct homeward_http *server);

#pragma once
#include <stddef.h>
#include <stdint.h>

/* A small HTTP server on libmicrohttpd without threads of its own: everything happens inside homeward_http_run.
   Bodies of requests are refused, so a request is a method and a path. Answers may come later. */

struct homeward_http;

/* One request; answer it with homeward_http_answer, at once or later. method and path live during the call. */
typedef void (*homeward_http_handler)(void *context, uint64_t request, const char *method, const char *path);

/* Listens on a numeric address; port 0 takes a free one. At most so many connections are served at a time: a newcomer
   takes the place of the one whose deadline comes first. A connection is hung up when its request has not been sent and
   the answer not been taken whole within patience_milliseconds. NULL with errno set when listening fails. */
struct homeward_http *homeward_http_start(const char *address, uint16_t port, unsigned connections,
                                          int64_t patience_milliseconds, homeward_http_handler handler,
                                          void *context);
/* The port that it listens on. */
uint16_t homeward_http_port(const struct homeward_http *server);
/* A descriptor that becomes readable when homeward_http_run has something to do. */
int homeward_http_descriptor(const struct homeward_http *server);
void homeward_http_run(struct homeward_http *server);
/* Milliseconds until homeward_http_run is due without readiness; -1 for never. */
int64_t homeward_http_timeout_milliseconds(struct homeward_http *server);
/* Answers a request; nothing happens when its client is gone. allow is the Allow header, or NULL. */
void homeward_http_answer(struct homeward_http *server, uint64_t request, unsigned status, const char *content_type,
                          const char *allow, const void *body, size_t length);
/* Ends all connections and frees the server. */
void homeward_http_stop(struct homeward_http *server);

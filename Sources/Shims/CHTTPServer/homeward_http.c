#include "homeward_http.h"

#include <arpa/inet.h>
#include <errno.h>
#include <microhttpd.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

/* What is malformed is refused; the option has another name in newer versions. */
#if MHD_VERSION >= 0x00097701
#define STRICTLY MHD_OPTION_CLIENT_DISCIPLINE_LVL
#else
#define STRICTLY MHD_OPTION_STRICT_FOR_CLIENT
#endif

struct exchange {
  uint64_t number;
  struct MHD_Connection *connection;
  struct homeward_http *server;
  char *target;
  const char *method; /* libmicrohttpd's, as long as the request lives */
  uint8_t *body;
  size_t body_length;
  size_t body_room;
  uint8_t *waiting; /* pieces of an answer that the client has not taken */
  size_t waiting_start;
  size_t waiting_length;
  size_t waiting_room;
  struct MHD_Response *response; /* set once answered */
  unsigned status;
  bool has_begun;
  bool has_been_handed_over;
  bool is_suspended;
  bool is_piecewise;
  bool is_ended;
  struct exchange *next;
};

/* What somebody does at their connection, in the order in which they make room for others: who was answered keeps it only
   for the next time, who asks may be slow on purpose, and who waits for an answer is not to blame. */
enum phase { keeps, asks, waits };

/* One connection of somebody, who has a deadline for each request. */
struct client {
  int fd;
  enum phase phase;
  int64_t deadline; /* milliseconds of CLOCK_MONOTONIC; moved when a request has been answered whole */
  bool is_hung_up;
  struct client *next;
};

struct homeward_http {
  struct MHD_Daemon *daemon;
  homeward_http_handler handler;
  homeward_http_over over;
  void *context;
  uint64_t last_number;
  uint64_t closed_connections;
  struct exchange *open;
  struct client *clients; /* newest first */
  unsigned connections;
  unsigned most_connections;
  int64_t patience_milliseconds;
  size_t body_limit;
  int epoll;
  uint16_t port;
};

static int64_t now_milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static const int64_t no_deadline = INT64_MAX;

/* Lets libmicrohttpd find the connection closed; it forgets it then. */
static void hang_up(struct client *client) {
  shutdown(client->fd, SHUT_RDWR);
  client->is_hung_up = true;
  client->deadline = no_deadline;
}

/* The one whose deadline comes first, the oldest of equals; NULL when none has one. */
static struct client *first_due(struct homeward_http *server) {
  struct client *first = NULL;
  for (struct client *client = server->clients; client; client = client->next) {
    if (client->deadline == no_deadline) continue;
    if (!first || client->deadline <= first->deadline) first = client;
  }
  return first;
}

/* The one who makes room for somebody new: of the earliest phase the first that is due; NULL when nobody does. */
static struct client *first_to_go(struct homeward_http *server) {
  struct client *first = NULL;
  for (struct client *client = server->clients; client; client = client->next) {
    if (client->deadline == no_deadline) continue;
    if (!first || client->phase < first->phase ||
        (client->phase == first->phase && client->deadline <= first->deadline))
      first = client;
  }
  return first;
}

static struct exchange *find(struct homeward_http *server, uint64_t number) {
  struct exchange *exchange = server->open;
  while (exchange && exchange->number != number) exchange = exchange->next;
  return exchange;
}

static struct client *client_of(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
  return info ? info->socket_context : NULL;
}

/* libmicrohttpd calls this with the first line of a request; what it returns is the state of the request. */
static void *open_exchange(void *context, const char *target, struct MHD_Connection *connection) {
  struct homeward_http *server = context;
  struct exchange *exchange = calloc(1, sizeof *exchange);
  if (!exchange) return NULL;
  exchange->target = strdup(target);
  exchange->number = ++server->last_number;
  exchange->connection = connection;
  exchange->server = server;
  exchange->next = server->open;
  server->open = exchange;
  struct client *client = client_of(connection);
  if (client) client->phase = asks;
  return exchange;
}

static void close_exchange(void *context, struct MHD_Connection *connection, void **state,
                           enum MHD_RequestTerminationCode code) {
  struct homeward_http *server = context;
  struct exchange *exchange = *state;
  (void)code;
  struct client *client = client_of(connection);
  if (client && !client->is_hung_up) {
    client->deadline = now_milliseconds() + server->patience_milliseconds;
    client->phase = keeps;
  }
  if (!exchange) return;
  *state = NULL;
  struct exchange **link = &server->open;
  while (*link && *link != exchange) link = &(*link)->next;
  if (*link) *link = exchange->next;
  if (exchange->is_piecewise && server->over) server->over(server->context, exchange->number);
  if (exchange->response) MHD_destroy_response(exchange->response);
  free(exchange->target);
  free(exchange->body);
  free(exchange->waiting);
  free(exchange);
}

struct counted {
  const char *name;
  const char *value;
  unsigned count;
};

static enum MHD_Result count_header(void *context, enum MHD_ValueKind kind, const char *name, const char *value) {
  struct counted *counted = context;
  (void)kind;
  if (strcasecmp(name, counted->name) != 0) return MHD_YES;
  counted->value = value;
  counted->count++;
  return MHD_YES;
}

static struct counted headers_named(struct exchange *exchange, const char *name) {
  struct counted counted = {.name = name};
  MHD_get_connection_values(exchange->connection, MHD_HEADER_KIND, count_header, &counted);
  return counted;
}

/* Refuses a request before its body is read; the connection ends with it. */
static enum MHD_Result refuse(struct exchange *exchange, unsigned status) {
  struct MHD_Response *response = MHD_create_response_from_buffer(0, "", MHD_RESPMEM_PERSISTENT);
  if (!response) return MHD_NO;
  MHD_add_response_header(response, "Connection", "close");
  enum MHD_Result result = MHD_queue_response(exchange->connection, status, response);
  MHD_destroy_response(response);
  return result;
}

/* Looks at the headers: how long a body is has to be said once, and in one way. */
static enum MHD_Result begin(struct exchange *exchange) {
  exchange->has_begun = true;
  struct counted coding = headers_named(exchange, "Transfer-Encoding");
  struct counted length = headers_named(exchange, "Content-Length");
  if (coding.count > 0 && length.count > 0) return refuse(exchange, MHD_HTTP_BAD_REQUEST);
  if (coding.count > 0) return refuse(exchange, MHD_HTTP_LENGTH_REQUIRED);
  if (length.count > 1) return refuse(exchange, MHD_HTTP_BAD_REQUEST);
  if (length.count == 0) return MHD_YES;
  for (const char *digit = length.value; *digit; digit++) {
    if (*digit < '0' || *digit > '9') return refuse(exchange, MHD_HTTP_BAD_REQUEST);
  }
  errno = 0;
  unsigned long long wanted = strtoull(length.value, NULL, 10);
  if (errno || wanted > exchange->server->body_limit) return refuse(exchange, MHD_HTTP_CONTENT_TOO_LARGE);
  return MHD_YES;
}

static bool has_room(uint8_t **bytes, size_t *room, size_t wanted) {
  if (wanted <= *room) return true;
  size_t larger = *room ? *room : 1024;
  while (larger < wanted) larger *= 2;
  uint8_t *grown = realloc(*bytes, larger);
  if (!grown) return false;
  *bytes = grown;
  *room = larger;
  return true;
}

static bool take_body(struct exchange *exchange, const char *piece, size_t length) {
  size_t wanted = exchange->body_length + length;
  if (wanted > exchange->server->body_limit) return false;
  if (!has_room(&exchange->body, &exchange->body_room, wanted)) return false;
  memcpy(exchange->body + exchange->body_length, piece, length);
  exchange->body_length = wanted;
  return true;
}

/* libmicrohttpd calls this first with the headers, then for each piece of a body, then for the end, and once more
   after a suspended connection was resumed. */
static enum MHD_Result handle(void *context, struct MHD_Connection *connection, const char *path, const char *method,
                              const char *version, const char *piece, size_t *length, void **state) {
  struct homeward_http *server = context;
  struct exchange *exchange = *state;
  (void)path;
  (void)version;
  if (!exchange || !exchange->target) return MHD_NO;
  if (!exchange->has_begun) return begin(exchange);
  if (*length > 0) {
    if (!take_body(exchange, piece, *length)) return MHD_NO;
    *length = 0;
    return MHD_YES;
  }
  if (!exchange->has_been_handed_over) {
    exchange->has_been_handed_over = true;
    exchange->method = method;
    struct client *client = client_of(connection);
    if (client) client->phase = waits;
    server->handler(server->context, exchange->number);
  }
  if (exchange->response) {
    struct client *client = client_of(connection);
    if (exchange->is_piecewise && client && !client->is_hung_up) client->deadline = no_deadline;
    return MHD_queue_response(connection, exchange->status, exchange->response);
  }
  exchange->is_suspended = true;
  MHD_suspend_connection(connection);
  return MHD_YES;
}

static void greet(struct homeward_http *server, struct MHD_Connection *connection, void **state) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  struct client *client = info ? calloc(1, sizeof *client) : NULL;
  if (!client) return;
  /* Somebody who is slow makes room for somebody who may not be. */
  if (server->connections >= server->most_connections) {
    struct client *slowest = first_to_go(server);
    if (slowest) hang_up(slowest);
  }
  client->fd = info->connect_fd;
  client->phase = asks;
  client->deadline = now_milliseconds() + server->patience_milliseconds;
  client->next = server->clients;
  server->clients = client;
  server->connections++;
  *state = client;
}

static void follow(void *context, struct MHD_Connection *connection, void **state,
                   enum MHD_ConnectionNotificationCode code) {
  struct homeward_http *server = context;
  if (code == MHD_CONNECTION_NOTIFY_STARTED) {
    greet(server, connection, state);
    return;
  }
  server->closed_connections++;
  struct client *client = *state;
  if (!client) return;
  struct client **link = &server->clients;
  while (*link && *link != client) link = &(*link)->next;
  if (*link) *link = client->next;
  server->connections--;
  free(client);
  *state = NULL;
}

static void keep_quiet(void *context, const char *format, va_list arguments) {
  (void)context;
  (void)format;
  (void)arguments;
}

static int listen_on(const char *address, uint16_t port) {
  struct sockaddr_in v4 = {.sin_family = AF_INET, .sin_port = htons(port)};
  struct sockaddr_in6 v6 = {.sin6_family = AF_INET6, .sin6_port = htons(port)};
  bool is_v4 = inet_pton(AF_INET, address, &v4.sin_addr) == 1;
  if (!is_v4 && inet_pton(AF_INET6, address, &v6.sin6_addr) != 1) {
    errno = EINVAL;
    return -1;
  }
  int fd = socket(is_v4 ? AF_INET : AF_INET6, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (fd < 0) return -1;
  int on = 1;
  setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  const struct sockaddr *name = is_v4 ? (const struct sockaddr *)&v4 : (const struct sockaddr *)&v6;
  if (bind(fd, name, is_v4 ? sizeof v4 : sizeof v6) == 0 && listen(fd, 1024) == 0) return fd;
  int error = errno;
  close(fd);
  errno = error;
  return -1;
}

static uint16_t port_of(int fd) {
  struct sockaddr_storage name = {0};
  socklen_t length = sizeof name;
  if (getsockname(fd, (struct sockaddr *)&name, &length) < 0) return 0;
  if (name.ss_family == AF_INET) return ntohs(((struct sockaddr_in *)&name)->sin_port);
  return ntohs(((struct sockaddr_in6 *)&name)->sin6_port);
}

struct homeward_http *homeward_http_start(const struct homeward_http_settings *settings) {
  struct homeward_http *server = calloc(1, sizeof *server);
  if (!server) return NULL;
  server->handler = settings->handler;
  server->over = settings->over;
  server->context = settings->context;
  server->most_connections = settings->connections;
  server->patience_milliseconds = settings->patience_milliseconds;
  server->body_limit = settings->body_limit;
  int fd = listen_on(settings->address, settings->port);
  if (fd < 0) {
    free(server);
    return NULL;
  }
  server->port = port_of(fd);
  bool is_encrypted = settings->certificate && settings->key;
  struct MHD_OptionItem encryption[] = {
      {MHD_OPTION_HTTPS_MEM_CERT, 0, (void *)settings->certificate},
      {MHD_OPTION_HTTPS_MEM_KEY, 0, (void *)settings->key},
      {MHD_OPTION_HTTPS_PRIORITIES, 0, "SECURE128:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2"},
      {MHD_OPTION_END, 0, NULL},
  };
  struct MHD_OptionItem plain[] = {{MHD_OPTION_END, 0, NULL}};
  server->daemon = MHD_start_daemon(
      MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ERROR_LOG | (is_encrypted ? MHD_USE_TLS : 0), 0, NULL, NULL,
      handle, server, MHD_OPTION_EXTERNAL_LOGGER, keep_quiet, NULL, MHD_OPTION_LISTEN_SOCKET, fd,
      MHD_OPTION_CONNECTION_LIMIT, 2 * settings->connections, MHD_OPTION_CONNECTION_TIMEOUT, 10u,
      MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)8192, STRICTLY, 1,
      MHD_OPTION_URI_LOG_CALLBACK, open_exchange, server, MHD_OPTION_NOTIFY_COMPLETED, close_exchange, server,
      MHD_OPTION_NOTIFY_CONNECTION, follow, server, MHD_OPTION_ARRAY, is_encrypted ? encryption : plain,
      MHD_OPTION_END);
  const union MHD_DaemonInfo *info =
      server->daemon ? MHD_get_daemon_info(server->daemon, MHD_DAEMON_INFO_EPOLL_FD) : NULL;
  if (!info) {
    if (server->daemon) MHD_stop_daemon(server->daemon);
    else close(fd);
    free(server);
    errno = is_encrypted ? EBADMSG : ENOMEM;
    return NULL;
  }
  server->epoll = info->epoll_fd;
  return server;
}

uint16_t homeward_http_port(const struct homeward_http *server) { return server->port; }

int homeward_http_descriptor(const struct homeward_http *server) { return server->epoll; }

void homeward_http_run(struct homeward_http *server) {
  uint64_t closed;
  int64_t now = now_milliseconds();
  for (struct client *client = server->clients; client; client = client->next) {
    if (client->deadline <= now) hang_up(client);
  }
  do {
    closed = server->closed_connections;
    MHD_run(server->daemon);
    /* At its limit libmicrohttpd stops listening, and starts again only in the run after a connection closed. */
  } while (server->closed_connections != closed);
}

int64_t homeward_http_timeout_milliseconds(struct homeward_http *server) {
  MHD_UNSIGNED_LONG_LONG timeout;
  int64_t milliseconds = -1;
  if (MHD_get_timeout(server->daemon, &timeout) == MHD_YES) milliseconds = timeout > 3600000 ? 3600000 : (int64_t)timeout;
  const struct client *first = first_due(server);
  if (!first) return milliseconds;
  int64_t left = first->deadline - now_milliseconds();
  if (left < 0) left = 0;
  return milliseconds >= 0 && milliseconds < left ? milliseconds : left;
}

const char *homeward_http_method(struct homeward_http *server, uint64_t request) {
  struct exchange *exchange = find(server, request);
  return exchange ? exchange->method : NULL;
}

const char *homeward_http_target(struct homeward_http *server, uint64_t request) {
  struct exchange *exchange = find(server, request);
  return exchange ? exchange->target : NULL;
}

const char *homeward_http_header(struct homeward_http *server, uint64_t request, const char *name, unsigned *count) {
  struct exchange *exchange = find(server, request);
  struct counted counted = {0};
  if (exchange) counted = headers_named(exchange, name);
  if (count) *count = counted.count;
  return counted.value;
}

const uint8_t *homeward_http_body(struct homeward_http *server, uint64_t request, size_t *length) {
  struct exchange *exchange = find(server, request);
  *length = exchange ? exchange->body_length : 0;
  return exchange ? exchange->body : NULL;
}

bool homeward_http_peer(struct homeward_http *server, uint64_t request, char *text, size_t size) {
  struct exchange *exchange = find(server, request);
  const union MHD_ConnectionInfo *info =
      exchange ? MHD_get_connection_info(exchange->connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS) : NULL;
  if (!info || !info->client_addr) return false;
  const struct sockaddr *name = info->client_addr;
  if (name->sa_family == AF_INET) {
    return inet_ntop(AF_INET, &((const struct sockaddr_in *)name)->sin_addr, text, (socklen_t)size) != NULL;
  }
  const struct in6_addr *address = &((const struct sockaddr_in6 *)name)->sin6_addr;
  /* Whoever comes by IPv4 to a socket of both is known by that address. */
  if (IN6_IS_ADDR_V4MAPPED(address)) {
    return inet_ntop(AF_INET, (const uint8_t *)address + 12, text, (socklen_t)size) != NULL;
  }
  return inet_ntop(AF_INET6, address, text, (socklen_t)size) != NULL;
}

static void go_on(struct exchange *exchange) {
  if (!exchange->is_suspended) return;
  exchange->is_suspended = false;
  MHD_resume_connection(exchange->connection);
}

static void respond(struct exchange *exchange, struct MHD_Response *response, unsigned status,
                    const char *const *headers) {
  exchange->response = response;
  exchange->status = status;
  for (; response && headers[0] && headers[1]; headers += 2) MHD_add_response_header(response, headers[0], headers[1]);
  go_on(exchange);
}

void homeward_http_answer(struct homeward_http *server, uint64_t request, unsigned status, const char *const *headers,
                          const void *body, size_t length) {
  struct exchange *exchange = find(server, request);
  if (!exchange || exchange->response) return;
  static char nothing[1];
  respond(exchange, MHD_create_response_from_buffer(length, length ? (void *)body : nothing, MHD_RESPMEM_MUST_COPY),
          status, headers);
}

/* Gives libmicrohttpd what waits, and lets it sleep when nothing does. */
static ssize_t give_pieces(void *context, uint64_t position, char *buffer, size_t room) {
  struct exchange *exchange = context;
  (void)position;
  size_t length = exchange->waiting_length < room ? exchange->waiting_length : room;
  if (length > 0) {
    memcpy(buffer, exchange->waiting + exchange->waiting_start, length);
    exchange->waiting_length -= length;
    exchange->waiting_start += length;
    if (exchange->waiting_length == 0) {
      /* Most of the time nothing waits, on hundreds of streams. */
      free(exchange->waiting);
      exchange->waiting = NULL;
      exchange->waiting_start = exchange->waiting_room = 0;
    }
    return (ssize_t)length;
  }
  if (exchange->is_ended) return MHD_CONTENT_READER_END_OF_STREAM;
  exchange->is_suspended = true;
  MHD_suspend_connection(exchange->connection);
  return 0;
}

bool homeward_http_begin(struct homeward_http *server, uint64_t request, unsigned status, const char *const *headers) {
  struct exchange *exchange = find(server, request);
  if (!exchange || exchange->response) return false;
  struct MHD_Response *response =
      MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, 1024, give_pieces, exchange, NULL);
  if (!response) return false;
  exchange->is_piecewise = true;
  respond(exchange, response, status, headers);
  return true;
}

bool homeward_http_send(struct homeward_http *server, uint64_t request, const void *piece, size_t length,
                        size_t limit) {
  struct exchange *exchange = find(server, request);
  if (!exchange || !exchange->is_piecewise || exchange->is_ended) return false;
  if (exchange->waiting_length + length > limit) return false;
  if (exchange->waiting_start > 0) {
    memmove(exchange->waiting, exchange->waiting + exchange->waiting_start, exchange->waiting_length);
    exchange->waiting_start = 0;
  }
  if (!has_room(&exchange->waiting, &exchange->waiting_room, exchange->waiting_length + length)) return false;
  memcpy(exchange->waiting + exchange->waiting_length, piece, length);
  exchange->waiting_length += length;
  go_on(exchange);
  return true;
}

void homeward_http_end(struct homeward_http *server, uint64_t request) {
  struct exchange *exchange = find(server, request);
  if (!exchange || !exchange->is_piecewise) return;
  exchange->is_ended = true;
  go_on(exchange);
}

void homeward_http_stop(struct homeward_http *server) {
  for (struct exchange *exchange = server->open; exchange; exchange = exchange->next) {
    if (!exchange->is_suspended) continue;
    exchange->is_suspended = false;
    MHD_resume_connection(exchange->connection);
  }
  MHD_stop_daemon(server->daemon);
  free(server);
}

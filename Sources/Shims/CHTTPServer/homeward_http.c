#include "homeward_http.h"

#include <arpa/inet.h>
#include <errno.h>
#include <microhttpd.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

struct exchange {
  uint64_t number;
  struct MHD_Connection *connection;
  struct MHD_Response *response; /* set once answered */
  unsigned status;
  bool has_been_handed_over;
  bool is_suspended;
  struct exchange *next;
};

/* One connection of somebody, who has a deadline for each request. */
struct client {
  int fd;
  int64_t deadline; /* milliseconds of CLOCK_MONOTONIC; moved when a request has been answered whole */
  struct client *next;
};

struct homeward_http {
  struct MHD_Daemon *daemon;
  homeward_http_handler handler;
  void *context;
  uint64_t last_number;
  uint64_t closed_connections;
  struct exchange *open;
  struct client *clients; /* newest first */
  unsigned connections;
  unsigned most_connections;
  int64_t patience_milliseconds;
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

static struct exchange *find(struct homeward_http *server, uint64_t number) {
  struct exchange *exchange = server->open;
  while (exchange && exchange->number != number) exchange = exchange->next;
  return exchange;
}

static struct exchange *open_exchange(struct homeward_http *server, struct MHD_Connection *connection) {
  struct exchange *exchange = calloc(1, sizeof *exchange);
  if (!exchange) return NULL;
  exchange->number = ++server->last_number;
  exchange->connection = connection;
  exchange->next = server->open;
  server->open = exchange;
  return exchange;
}

static void close_exchange(void *context, struct MHD_Connection *connection, void **state,
                           enum MHD_RequestTerminationCode code) {
  struct homeward_http *server = context;
  struct exchange *exchange = *state;
  (void)code;
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
  struct client *client = info ? info->socket_context : NULL;
  if (client && client->deadline != no_deadline) client->deadline = now_milliseconds() + server->patience_milliseconds;
  if (!exchange) return;
  struct exchange **link = &server->open;
  while (*link && *link != exchange) link = &(*link)->next;
  if (*link) *link = exchange->next;
  if (exchange->response) MHD_destroy_response(exchange->response);
  free(exchange);
  *state = NULL;
}

/* libmicrohttpd calls this first with the headers, then for each piece of a body, then for the end, and once more
   after a suspended connection was resumed. */
static enum MHD_Result handle(void *context, struct MHD_Connection *connection, const char *path, const char *method,
                              const char *version, const char *body, size_t *length, void **state) {
  struct homeward_http *server = context;
  struct exchange *exchange = *state;
  (void)version;
  (void)body;
  if (!exchange) {
    exchange = open_exchange(server, connection);
    if (!exchange) return MHD_NO;
    *state = exchange;
    return MHD_YES;
  }
  if (*length > 0) return MHD_NO; /* nobody sends bodies here */
  if (!exchange->has_been_handed_over) {
    exchange->has_been_handed_over = true;
    server->handler(server->context, exchange->number, method, path);
  }
  if (exchange->response) return MHD_queue_response(connection, exchange->status, exchange->response);
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
    struct client *slowest = first_due(server);
    if (slowest) hang_up(slowest);
  }
  client->fd = info->connect_fd;
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
  if (bind(fd, name, is_v4 ? sizeof v4 : sizeof v6) == 0 && listen(fd, 16) == 0) return fd;
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

struct homeward_http *homeward_http_start(const char *address, uint16_t port, unsigned connections,
                                          int64_t patience_milliseconds, homeward_http_handler handler,
                                          void *context) {
  struct homeward_http *server = calloc(1, sizeof *server);
  if (!server) return NULL;
  server->handler = handler;
  server->context = context;
  server->most_connections = connections;
  server->patience_milliseconds = patience_milliseconds;
  int fd = listen_on(address, port);
  if (fd < 0) {
    free(server);
    return NULL;
  }
  server->port = port_of(fd);
  server->daemon = MHD_start_daemon(
      MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ERROR_LOG, 0, NULL, NULL, handle, server,
      MHD_OPTION_EXTERNAL_LOGGER, keep_quiet, NULL, MHD_OPTION_LISTEN_SOCKET, fd, MHD_OPTION_CONNECTION_LIMIT,
      2 * connections, MHD_OPTION_CONNECTION_TIMEOUT, 10u, MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)16384,
      MHD_OPTION_NOTIFY_COMPLETED, close_exchange, server, MHD_OPTION_NOTIFY_CONNECTION, follow,
      server, MHD_OPTION_END);
  const union MHD_DaemonInfo *info =
      server->daemon ? MHD_get_daemon_info(server->daemon, MHD_DAEMON_INFO_EPOLL_FD) : NULL;
  if (!info) {
    if (server->daemon) MHD_stop_daemon(server->daemon);
    else close(fd);
    free(server);
    errno = ENOMEM;
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

void homeward_http_answer(struct homeward_http *server, uint64_t request, unsigned status, const char *content_type,
                          const char *allow, const void *body, size_t length) {
  struct exchange *exchange = find(server, request);
  if (!exchange || exchange->response) return;
  static char nothing[1];
  exchange->response =
      MHD_create_response_from_buffer(length, length ? (void *)body : nothing, MHD_RESPMEM_MUST_COPY);
  exchange->status = status;
  if (exchange->response) {
    MHD_add_response_header(exchange->response, "Content-Type", content_type);
    MHD_add_response_header(exchange->response, "Cache-Control", "no-store");
    MHD_add_response_header(exchange->response, "X-Content-Type-Options", "nosniff");
    if (allow) MHD_add_response_header(exchange->response, "Allow", allow);
  }
  if (exchange->is_suspended) {
    exchange->is_suspended = false;
    MHD_resume_connection(exchange->connection);
  }
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

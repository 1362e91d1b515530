// The part of libcurl that Homeward uses, without variadic functions and with the memory of one transfer in one place.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Transfers that share connections, driven by somebody else's event loop (curl_multi).
typedef struct homeward_curl homeward_curl;
// One request and what came of it (curl_easy).
typedef struct homeward_transfer homeward_transfer;

// What the owner of the event loop does for the transfers.
struct homeward_curl_handlers {
  void *context;
  // Watch a descriptor in these directions; in neither: watch it no more.
  void (*watch)(void *context, int descriptor, bool reading, bool writing);
  // Call homeward_curl_timeout after so many milliseconds; negative: not any more.
  void (*wake)(void *context, long milliseconds);
  // The transfer has ended; it belongs to the owner again.
  void (*finished)(void *context, homeward_transfer *transfer);
};

// Prepares the library; false when it cannot work. Call it before any thread uses another function.
bool homeward_curl_prepare(void);

// NULL when memory is short.
homeward_curl *homeward_curl_create(const struct homeward_curl_handlers *handlers);
void homeward_curl_ready(
    homeward_curl *curl, int descriptor, bool readable, bool writable, bool hung_up);
void homeward_curl_timeout(homeward_curl *curl);
bool homeward_curl_start(homeward_curl *curl, homeward_transfer *transfer);
void homeward_curl_stop(homeward_curl *curl, homeward_transfer *transfer);

// What is asked; everything is copied. NULL where a text is not wanted.
struct homeward_transfer_options {
  const char *url;
  // Schemes that may be spoken, separated by commas.
  const char *schemes;
  // PEM file of the authorities to trust; NULL for those of the system.
  const char *authorities;
  const char *proxy;
  // user:password
  const char *proxy_login;
  const char *username;
  const char *password;
  // The sender of a mail; NULL for a POST.
  const char *sender;
  // Whether a mail may leave only encrypted (STARTTLS).
  bool requires_encryption;
  long timeout_milliseconds;
  // The most bytes of an answer that are kept.
  size_t answer_limit;
};

// NULL when memory is short or an option is not taken.
homeward_transfer *homeward_transfer_create(
    const struct homeward_transfer_options *options, const uint8_t *body, size_t count);
void homeward_transfer_destroy(homeward_transfer *transfer);
bool homeward_transfer_add_header(homeward_transfer *transfer, const char *line);
bool homeward_transfer_add_recipient(homeward_transfer *transfer, const char *address);
// Carries the transfer out and returns when it has ended; for a thread of its own.
void homeward_transfer_perform(homeward_transfer *transfer);

enum homeward_failure {
  homeward_failure_none,
  homeward_failure_unknown_host,
  homeward_failure_unknown_proxy,
  homeward_failure_connect,
  homeward_failure_timed_out,
  homeward_failure_certificate,
  homeward_failure_name,
  homeward_failure_encryption,
  homeward_failure_no_encryption,
  homeward_failure_authorities,
  homeward_failure_closed,
  homeward_failure_broken,
  homeward_failure_login,
  homeward_failure_refused,
  homeward_failure_other,
};

// What came of a transfer; pointers live as long as the transfer.
struct homeward_transfer_result {
  enum homeward_failure failure;
  // The system's error number of a connection that was not made, or 0.
  long error_number;
  // The last status of the far end (HTTP or SMTP), or 0.
  long status;
  // The proxy's status, when it did not let us through, or 0.
  long proxy_status;
  // libcurl's words about a failure; never NULL.
  const char *message;
  // NULL when there is none.
  const char *retry_after;
  const uint8_t *answer;
  size_t answer_count;
  bool is_answer_cut;
};

struct homeward_transfer_result homeward_transfer_result(homeward_transfer *transfer);

// What an address consists of.
struct homeward_url_parts {
  char scheme[16];
  char host[256];
  bool has_login;
};

// False when the text is no address that libcurl can use.
bool homeward_url_read(const char *text, struct homeward_url_parts *parts);

// Seconds since 1970 of a date as HTTP writes it, or -1.
int64_t homeward_http_date(const char *text);

#include "homeward_curl.h"

#include <curl/curl.h>
#include <stdlib.h>
#include <string.h>

struct homeward_curl {
  CURLM *multi;
  struct homeward_curl_handlers handlers;
};

struct homeward_transfer {
  CURL *easy;
  struct curl_slist *headers;
  struct curl_slist *recipients;
  uint8_t *body;
  size_t body_count;
  size_t body_sent;
  uint8_t *answer;
  size_t answer_count;
  size_t answer_limit;
  bool is_answer_cut;
  CURLcode code;
  char message[CURL_ERROR_SIZE];
};

bool homeward_curl_prepare(void) { return curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK; }

// Transfers on an event loop

static int note_socket(CURL *easy, curl_socket_t socket, int what, void *context, void *unused) {
  (void)easy;
  (void)unused;
  homeward_curl *curl = context;
  curl->handlers.watch(
      curl->handlers.context, (int)socket, what == CURL_POLL_IN || what == CURL_POLL_INOUT,
      what == CURL_POLL_OUT || what == CURL_POLL_INOUT);
  return 0;
}

static int note_timer(CURLM *multi, long milliseconds, void *context) {
  (void)multi;
  homeward_curl *curl = context;
  curl->handlers.wake(curl->handlers.context, milliseconds);
  return 0;
}

homeward_curl *homeward_curl_create(const struct homeward_curl_handlers *handlers) {
  homeward_curl *curl = calloc(1, sizeof *curl);
  if (!curl) return NULL;
  curl->handlers = *handlers;
  curl->multi = curl_multi_init();
  if (!curl->multi) {
    free(curl);
    return NULL;
  }
  curl_multi_setopt(curl->multi, CURLMOPT_SOCKETFUNCTION, note_socket);
  curl_multi_setopt(curl->multi, CURLMOPT_SOCKETDATA, curl);
  curl_multi_setopt(curl->multi, CURLMOPT_TIMERFUNCTION, note_timer);
  curl_multi_setopt(curl->multi, CURLMOPT_TIMERDATA, curl);
  curl_multi_setopt(curl->multi, CURLMOPT_MAXCONNECTS, 4L);
  return curl;
}

// The handlers are called outside of libcurl's own functions, so that they may start the next transfer.
static void hand_over_finished(homeward_curl *curl) {
  CURLMsg *message;
  int left;
  while ((message = curl_multi_info_read(curl->multi, &left))) {
    if (message->msg != CURLMSG_DONE) continue;
    CURL *easy = message->easy_handle;
    CURLcode code = message->data.result;
    char *owner = NULL;
    curl_easy_getinfo(easy, CURLINFO_PRIVATE, &owner);
    curl_multi_remove_handle(curl->multi, easy);
    homeward_transfer *transfer = (homeward_transfer *)(void *)owner;
    transfer->code = code;
    curl->handlers.finished(curl->handlers.context, transfer);
  }
}

void homeward_curl_ready(
    homeward_curl *curl, int descriptor, bool readable, bool writable, bool hung_up) {
  int running;
  int events = (readable ? CURL_CSELECT_IN : 0) | (writable ? CURL_CSELECT_OUT : 0);
  // With no direction named libcurl looks for itself.
  curl_multi_socket_action(curl->multi, descriptor, hung_up ? 0 : events, &running);
  hand_over_finished(curl);
}

void homeward_curl_timeout(homeward_curl *curl) {
  int running;
  curl_multi_socket_action(curl->multi, CURL_SOCKET_TIMEOUT, 0, &running);
  hand_over_finished(curl);
}

bool homeward_curl_start(homeward_curl *curl, homeward_transfer *transfer) {
  return curl_multi_add_handle(curl->multi, transfer->easy) == CURLM_OK;
}

void homeward_curl_stop(homeward_curl *curl, homeward_transfer *transfer) {
  curl_multi_remove_handle(curl->multi, transfer->easy);
}

// One transfer

static size_t take_answer(char *bytes, size_t size, size_t count, void *context) {
  homeward_transfer *transfer = context;
  size_t added = size * count;
  size_t room = transfer->answer_limit - transfer->answer_count;
  if (added > room) {
    // Whatever comes after what is kept is nobody's business: the transfer ends here.
    transfer->is_answer_cut = true;
    return 0;
  }
  if (added == 0) return 0;
  uint8_t *grown = realloc(transfer->answer, transfer->answer_count + added);
  if (!grown) return 0;
  memcpy(grown + transfer->answer_count, bytes, added);
  transfer->answer = grown;
  transfer->answer_count += added;
  return added;
}

static size_t give_body(char *place, size_t size, size_t count, void *context) {
  homeward_transfer *transfer = context;
  size_t room = size * count;
  size_t left = transfer->body_count - transfer->body_sent;
  size_t given = left < room ? left : room;
  if (given > 0) memcpy(place, transfer->body + transfer->body_sent, given);
  transfer->body_sent += given;
  return given;
}

#define SET(option, value) (ok = ok && curl_easy_setopt(easy, option, value) == CURLE_OK)

static bool set_common(homeward_transfer *transfer, const struct homeward_transfer_options *options) {
  CURL *easy = transfer->easy;
  bool ok = true;
  SET(CURLOPT_PRIVATE, (char *)(void *)transfer);
  SET(CURLOPT_ERRORBUFFER, transfer->message);
  SET(CURLOPT_NOSIGNAL, 1L);
  SET(CURLOPT_NOPROGRESS, 1L);
  SET(CURLOPT_URL, options->url);
  SET(CURLOPT_PROTOCOLS_STR, options->schemes);
  SET(CURLOPT_FOLLOWLOCATION, 0L);
  SET(CURLOPT_SSL_VERIFYPEER, 1L);
  SET(CURLOPT_SSL_VERIFYHOST, 2L);
  SET(CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
  if (options->authorities) {
    SET(CURLOPT_CAINFO, options->authorities);
    SET(CURLOPT_CAPATH, (char *)NULL);
  }
  // An empty text keeps libcurl from looking for a proxy in the environment.
  SET(CURLOPT_PROXY, options->proxy ? options->proxy : "");
  if (options->proxy_login) SET(CURLOPT_PROXYUSERPWD, options->proxy_login);
  SET(CURLOPT_TIMEOUT_MS, options->timeout_milliseconds);
  SET(CURLOPT_CONNECTTIMEOUT_MS, options->timeout_milliseconds);
  SET(CURLOPT_WRITEFUNCTION, take_answer);
  SET(CURLOPT_WRITEDATA, transfer);
  return ok;
}

static bool set_post(homeward_transfer *transfer) {
  CURL *easy = transfer->easy;
  bool ok = true;
  // One request at a time on a connection: an alarm never shares one with a record batch that hangs.
  SET(CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
  SET(CURLOPT_POST, 1L);
  SET(CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)transfer->body_count);
  SET(CURLOPT_POSTFIELDS, transfer->body_count ? (char *)transfer->body : "");
  return ok;
}

static bool set_mail(homeward_transfer *transfer, const struct homeward_transfer_options *options) {
  CURL *easy = transfer->easy;
  bool ok = true;
  SET(CURLOPT_UPLOAD, 1L);
  SET(CURLOPT_READFUNCTION, give_body);
  SET(CURLOPT_READDATA, transfer);
  SET(CURLOPT_INFILESIZE_LARGE, (curl_off_t)transfer->body_count);
  SET(CURLOPT_MAIL_FROM, options->sender);
  SET(CURLOPT_FRESH_CONNECT, 1L);
  SET(CURLOPT_FORBID_REUSE, 1L);
  // Bounds also the wait for the answer to QUIT, which the time limit of the transfer does not.
  SET(CURLOPT_SERVER_RESPONSE_TIMEOUT, options->timeout_milliseconds / 1000 + 1);
  SET(CURLOPT_USE_SSL, options->requires_encryption ? (long)CURLUSESSL_ALL : (long)CURLUSESSL_NONE);
  if (options->username) SET(CURLOPT_USERNAME, options->username);
  if (options->password) SET(CURLOPT_PASSWORD, options->password);
  return ok;
}

homeward_transfer *homeward_transfer_create(
    const struct homeward_transfer_options *options, const uint8_t *body, size_t count) {
  homeward_transfer *transfer = calloc(1, sizeof *transfer);
  if (!transfer) return NULL;
  transfer->answer_limit = options->answer_limit;
  transfer->easy = curl_easy_init();
  transfer->body = malloc(count ? count : 1);
  if (!transfer->easy || !transfer->body) {
    homeward_transfer_destroy(transfer);
    return NULL;
  }
  if (count) memcpy(transfer->body, body, count);
  transfer->body_count = count;
  bool ok = set_common(transfer, options);
  ok = ok && (options->sender ? set_mail(transfer, options) : set_post(transfer));
  if (!ok) {
    homeward_transfer_destroy(transfer);
    return NULL;
  }
  return transfer;
}

void homeward_transfer_destroy(homeward_transfer *transfer) {
  if (transfer->easy) curl_easy_cleanup(transfer->easy);
  curl_slist_free_all(transfer->headers);
  curl_slist_free_all(transfer->recipients);
  free(transfer->body);
  free(transfer->answer);
  free(transfer);
}

static bool append(struct curl_slist **list, const char *text) {
  struct curl_slist *longer = curl_slist_append(*list, text);
  if (!longer) return false;
  *list = longer;
  return true;
}

bool homeward_transfer_add_header(homeward_transfer *transfer, const char *line) {
  return append(&transfer->headers, line) &&
         curl_easy_setopt(transfer->easy, CURLOPT_HTTPHEADER, transfer->headers) == CURLE_OK;
}

bool homeward_transfer_add_recipient(homeward_transfer *transfer, const char *address) {
  return append(&transfer->recipients, address) &&
         curl_easy_setopt(transfer->easy, CURLOPT_MAIL_RCPT, transfer->recipients) == CURLE_OK;
}

void homeward_transfer_perform(homeward_transfer *transfer) {
  transfer->code = curl_easy_perform(transfer->easy);
}

// What came of it

static enum homeward_failure failure(const homeward_transfer *transfer) {
  switch (transfer->code) {
    case CURLE_OK: return homeward_failure_none;
    case CURLE_COULDNT_RESOLVE_HOST: return homeward_failure_unknown_host;
    case CURLE_COULDNT_RESOLVE_PROXY: return homeward_failure_unknown_proxy;
    case CURLE_COULDNT_CONNECT: return homeward_failure_connect;
    case CURLE_OPERATION_TIMEDOUT: return homeward_failure_timed_out;
    case CURLE_PEER_FAILED_VERIFICATION:
      // libcurl writes so of a chain; else the chain is good and the name another.
      return strncmp(transfer->message, "SSL certificate problem", 23) == 0
                 ? homeward_failure_certificate
                 : homeward_failure_name;
    case CURLE_SSL_CACERT_BADFILE: return homeward_failure_authorities;
    case CURLE_SSL_CONNECT_ERROR: return homeward_failure_encryption;
    case CURLE_USE_SSL_FAILED: return homeward_failure_no_encryption;
    case CURLE_GOT_NOTHING: return homeward_failure_closed;
    // The second one is of an answer that ended before its length.
    case CURLE_RECV_ERROR:
    case CURLE_PARTIAL_FILE: return homeward_failure_broken;
    case CURLE_LOGIN_DENIED: return homeward_failure_login;
    case CURLE_SEND_ERROR:
    case CURLE_WEIRD_SERVER_REPLY:
    case CURLE_REMOTE_ACCESS_DENIED: {
      long status = 0;
      curl_easy_getinfo(transfer->easy, CURLINFO_RESPONSE_CODE, &status);
      return status >= 400 ? homeward_failure_refused : homeward_failure_broken;
    }
    // The answer was longer than what is kept, and its status is known.
    case CURLE_WRITE_ERROR:
      return transfer->is_answer_cut ? homeward_failure_none : homeward_failure_other;
    default: return homeward_failure_other;
  }
}

struct homeward_transfer_result homeward_transfer_result(homeward_transfer *transfer) {
  struct homeward_transfer_result result = {
      .failure = failure(transfer),
      .message = transfer->message[0] ? transfer->message : curl_easy_strerror(transfer->code),
      .answer = transfer->answer,
      .answer_count = transfer->answer_count,
      .is_answer_cut = transfer->is_answer_cut,
  };
  curl_easy_getinfo(transfer->easy, CURLINFO_OS_ERRNO, &result.error_number);
  curl_easy_getinfo(transfer->easy, CURLINFO_RESPONSE_CODE, &result.status);
  curl_easy_getinfo(transfer->easy, CURLINFO_HTTP_CONNECTCODE, &result.proxy_status);
  struct curl_header *header;
  if (curl_easy_header(transfer->easy, "Retry-After", 0, CURLH_HEADER, -1, &header) == CURLHE_OK) {
    result.retry_after = header->value;
  }
  return result;
}

// Addresses and dates

static bool copy_part(CURLU *url, CURLUPart part, char *place, size_t room) {
  char *text = NULL;
  if (curl_url_get(url, part, &text, 0) != CURLUE_OK || !text) return false;
  bool fits = strlen(text) < room;
  if (fits) memcpy(place, text, strlen(text) + 1);
  curl_free(text);
  return fits;
}

static bool has_part(CURLU *url, CURLUPart part) {
  char *text = NULL;
  if (curl_url_get(url, part, &text, 0) != CURLUE_OK) return false;
  curl_free(text);
  return true;
}

bool homeward_url_read(const char *text, struct homeward_url_parts *parts) {
  CURLU *url = curl_url();
  if (!url) return false;
  memset(parts, 0, sizeof *parts);
  bool ok = curl_url_set(url, CURLUPART_URL, text, CURLU_NON_SUPPORT_SCHEME) == CURLUE_OK &&
            copy_part(url, CURLUPART_SCHEME, parts->scheme, sizeof parts->scheme) &&
            copy_part(url, CURLUPART_HOST, parts->host, sizeof parts->host);
  parts->has_login = has_part(url, CURLUPART_USER) || has_part(url, CURLUPART_PASSWORD);
  curl_url_cleanup(url);
  return ok;
}

int64_t homeward_http_date(const char *text) {
  time_t seconds = curl_getdate(text, NULL);
  return seconds == (time_t)-1 ? -1 : (int64_t)seconds;
}

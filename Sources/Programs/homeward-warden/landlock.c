#include "warden.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Newer than the headers of Debian 12 (source: include/uapi/linux/landlock.h of Linux 6.12). */
#define RIGHT_REFER (1ULL << 13)     /* ABI 2 */
#define RIGHT_TRUNCATE (1ULL << 14)  /* ABI 3 */
#define RIGHT_IOCTL_DEV (1ULL << 15) /* ABI 5 */
#define RIGHT_BIND_TCP (1ULL << 0)   /* ABI 4 */
#define RIGHT_CONNECT_TCP (1ULL << 1)
#define SCOPE_ABSTRACT_UNIX (1ULL << 0) /* ABI 6 */
#define SCOPE_SIGNAL (1ULL << 1)

struct ruleset_attributes {
  uint64_t fs;
  uint64_t net;   /* ABI 4 */
  uint64_t scope; /* ABI 6 */
};

static const uint64_t reading_folder =
    LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
static const uint64_t reading_file = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE;

static uint64_t file_rights(int abi) {
  uint64_t rights = (1ULL << 13) - 1; /* ABI 1: execute through make_sym */
  if (abi >= 2) rights |= RIGHT_REFER;
  if (abi >= 3) rights |= RIGHT_TRUNCATE;
  if (abi >= 5) rights |= RIGHT_IOCTL_DEV;
  return rights;
}

static int add_rule(int ruleset, const char *path, uint64_t folder, uint64_t file) {
  int target = open(path, O_PATH | O_CLOEXEC);
  if (target < 0) return errno == ENOENT || errno == EACCES || errno == ENOTDIR ? 0 : -1;
  struct stat status = {0};
  int answer = fstat(target, &status);
  uint64_t allowed = S_ISDIR(status.st_mode) ? folder : file;
  if (answer == 0) {
    struct landlock_path_beneath_attr rule = {
        .allowed_access = allowed, .parent_fd = target};
    answer = (int)syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
  }
  int saved = errno;
  close(target);
  errno = saved;
  return answer;
}

static int add_rules(int ruleset, const struct order *order, int abi) {
  uint64_t all = file_rights(abi);
  uint64_t device = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE |
                    (all & (RIGHT_TRUNCATE | RIGHT_IOCTL_DEV));
  uint64_t written_file = reading_file | LANDLOCK_ACCESS_FS_WRITE_FILE | (all & RIGHT_TRUNCATE);
  uint64_t written_folder =
      all & ~((uint64_t)LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_BLOCK);
  static const char *const devices[] = {"/dev/null", "/dev/zero", "/dev/full", "/dev/urandom",
                                        "/dev/random", NULL};
  for (int i = 0; devices[i]; i++)
    if (add_rule(ruleset, devices[i], 0, device) != 0) return -1;
  for (int i = 0; order->devices[i]; i++)
    if (add_rule(ruleset, order->devices[i], device | LANDLOCK_ACCESS_FS_READ_DIR, device) != 0) return -1;
  for (int i = 0; order->readable[i]; i++)
    if (add_rule(ruleset, order->readable[i], reading_folder, reading_file) != 0) return -1;
  for (int i = 0; order->writable[i]; i++)
    if (add_rule(ruleset, order->writable[i], written_folder, written_file) != 0) return -1;
  /* It names the process that opens it: this one, which becomes the plugin. */
  return add_rule(ruleset, "/proc/self", reading_folder, reading_file);
}

int landlock_abi(const struct order *order) {
  long abi = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
  return abi <= 0 ? 0 : abi < order->landlock_at_most ? (int)abi : order->landlock_at_most;
}

int landlock_apply(const struct order *order, int abi) {
  if (abi == 0) return 0;
  struct ruleset_attributes attributes = {.fs = file_rights(abi)};
  if (abi >= 4 && !order->may_open_sockets) attributes.net = RIGHT_BIND_TCP | RIGHT_CONNECT_TCP;
  if (abi >= 6) attributes.scope = SCOPE_ABSTRACT_UNIX | SCOPE_SIGNAL;
  size_t size = abi >= 6 ? 24 : abi >= 4 ? 16 : 8;
  int ruleset = (int)syscall(SYS_landlock_create_ruleset, &attributes, size, 0);
  if (ruleset < 0) return -1;
  int answer = add_rules(ruleset, order, abi);
  if (answer == 0) answer = (int)syscall(SYS_landlock_restrict_self, ruleset, 0);
  int saved = errno;
  close(ruleset);
  errno = saved;
  return answer;
}

#pragma once
#include "include/homeward_spawn.h"

#include <linux/filter.h>

/* Landlock and seccomp, prepared in the parent and applied in the child between fork and exec. */

/* Builds a Landlock ruleset; answers its descriptor, or -1. */
int homeward_ruleset_create(const struct homeward_spawn_request *request, int abi);
/* Child: adds /proc/self, then confines this process. Answers 0, or -1 with errno. */
int homeward_ruleset_apply(int ruleset);

struct homeward_filter {
  struct sock_filter code[256];
  unsigned short length;
};
void homeward_filter_build(struct homeward_filter *filter, bool may_open_sockets, int landlock_abi);
/* Child: keeps_signals_in also denies signals to other processes. Answers 0, or -1 with errno. */
int homeward_filter_apply(const struct homeward_filter *filter, bool keeps_signals_in);

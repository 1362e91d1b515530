#pragma once
#include <sched.h>
#include <stdbool.h>
#include <sys/types.h>

/* Namespaces of a child, made without rights: each belongs to a user namespace of the child's own. */

/* Everything that the child writes, put together before it exists. */
struct namespace_maps {
  char user[64], group[64];
};
void namespaces_prepare(struct namespace_maps *maps);
/* As fork, with the namespaces that have to be there from the beginning: those of the user and of processes. */
pid_t namespaces_fork(unsigned namespaces);
/* Child: keeps its user and group, makes the rest of the namespaces, and gives up the rights that came with them.
   Async-signal-safe; answers 0, or -1 with errno. */
int namespaces_enter(unsigned namespaces, const struct namespace_maps *maps);
/* Which of the namespaces the kernel and whoever started this process allow; tried with a process each. */
unsigned namespaces_try(void);

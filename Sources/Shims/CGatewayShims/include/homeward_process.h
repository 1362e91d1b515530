#pragma once
#include <stdint.h>

/* What this process was started with, and what it holds. */

/* How many arguments the kernel has of it, the program's name included; -1 when /proc does not say. */
int homeward_argument_count(void);

/* Raises the limit of open files to `wanted` as far as allowed; answers what it is now, 0 when that is not known. */
uint64_t homeward_raise_open_files(uint64_t wanted);

/* The most bytes that it may map or allocate; UINT64_MAX for no limit. */
uint64_t homeward_memory_limit(void);

/* Gives memory that was freed back to the kernel, which malloc keeps otherwise. */
void homeward_trim_memory(void);

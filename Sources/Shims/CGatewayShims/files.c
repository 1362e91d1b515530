#include "homeward_files.h"

#include <stdio.h>

int homeward_rename_new(int from_directory, const char *from, int to_directory, const char *to) {
  return renameat2(from_directory, from, to_directory, to, RENAME_NOREPLACE);
}

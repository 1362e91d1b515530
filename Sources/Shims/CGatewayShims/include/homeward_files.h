#pragma once

/* Gives a file another name where nothing stands yet: EEXIST otherwise, in one step, so that nobody can slip in between.
   EINVAL or ENOSYS where the file system cannot do that. */
int homeward_rename_new(int from_directory, const char *from, int to_directory, const char *to);

#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A SQLite VFS around the system's own that can fail, hang, and write down what reaches the disk and when.
   From the written log a test builds what a power cut could have left behind. All functions may be called on any
   thread. Files are real, so that locks and shared memory are SQLite's own. */

enum crash_kind {
  crash_create,   /* the file exists from here on; durable with its first sync */
  crash_write,    /* bytes at an offset; durable with the next sync */
  crash_truncate, /* the file ends at offset; durable with the next sync */
  crash_sync,     /* everything written to the file so far is durable */
  crash_delete,   /* the file is gone; durable at once when `size` is 1, sometime when 0 */
};

struct crash_operation {
  enum crash_kind kind;
  int32_t file; /* number of the file, see crash_vfs_file_name; a deleted and remade file has a new one */
  int64_t offset;
  int64_t size;
  const uint8_t *bytes; /* of a write; valid until the VFS is destroyed */
};

struct crash_vfs;

/* Registers a VFS of that name; NULL when memory or SQLite refuses. Lives until the process ends. */
struct crash_vfs *crash_vfs_create(const char *name);

/* From now on every write, truncation and sync of files whose name contains `part` answers this SQLite code; 0 ends it. */
void crash_vfs_fail(struct crash_vfs *vfs, int code, const char *part);
/* How many calls failed so. */
int64_t crash_vfs_failures(struct crash_vfs *vfs);
/* From now on every write, truncation and sync waits; false lets them go on. */
void crash_vfs_hang(struct crash_vfs *vfs, bool hangs);
/* How many calls wait now. */
int crash_vfs_hanging(struct crash_vfs *vfs);

/* Starts the log. */
void crash_vfs_record(struct crash_vfs *vfs);
/* Operations in the log. */
size_t crash_vfs_count(struct crash_vfs *vfs);
/* One operation; false when there is none with that number. */
bool crash_vfs_operation(struct crash_vfs *vfs, size_t number, struct crash_operation *operation);
/* The path of a file of the log; NULL when there is none with that number. */
const char *crash_vfs_file_name(struct crash_vfs *vfs, int32_t file);

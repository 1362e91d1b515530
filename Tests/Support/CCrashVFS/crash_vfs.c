#include "crash_vfs.h"

#include <pthread.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

struct crash_vfs {
  sqlite3_vfs vfs; /* first, so that SQLite's pointer is ours */
  sqlite3_vfs *system;
  pthread_mutex_t mutex;
  pthread_cond_t changed;
  int fail_code;
  char fail_part[64];
  int64_t failures;
  bool hangs;
  int hanging;
  bool records;
  struct crash_operation *operations;
  size_t count, capacity;
  char **names;
  bool *gone;
  int32_t name_count, name_capacity;
};

struct crash_file {
  sqlite3_file file; /* first */
  struct crash_vfs *vfs;
  int32_t number; /* -1 while nothing is recorded */
  char *path;
  sqlite3_file *real;
};

static struct crash_file *self(sqlite3_file *file) { return (struct crash_file *)file; }
static struct crash_vfs *owner(sqlite3_vfs *vfs) { return (struct crash_vfs *)vfs; }

/* MARK: The log; all with the mutex held */

static void append(struct crash_vfs *vfs, struct crash_operation operation, const void *bytes) {
  if (vfs->count == vfs->capacity) {
    size_t capacity = vfs->capacity ? vfs->capacity * 2 : 4096;
    struct crash_operation *grown = realloc(vfs->operations, capacity * sizeof *grown);
    if (!grown) abort();
    vfs->operations = grown;
    vfs->capacity = capacity;
  }
  if (operation.kind == crash_write) {
    uint8_t *copy = malloc((size_t)operation.size + 1);
    if (!copy) abort();
    memcpy(copy, bytes, (size_t)operation.size);
    operation.bytes = copy;
  }
  vfs->operations[vfs->count++] = operation;
}

static int32_t living(struct crash_vfs *vfs, const char *path) {
  for (int32_t i = 0; i < vfs->name_count; i++)
    if (!vfs->gone[i] && strcmp(vfs->names[i], path) == 0) return i;
  return -1;
}

static int32_t number_of(struct crash_vfs *vfs, const char *path) {
  int32_t known = living(vfs, path);
  if (known >= 0) return known;
  if (vfs->name_count == vfs->name_capacity) {
    vfs->name_capacity = vfs->name_capacity ? vfs->name_capacity * 2 : 32;
    vfs->names = realloc(vfs->names, (size_t)vfs->name_capacity * sizeof *vfs->names);
    vfs->gone = realloc(vfs->gone, (size_t)vfs->name_capacity * sizeof *vfs->gone);
    if (!vfs->names || !vfs->gone) abort();
  }
  vfs->names[vfs->name_count] = strdup(path);
  vfs->gone[vfs->name_count] = false;
  append(vfs, (struct crash_operation){.kind = crash_create, .file = vfs->name_count}, NULL);
  return vfs->name_count++;
}

static void note(struct crash_file *file, enum crash_kind kind, int64_t offset, int64_t size, const void *bytes) {
  struct crash_vfs *vfs = file->vfs;
  pthread_mutex_lock(&vfs->mutex);
  if (vfs->records && file->path) {
    if (file->number < 0) file->number = number_of(vfs, file->path);
    append(vfs, (struct crash_operation){.kind = kind, .file = file->number, .offset = offset, .size = size}, bytes);
  }
  pthread_mutex_unlock(&vfs->mutex);
}

/* MARK: Faults */

static int fault(struct crash_file *file) {
  struct crash_vfs *vfs = file->vfs;
  pthread_mutex_lock(&vfs->mutex);
  while (vfs->hangs) {
    vfs->hanging++;
    pthread_cond_wait(&vfs->changed, &vfs->mutex);
    vfs->hanging--;
  }
  int code = SQLITE_OK;
  if (vfs->fail_code && file->path && strstr(file->path, vfs->fail_part)) {
    code = vfs->fail_code;
    vfs->failures++;
  }
  pthread_mutex_unlock(&vfs->mutex);
  return code;
}

/* MARK: File methods */

static int file_close(sqlite3_file *file) {
  struct crash_file *own = self(file);
  int code = own->real->pMethods->xClose(own->real);
  free(own->real);
  free(own->path);
  return code;
}

static int file_read(sqlite3_file *file, void *bytes, int size, sqlite3_int64 offset) {
  return self(file)->real->pMethods->xRead(self(file)->real, bytes, size, offset);
}

static int file_write(sqlite3_file *file, const void *bytes, int size, sqlite3_int64 offset) {
  struct crash_file *own = self(file);
  int code = fault(own);
  if (code == SQLITE_OK) code = own->real->pMethods->xWrite(own->real, bytes, size, offset);
  if (code == SQLITE_OK) note(own, crash_write, offset, size, bytes);
  return code;
}

static int file_truncate(sqlite3_file *file, sqlite3_int64 size) {
  struct crash_file *own = self(file);
  int code = fault(own);
  if (code == SQLITE_OK) code = own->real->pMethods->xTruncate(own->real, size);
  if (code == SQLITE_OK) note(own, crash_truncate, size, 0, NULL);
  return code;
}

static int file_sync(sqlite3_file *file, int flags) {
  struct crash_file *own = self(file);
  int code = fault(own);
  if (code == SQLITE_OK) code = own->real->pMethods->xSync(own->real, flags);
  if (code == SQLITE_OK) note(own, crash_sync, 0, 0, NULL);
  return code;
}

static int file_size(sqlite3_file *file, sqlite3_int64 *size) {
  return self(file)->real->pMethods->xFileSize(self(file)->real, size);
}
static int file_lock(sqlite3_file *file, int level) {
  return self(file)->real->pMethods->xLock(self(file)->real, level);
}
static int file_unlock(sqlite3_file *file, int level) {
  return self(file)->real->pMethods->xUnlock(self(file)->real, level);
}
static int file_check_lock(sqlite3_file *file, int *held) {
  return self(file)->real->pMethods->xCheckReservedLock(self(file)->real, held);
}
static int file_control(sqlite3_file *file, int operation, void *argument) {
  /* Size hints would grow the file behind the log's back. */
  if (operation == SQLITE_FCNTL_SIZE_HINT || operation == SQLITE_FCNTL_CHUNK_SIZE) return SQLITE_NOTFOUND;
  return self(file)->real->pMethods->xFileControl(self(file)->real, operation, argument);
}
static int file_sector_size(sqlite3_file *file) {
  return self(file)->real->pMethods->xSectorSize(self(file)->real);
}
static int file_characteristics(sqlite3_file *file) {
  /* Nothing is promised about sectors: neither atomic writes nor safe overwriting of neighbours. */
  (void)file;
  return 0;
}
static int file_shm_map(sqlite3_file *file, int page, int size, int extend, void volatile **address) {
  return self(file)->real->pMethods->xShmMap(self(file)->real, page, size, extend, address);
}
static int file_shm_lock(sqlite3_file *file, int offset, int count, int flags) {
  return self(file)->real->pMethods->xShmLock(self(file)->real, offset, count, flags);
}
static void file_shm_barrier(sqlite3_file *file) { self(file)->real->pMethods->xShmBarrier(self(file)->real); }
static int file_shm_unmap(sqlite3_file *file, int remove) {
  return self(file)->real->pMethods->xShmUnmap(self(file)->real, remove);
}

static const sqlite3_io_methods methods = {
    .iVersion = 2, /* without memory-mapped reads, which are version 3 */
    .xClose = file_close,
    .xRead = file_read,
    .xWrite = file_write,
    .xTruncate = file_truncate,
    .xSync = file_sync,
    .xFileSize = file_size,
    .xLock = file_lock,
    .xUnlock = file_unlock,
    .xCheckReservedLock = file_check_lock,
    .xFileControl = file_control,
    .xSectorSize = file_sector_size,
    .xDeviceCharacteristics = file_characteristics,
    .xShmMap = file_shm_map,
    .xShmLock = file_shm_lock,
    .xShmBarrier = file_shm_barrier,
    .xShmUnmap = file_shm_unmap,
};

/* MARK: VFS methods */

static int vfs_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *out_flags) {
  struct crash_vfs *own = owner(vfs);
  struct crash_file *opened = self(file);
  memset(opened, 0, sizeof *opened);
  opened->vfs = own;
  opened->number = -1;
  opened->real = calloc(1, (size_t)own->system->szOsFile);
  if (!opened->real) return SQLITE_NOMEM;
  int code = own->system->xOpen(own->system, name, opened->real, flags, out_flags);
  if (code != SQLITE_OK) {
    free(opened->real);
    return code;
  }
  opened->path = name ? strdup(name) : NULL;
  opened->file.pMethods = &methods;
  return SQLITE_OK;
}

static int vfs_delete(sqlite3_vfs *vfs, const char *name, int synchronous) {
  struct crash_vfs *own = owner(vfs);
  int code = own->system->xDelete(own->system, name, synchronous);
  if (code != SQLITE_OK) return code;
  pthread_mutex_lock(&own->mutex);
  int32_t file = own->records ? living(own, name) : -1;
  if (file >= 0) {
    append(own, (struct crash_operation){.kind = crash_delete, .file = file, .size = synchronous != 0}, NULL);
    own->gone[file] = true;
  }
  pthread_mutex_unlock(&own->mutex);
  return SQLITE_OK;
}

static int vfs_access(sqlite3_vfs *vfs, const char *name, int flags, int *answer) {
  return owner(vfs)->system->xAccess(owner(vfs)->system, name, flags, answer);
}
static int vfs_full_pathname(sqlite3_vfs *vfs, const char *name, int size, char *path) {
  return owner(vfs)->system->xFullPathname(owner(vfs)->system, name, size, path);
}
static int vfs_randomness(sqlite3_vfs *vfs, int size, char *bytes) {
  return owner(vfs)->system->xRandomness(owner(vfs)->system, size, bytes);
}
static int vfs_sleep(sqlite3_vfs *vfs, int microseconds) {
  return owner(vfs)->system->xSleep(owner(vfs)->system, microseconds);
}
static int vfs_time(sqlite3_vfs *vfs, double *days) {
  return owner(vfs)->system->xCurrentTime(owner(vfs)->system, days);
}
static int vfs_time64(sqlite3_vfs *vfs, sqlite3_int64 *milliseconds) {
  return owner(vfs)->system->xCurrentTimeInt64(owner(vfs)->system, milliseconds);
}
static int vfs_error(sqlite3_vfs *vfs, int size, char *text) {
  return owner(vfs)->system->xGetLastError(owner(vfs)->system, size, text);
}

struct crash_vfs *crash_vfs_create(const char *name) {
  sqlite3_vfs *system = sqlite3_vfs_find(NULL);
  struct crash_vfs *own = calloc(1, sizeof *own);
  if (!system || !own) return NULL;
  own->system = system;
  pthread_mutex_init(&own->mutex, NULL);
  pthread_cond_init(&own->changed, NULL);
  own->vfs = (sqlite3_vfs){
      .iVersion = 2,
      .szOsFile = sizeof(struct crash_file),
      .mxPathname = system->mxPathname,
      .zName = strdup(name),
      .xOpen = vfs_open,
      .xDelete = vfs_delete,
      .xAccess = vfs_access,
      .xFullPathname = vfs_full_pathname,
      .xRandomness = vfs_randomness,
      .xSleep = vfs_sleep,
      .xCurrentTime = vfs_time,
      .xGetLastError = vfs_error,
      .xCurrentTimeInt64 = vfs_time64,
  };
  if (sqlite3_vfs_register(&own->vfs, 0) != SQLITE_OK) return NULL;
  return own;
}

void crash_vfs_fail(struct crash_vfs *vfs, int code, const char *part) {
  pthread_mutex_lock(&vfs->mutex);
  vfs->fail_code = code;
  strncpy(vfs->fail_part, part, sizeof vfs->fail_part - 1);
  pthread_mutex_unlock(&vfs->mutex);
}

int64_t crash_vfs_failures(struct crash_vfs *vfs) {
  pthread_mutex_lock(&vfs->mutex);
  int64_t failures = vfs->failures;
  pthread_mutex_unlock(&vfs->mutex);
  return failures;
}

void crash_vfs_hang(struct crash_vfs *vfs, bool hangs) {
  pthread_mutex_lock(&vfs->mutex);
  vfs->hangs = hangs;
  pthread_cond_broadcast(&vfs->changed);
  pthread_mutex_unlock(&vfs->mutex);
}

int crash_vfs_hanging(struct crash_vfs *vfs) {
  pthread_mutex_lock(&vfs->mutex);
  int hanging = vfs->hanging;
  pthread_mutex_unlock(&vfs->mutex);
  return hanging;
}

void crash_vfs_record(struct crash_vfs *vfs) {
  pthread_mutex_lock(&vfs->mutex);
  vfs->records = true;
  pthread_mutex_unlock(&vfs->mutex);
}

size_t crash_vfs_count(struct crash_vfs *vfs) {
  pthread_mutex_lock(&vfs->mutex);
  size_t count = vfs->count;
  pthread_mutex_unlock(&vfs->mutex);
  return count;
}

bool crash_vfs_operation(struct crash_vfs *vfs, size_t number, struct crash_operation *operation) {
  pthread_mutex_lock(&vfs->mutex);
  bool exists = number < vfs->count;
  if (exists) *operation = vfs->operations[number];
  pthread_mutex_unlock(&vfs->mutex);
  return exists;
}

const char *crash_vfs_file_name(struct crash_vfs *vfs, int32_t file) {
  pthread_mutex_lock(&vfs->mutex);
  const char *name = file >= 0 && file < vfs->name_count ? vfs->names[file] : NULL;
  pthread_mutex_unlock(&vfs->mutex);
  return name;
}

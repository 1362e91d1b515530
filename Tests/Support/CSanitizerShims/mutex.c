/* Tells the thread sanitizer what Swift's `Mutex` does when two threads want it at once.

   While nobody waits, taking and letting go are compiled into our own code, and the sanitizer sees them. Whoever has to
   wait is served by libswiftSynchronization and the kernel (FUTEX_LOCK_PI), which it does not see: it then takes what
   the lock guards for a race. The functions here stand before those of the library, call them, and say what they did.
   Nothing is suppressed, so a real race is still found.

   The names and the calling convention are those of `_MutexHandle` in the Swift 6 library for Linux
   (stdlib/public/Synchronization/Mutex/LinuxImpl.swift): the handle, which begins with the futex, comes as `self`.
   Only builds with --sanitize=thread hold any of this. */

#if defined(__linux__) && defined(__has_feature)
#if __has_feature(thread_sanitizer)

#include <dlfcn.h>
#include <sanitizer/tsan_interface.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define SWIFT_METHOD __attribute__((swiftcall))
#define SWIFT_SELF __attribute__((swift_context))

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY_LOCK "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

SWIFT_METHOD void homeward_mutex_lock(uint32_t thread, SWIFT_SELF void *mutex) __asm__(LOCK);
SWIFT_METHOD bool homeward_mutex_try_lock(SWIFT_SELF void *mutex) __asm__(TRY_LOCK);
SWIFT_METHOD void homeward_mutex_unlock(SWIFT_SELF void *mutex) __asm__(UNLOCK);

static SWIFT_METHOD void (*library_lock)(uint32_t, SWIFT_SELF void *);
static SWIFT_METHOD bool (*library_try_lock)(SWIFT_SELF void *);
static SWIFT_METHOD void (*library_unlock)(SWIFT_SELF void *);

static void *find(const char *name) {
  void *found = dlsym(RTLD_NEXT, name);
  if (found) return found;
  fprintf(stderr, "Swift's Mutex of this toolchain has no %s: adapt %s to it.\n", name, __FILE__);
  abort();
}

/* Before main, so that no lock is taken earlier. */
__attribute__((constructor)) static void find_all(void) {
  library_lock = (SWIFT_METHOD void (*)(uint32_t, SWIFT_SELF void *))find(LOCK);
  library_try_lock = (SWIFT_METHOD bool (*)(SWIFT_SELF void *))find(TRY_LOCK);
  library_unlock = (SWIFT_METHOD void (*)(SWIFT_SELF void *))find(UNLOCK);
}

SWIFT_METHOD void homeward_mutex_lock(uint32_t thread, SWIFT_SELF void *mutex) {
  library_lock(thread, mutex);
  __tsan_acquire(mutex);
}

SWIFT_METHOD bool homeward_mutex_try_lock(SWIFT_SELF void *mutex) {
  bool is_taken = library_try_lock(mutex);
  if (is_taken) __tsan_acquire(mutex);
  return is_taken;
}

SWIFT_METHOD void homeward_mutex_unlock(SWIFT_SELF void *mutex) {
  __tsan_release(mutex);
  library_unlock(mutex);
}

#endif
#endif

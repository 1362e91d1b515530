#include "catalogues.h"

#ifndef HOMEWARD_SHARED_TEXTS

static const uint8_t zh_CN[] = {
#embed "zh_CN.po"
};

const uint8_t *homeward_zh_CN(void) { return zh_CN; }

size_t homeward_zh_CN_size(void) { return sizeof zh_CN; }

#else

// Programs of a release share the catalogue, as they share the libraries of Swift: the loader finds it where it finds those,
// at the first text of a language that is not English. Without it everything is said in English.
#include <dlfcn.h>
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static const uint8_t *zh_CN;
static size_t zh_CN_size;

static void load(void) {
  void *library = dlopen("libhomeward-texts.so", RTLD_NOW | RTLD_LOCAL);
  if (!library) return;
  const uint8_t *(*bytes)(void) = (const uint8_t *(*)(void))dlsym(library, "homeward_zh_CN");
  size_t (*size)(void) = (size_t (*)(void))dlsym(library, "homeward_zh_CN_size");
  if (!bytes || !size) return;
  zh_CN = bytes();
  zh_CN_size = size();
}

const uint8_t *homeward_zh_CN(void) {
  pthread_once(&once, load);
  return zh_CN;
}

size_t homeward_zh_CN_size(void) {
  pthread_once(&once, load);
  return zh_CN_size;
}

#endif

/* Preloaded into homeward-hci by a test: adapters and their kernel are played through the folder that HCI_FOLDER names.

   info     what the kernel says of the adapter: "none" (no Bluetooth at all), "down ADDRESS", "up ADDRESS", "locked
            ADDRESS" (up, and commands need a capability that is not there); no file for no adapter
   hci0     a socket of the test: the controller
   watch    a socket of the test: what the kernel tells of adapters
   on       made when the adapter is switched on */
#define _GNU_SOURCE
#include <bluetooth/bluetooth.h>
#include <bluetooth/hci.h>
#include <bluetooth/hci_lib.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static void in_folder(char *path, size_t size, const char *name) {
  snprintf(path, size, "%s/%s", getenv("HCI_FOLDER"), name);
}

/* The word and the address in the file "info"; false without the file. */
static int info(char word[16], char address[18]) {
  char path[256];
  in_folder(path, sizeof path, "info");
  word[0] = address[0] = 0;
  FILE *file = fopen(path, "re");
  if (!file) return 0;
  int count = fscanf(file, "%15s %17s", word, address);
  fclose(file);
  return count >= 1;
}

int socket(int domain, int type, int protocol) {
  static int (*real)(int, int, int);
  if (!real) real = (int (*)(int, int, int))dlsym(RTLD_NEXT, "socket");
  if (domain != AF_BLUETOOTH) return real(domain, type, protocol);
  char word[16], address[18];
  if (info(word, address) && !strcmp(word, "none")) {
    errno = EAFNOSUPPORT;
    return -1;
  }
  return real(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
}

int bind(int fd, const struct sockaddr *wanted, socklen_t length) {
  static int (*real)(int, const struct sockaddr *, socklen_t);
  if (!real) real = (int (*)(int, const struct sockaddr *, socklen_t))dlsym(RTLD_NEXT, "bind");
  if (wanted->sa_family != AF_BLUETOOTH) return real(fd, wanted, length);
  int id = ((const struct sockaddr_hci *)wanted)->hci_dev;
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  in_folder(address.sun_path, sizeof address.sun_path, id == HCI_DEV_NONE ? "watch" : "hci0");
  if (connect(fd, (struct sockaddr *)&address, sizeof address) == 0) return 0;
  errno = ENODEV;
  return -1;
}

int setsockopt(int fd, int level, int name, const void *value, socklen_t length) {
  static int (*real)(int, int, int, const void *, socklen_t);
  if (!real) real = (int (*)(int, int, int, const void *, socklen_t))dlsym(RTLD_NEXT, "setsockopt");
  if (level == SOL_HCI && name == HCI_FILTER && length == sizeof(struct hci_filter)) return 0;
  return real(fd, level, name, value, length);
}

int ioctl(int fd, unsigned long request, ...) {
  static int (*real)(int, unsigned long, ...);
  if (!real) real = (int (*)(int, unsigned long, ...))dlsym(RTLD_NEXT, "ioctl");
  va_list list;
  va_start(list, request);
  void *argument = va_arg(list, void *);
  va_end(list);
  char word[16], address[18], path[256];
  if (request != HCIGETDEVINFO && request != HCIDEVUP && request != HCIDEVDOWN) return real(fd, request, argument);
  if (!info(word, address)) {
    errno = ENODEV;
    return -1;
  }
  if (request == HCIDEVDOWN) return 0;
  if (request == HCIDEVUP) {
    in_folder(path, sizeof path, "on");
    close(open(path, O_CREAT | O_WRONLY, 0600));
    return 0;
  }
  struct hci_dev_info *device = argument;
  str2ba(address, &device->bdaddr);
  device->flags = strcmp(word, "down") ? 1 << HCI_UP : 0;
  device->features[4] = LMP_LE;
  return 0;
}

ssize_t send(int fd, const void *bytes, size_t count, int flags) {
  static ssize_t (*real)(int, const void *, size_t, int);
  if (!real) real = (ssize_t(*)(int, const void *, size_t, int))dlsym(RTLD_NEXT, "send");
  char word[16], address[18];
  if (count > 0 && *(const unsigned char *)bytes == 1 && info(word, address) && !strcmp(word, "locked")) {
    errno = EPERM;
    return -1;
  }
  return real(fd, bytes, count, flags);
}

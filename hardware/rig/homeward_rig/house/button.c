/* The house's button: a named pipe that answers the daemon as the kernel's input device of one key would. What is written
   into the pipe are the kernel's own events. */
#include <dlfcn.h>
#include <errno.h>
#include <linux/input.h>
#include <stdarg.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>

static const char name[] = "The house's button";

static int is_button(int descriptor, unsigned long request) {
  struct stat told;
  return _IOC_TYPE(request) == 'E' && fstat(descriptor, &told) == 0 && S_ISFIFO(told.st_mode);
}

static void set_bit(unsigned char *bits, size_t size, unsigned bit) {
  if (bit / 8 < size) bits[bit / 8] |= (unsigned char)(1 << bit % 8);
}

/* What the kernel answers about an input device; of what this one has not, nothing is set. */
static int answer(unsigned long request, void *told) {
  size_t size = _IOC_SIZE(request);
  switch (_IOC_NR(request)) {
    case _IOC_NR(EVIOCGVERSION): *(int *)told = EV_VERSION; return 0;
    case _IOC_NR(EVIOCGID): *(struct input_id *)told = (struct input_id){.bustype = BUS_VIRTUAL}; return 0;
    case _IOC_NR(EVIOCGRAB):
    case _IOC_NR(EVIOCSCLOCKID): return 0;
  }
  if (_IOC_DIR(request) != _IOC_READ) {
    errno = EINVAL;
    return -1;
  }
  memset(told, 0, size);
  switch (_IOC_NR(request)) {
    case _IOC_NR(EVIOCGNAME(0)):
      memcpy(told, name, size < sizeof name ? size : sizeof name);
      return sizeof name;
    case _IOC_NR(EVIOCGPHYS(0)):
    case _IOC_NR(EVIOCGUNIQ(0)): errno = ENOENT; return -1;
    case _IOC_NR(EVIOCGBIT(0, 0)):
      set_bit(told, size, EV_SYN);
      set_bit(told, size, EV_KEY);
      break;
    case _IOC_NR(EVIOCGBIT(EV_KEY, 0)): set_bit(told, size, KEY_ENTER); break;
  }
  return (int)size;
}

int ioctl(int descriptor, unsigned long request, ...) {
  static int (*real)(int, unsigned long, void *);
  va_list rest;
  va_start(rest, request);
  void *argument = va_arg(rest, void *);
  va_end(rest);
  if (is_button(descriptor, request)) return answer(request, argument);
  if (!real) real = dlsym(RTLD_NEXT, "ioctl");
  return real(descriptor, request, argument);
}

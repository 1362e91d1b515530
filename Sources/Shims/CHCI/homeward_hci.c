/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "homeward_hci.h"

#include <bluetooth/bluetooth.h>
#include <bluetooth/hci.h>
#include <bluetooth/hci_lib.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

static int close_with_errno(int fd) {
  int error = errno;
  close(fd);
  errno = error;
  return -1;
}

static int open_filtered(int id, const int *events, int count) {
  int fd = hci_open_dev(id);
  if (fd < 0) return -1;
  struct hci_filter filter;
  hci_filter_clear(&filter);
  hci_filter_set_ptype(HCI_EVENT_PKT, &filter);
  for (int i = 0; i < count; i++) hci_filter_set_event(events[i], &filter);
  int flags = fcntl(fd, F_GETFL);
  if (setsockopt(fd, SOL_HCI, HCI_FILTER, &filter, sizeof filter) < 0 || flags < 0 ||
      fcntl(fd, F_SETFL, flags | O_NONBLOCK) < 0)
    return close_with_errno(fd);
  return fd;
}

int homeward_hci_info(int id, struct homeward_hci_info *info) {
  struct hci_dev_info found;
  memset(&found, 0, sizeof found);
  if (hci_devinfo(id, &found) < 0) return -1;
  memcpy(info->address, found.bdaddr.b, sizeof info->address);
  info->is_up = hci_test_bit(HCI_UP, &found.flags);
  info->has_low_energy = found.features[4] & LMP_LE;
  return 0;
}

int homeward_hci_open(int id) {
  const int events[] = {EVT_CMD_COMPLETE, EVT_CMD_STATUS, EVT_HARDWARE_ERROR, EVT_LE_META_EVENT};
  return open_filtered(id, events, sizeof events / sizeof *events);
}

int homeward_hci_watch(void) {
  const int events[] = {EVT_STACK_INTERNAL};
  return open_filtered(HCI_DEV_NONE, events, 1);
}

int homeward_hci_switch_on(int id) {
  int fd = socket(AF_BLUETOOTH, SOCK_RAW | SOCK_CLOEXEC, BTPROTO_HCI);
  if (fd < 0) return -1;
  (void)ioctl(fd, HCIDEVDOWN, id);
  if (ioctl(fd, HCIDEVUP, id) < 0 && errno != EALREADY) return close_with_errno(fd);
  close(fd);
  return 0;
}

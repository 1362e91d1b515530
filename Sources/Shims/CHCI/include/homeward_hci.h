/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once
#include <stdbool.h>
#include <stdint.h>

/* Raw HCI through libbluetooth, behind flat functions. Only homeward-hci may link it: the library is under the GPL. Every
   function answers -1 with errno set when it fails. */

struct homeward_hci_info {
  uint8_t address[6]; /* as it is sent: the lowest octet first */
  bool is_up;
  bool has_low_energy; /* known of one that is up only */
};

/* What the kernel says of the adapter hci<id>: ENODEV without one, EAFNOSUPPORT when it has no Bluetooth at all. */
int homeward_hci_info(int id, struct homeward_hci_info *info);
/* Opens an adapter raw, for the events that matter; does not block and is close-on-exec. */
int homeward_hci_open(int id);
/* Opens a socket on which the kernel tells that adapters come, go, and are switched on or off; likewise. */
int homeward_hci_watch(void);
/* Switches an adapter off, if it is on, and on, so that the kernel sets it up anew; needs CAP_NET_ADMIN. */
int homeward_hci_switch_on(int id);

// SPDX-License-Identifier: GPL-2.0-or-later

/// Listens to Bluetooth without bluetoothd, through raw HCI; see ``LaunchOptions/help``.
@main
struct Main {
  static func main() { Launch.run() }
}

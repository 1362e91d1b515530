import Testing

/// All that needs a bus, one after the other: a loop that another test holds up lets calls run out of time.
@Suite(
  "bluetoothd on a bus", .serialized,
  .enabled(if: BlueZRig.isPossible, "dbus-daemon, python3-dbus or python3-gi is not installed"))
enum BlueZTests {}

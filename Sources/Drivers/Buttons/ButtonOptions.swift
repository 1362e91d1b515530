public import Care
public import GPIOLines
public import Gestures

extension ButtonSource {
  /// Where a button is and how long its gestures take.
  public struct Options: Hashable, Sendable {
    /// What the button is made of.
    public enum Device: Hashable, Sendable {
      /// A contact on a GPIO line.
      case gpio(GPIOLine)
      /// Keys of an input device: a USB button, a Bluetooth remote.
      case input(InputDevice)
    }

    /// The name from the configuration; the health component is `button/` and this name.
    public var id: SourceID
    /// What the button is made of.
    public var device: Device
    /// How long its gestures take.
    public var times: GestureTimes

    /// Options with the usual times.
    public init(id: SourceID, device: Device, times: GestureTimes = GestureTimes()) {
      self.id = id
      self.device = device
      self.times = times
    }
  }
}

/// Which input device is a button, and which of its keys.
public struct InputDevice: Hashable, Sendable {
  /// Path of the device, best a name that stays (`/dev/homeward/button-…`, `/dev/input/by-id/…`); or, without a slash at
  /// its start, the name that the device gives itself.
  public var device: String
  /// Names of the keys that count (`KEY_ENTER`, `KEY_PLAYPAUSE`); none for all keys.
  public var keys: [String]

  /// A device from its parts; by default any of its keys is the button.
  public init(device: String, keys: [String] = []) {
    self.device = device
    self.keys = keys
  }

  /// Whether the device is named by its path.
  public var isPath: Bool { device.hasPrefix("/") }
}

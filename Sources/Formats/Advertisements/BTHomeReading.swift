public import Care

/// One thing that a BTHome device says.
public struct BTHomeReading: Hashable, Sendable {
  /// What it is, in its unit.
  public enum Content: Hashable, Sendable {
    /// A number in the reading's unit.
    case number(Double)
    /// Yes or no.
    case flag(Bool)
    /// What was done with a button.
    case button(BTHomeButton)
    /// Steps of a knob, to the right positive; 0 for none.
    case dimmer(steps: Int)
    /// A command and what belongs to it.
    case command(UInt8, arguments: [UInt8])
    /// Seconds since 1970.
    case moment(seconds: UInt32)
    /// A text.
    case text(String)
    /// Bytes as the maker likes.
    case raw([UInt8])
    /// A version, as `4.2.1.0`.
    case version(String)
  }

  /// The number of the object.
  public var object: UInt8
  /// Its name, in lower case with hyphens.
  public var name: String
  /// Its unit; empty where it has none.
  public var unit: String
  /// What it is.
  public var content: Content
}

/// What a hand did with a button of a BTHome device.
public enum BTHomeButton: Hashable, Sendable {
  /// Nothing: another button of the same device was meant.
  case none
  /// A short press.
  case press
  /// Two short presses.
  case doublePress
  /// Three short presses.
  case triplePress
  /// A long press.
  case longPress
  /// A long press, and another.
  case longDoublePress
  /// Three long presses.
  case longTriplePress
  /// Held, and not let go yet.
  case hold
  /// Let go after it was held.
  case release
  /// Something that this version does not know.
  case other(UInt8)

  private static let codes: [(UInt8, BTHomeButton, String)] = [
    (0x00, .none, "none"), (0x01, .press, "press"), (0x02, .doublePress, "double_press"),
    (0x03, .triplePress, "triple_press"), (0x04, .longPress, "long_press"),
    (0x05, .longDoublePress, "long_double_press"), (0x06, .longTriplePress, "long_triple_press"),
    (0x80, .hold, "hold_press"), (0x81, .release, "hold_release"),
  ]

  init(code: UInt8) { self = Self.codes.first { $0.0 == code }?.1 ?? .other(code) }

  /// A word for programs, as the specification writes it.
  public var word: String { Self.codes.first { $0.1 == self }?.2 ?? "other" }

  /// The gesture of a wired button that means the same; nil where no hand acted.
  ///
  /// Whatever lasts long is a hold, for a hold calls for help; what this version does not know is at least a press.
  public var gesture: ButtonGesture? {
    switch self {
    case .none, .release: nil
    case .press, .other: .press
    case .doublePress: .double
    case .triplePress: .triple
    case .longPress, .longDoublePress, .longTriplePress, .hold: .hold
    }
  }
}

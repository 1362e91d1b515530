/// Kinds of input, of which an engine says which ones it may take.
///
/// A kind is as fine as what is frequent needs: positions, advertisements and what they mean come every second, and most
/// engines have nothing to do with them.
public struct InputKinds: OptionSet, Hashable, Sendable {
  /// A bit for each kind.
  public let rawValue: UInt64

  /// Kinds from their bits.
  public init(rawValue: UInt64) { self.rawValue = rawValue }

  private init(bit: UInt64) { rawValue = 1 << bit }

  /// Every one.
  public static let all = InputKinds(rawValue: .max)

  /// ``Input/started(version:)``.
  public static let started = InputKinds(bit: 0)
  /// ``Input/time``.
  public static let time = InputKinds(bit: 1)
  /// ``Input/rules(of:_:)``.
  public static let rules = InputKinds(bit: 2)
  /// ``Input/changed(_:)``.
  public static let changed = InputKinds(bit: 3)
  /// ``Input/asked(_:sent:)``.
  public static let asked = InputKinds(bit: 4)
  /// ``Input/pressed(_:)``.
  public static let pressed = InputKinds(bit: 5)
  /// ``Input/arranged``.
  public static let arranged = InputKinds(bit: 6)
  /// ``Input/settled(after:)``.
  public static let settled = InputKinds(bit: 7)

  /// ``Observation/fix(_:)``.
  public static let fix = InputKinds(bit: 8)
  /// ``Observation/health(_:)``.
  public static let health = InputKinds(bit: 9)
  /// ``Observation/clock(_:)``.
  public static let clock = InputKinds(bit: 10)
  /// ``Observation/delivery(_:)``.
  public static let delivery = InputKinds(bit: 11)
  /// ``Observation/button(_:)``, which engines are offered as presses.
  public static let button = InputKinds(bit: 12)
  /// ``Observation/photo(_:)``.
  public static let photo = InputKinds(bit: 13)
  /// ``Observation/sound(_:)``.
  public static let sound = InputKinds(bit: 14)
  /// ``Observation/sighting(_:)``.
  public static let sighting = InputKinds(bit: 15)
  /// ``Observation/listening(_:isListening:)``.
  public static let listening = InputKinds(bit: 16)
  /// ``Observation/meter(_:)``.
  public static let meter = InputKinds(bit: 17)
  /// ``Observation/ways(_:)``.
  public static let ways = InputKinds(bit: 18)
  /// ``Observation/map(_:)``.
  public static let map = InputKinds(bit: 19)
  /// ``Observation/heading(_:)``.
  public static let heading = InputKinds(bit: 20)

  /// ``Signal/located(_:of:)``.
  public static let located = InputKinds(bit: 32)
  /// ``Signal/zone(_:of:)``.
  public static let zone = InputKinds(bit: 33)
  /// Every other ``Signal``: none comes often.
  public static let signals = InputKinds(bit: 34)
}

extension Input {
  /// Its kind.
  public var kind: InputKinds {
    switch self {
    case .started: .started
    case .time: .time
    case .rules: .rules
    case .changed: .changed
    case .asked: .asked
    case .pressed: .pressed
    case .arranged: .arranged
    case .settled: .settled
    case .observed(.fix): .fix
    case .observed(.health): .health
    case .observed(.clock): .clock
    case .observed(.delivery): .delivery
    case .observed(.button): .button
    case .observed(.photo): .photo
    case .observed(.sound): .sound
    case .observed(.sighting): .sighting
    case .observed(.listening): .listening
    case .observed(.meter): .meter
    case .observed(.ways): .ways
    case .observed(.map): .map
    case .observed(.heading): .heading
    case .signalled(.located): .located
    case .signalled(.zone): .zone
    case .signalled: .signals
    }
  }
}

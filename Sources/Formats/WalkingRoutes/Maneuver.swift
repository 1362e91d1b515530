public import Bytes
public import JSON

/// What to do at one point of a way.
public struct Maneuver: Hashable, Sendable {
  /// Where to turn, or what else comes.
  public enum Turn: String, Hashable, Sendable, CaseIterable {
    /// The way begins.
    case start
    /// On in the same direction, along another street.
    case straight
    /// A little to the left.
    case slightLeft = "slight-left"
    /// To the left.
    case left
    /// Back to the left, by more than a right angle.
    case sharpLeft = "sharp-left"
    /// A little to the right.
    case slightRight = "slight-right"
    /// To the right.
    case right
    /// Back to the right, by more than a right angle.
    case sharpRight = "sharp-right"
    /// Back where one came from.
    case around
    /// The left one of two that go on.
    case keepLeft = "keep-left"
    /// The right one of two that go on.
    case keepRight = "keep-right"
    /// Onto stairs.
    case steps
    /// Into a lift, or onto an escalator.
    case lift
    /// Onto a ferry.
    case ferry
    /// Into a building or out of it.
    case building
    /// The end of the way.
    case arrive
    /// The end of the way; what is wanted lies on the left.
    case arriveLeft = "arrive-left"
    /// The end of the way; what is wanted lies on the right.
    case arriveRight = "arrive-right"

    /// Whether the way ends.
    public var isArrival: Bool {
      switch self {
      case .arrive, .arriveLeft, .arriveRight: true
      default: false
      }
    }
  }

  /// Something that is seen where something is to be done.
  public struct Landmark: Hashable, Sendable {
    /// What people call it, 1 through 200 characters.
    public var name: String

    /// A landmark by its name.
    public init(name: String) { self.name = name }
  }

  /// What to do.
  public var turn: Turn
  /// The number of the line's point at which, 0-based.
  public var point: Int
  /// The street that follows, as its sign says; nil where it has no name.
  public var street: String?
  /// What is seen there; nil where nothing stands out.
  public var landmark: Landmark?

  /// A maneuver from its parts.
  public init(_ turn: Turn, at point: Int, street: String? = nil, landmark: Landmark? = nil) {
    self.turn = turn
    self.point = point
    self.street = street
    self.landmark = landmark
  }
}

extension Maneuver: JSONCodable {
  private static let nameLength = 1...200

  /// Reads a maneuver; `street` and `landmark` are optional.
  public init(json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    let point = try reader.integer("at")
    guard (0..<Int64(WalkingRoute.pointsAtMost)).contains(point) else {
      throw reader.error(.outOfRange, "at")
    }
    self.init(
      try reader.word("turn", as: Turn.self), at: Int(point),
      street: try Self.name("street", in: reader),
      landmark: try Self.name("landmark", in: reader).map { Landmark(name: $0) })
  }

  private static func name(
    _ member: String, in reader: JSONReader
  ) throws(DecodeError) -> String? {
    guard let name = try reader.optionalString(member) else { return nil }
    guard nameLength.contains(name.unicodeScalars.count) else {
      throw reader.error(.outOfRange, member)
    }
    return name
  }

  /// The maneuver as an object.
  public var json: JSONValue {
    .object([
      "turn": .string(turn.rawValue), "at": .integer(Int64(point)),
      "street": street.map { .string($0) }, "landmark": landmark.map { .string($0.name) },
    ])
  }
}

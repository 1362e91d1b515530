public import Bytes
import Glibc
public import JSON
public import Moments

/// What a device in a room says about another one.
public struct RoomReport: Hashable, Sendable {
  /// The longest name of a device or a room, in bytes.
  public static let nameLimit = 128
  /// The most characters of what people call a device.
  public static let titleLimit = 200
  /// What a strength can be, in dBm.
  public static let strengths = -127.0...20.0
  /// What a figure of distance can be.
  public static let figures = 0.0...100_000.0

  /// The name of the device that was heard, as its families of tags spell it, such as `iBeacon:e5ca…-1-2`.
  public var device: String
  /// The room of the device that heard it.
  public var room: String
  /// What people call the device that was heard.
  public var name: String?
  /// The signal strength in dBm; nil where only a figure of distance was sent.
  public var strengthDBm: Double?
  /// The figure that programs call distance and compute from signal strength; good for comparing rooms and nothing else.
  public var distanceFigure: Double?
  /// How full the battery is, in per cent.
  public var batteryPercent: Int?

  /// A report from its parts.
  public init(
    device: String, room: String, name: String? = nil, strengthDBm: Double? = nil,
    distanceFigure: Double? = nil, batteryPercent: Int? = nil
  ) {
    self.device = device
    self.room = room
    self.name = name
    self.strengthDBm = strengthDBm
    self.distanceFigure = distanceFigure
    self.batteryPercent = batteryPercent
  }

  /// The report as a sighting of a tag; nil when it holds neither strength nor figure.
  public func sighting(of tag: TagID, by hearer: SourceID, at now: Moment) -> TagSighting? {
    guard let strength = strengthDBm ?? distanceFigure.map(Self.strength(ofFigure:)) else {
      return nil
    }
    let range = TagSighting.strengths
    let bounded = max(Double(range.lowerBound), min(Double(range.upperBound), strength))
    return TagSighting(
      tag: tag, hearer: hearer, strengthDBm: Int(bounded.rounded()), moment: now,
      batteryPercent: batteryPercent)
  }

  // MARK: The figure

  private static let referenceDBm = -59.0
  private static let pathLoss = 27.0

  /// The figure that goes with a strength: 10^((−59 dBm − strength) / 27 dB), which is no length that anybody should read.
  public static func figure(ofStrength strengthDBm: Double) -> Double {
    pow(10, (referenceDBm - strengthDBm) / pathLoss)
  }

  /// The strength that goes with a figure, in dBm.
  public static func strength(ofFigure figure: Double) -> Double {
    referenceDBm - pathLoss * log10(max(0.001, figure))
  }
}

/// What the devices in rooms say, from elsewhere than this gateway.
public enum RoomMessage: Hashable, Sendable {
  /// A device was heard in a room.
  case report(RoomReport)
  /// The device of a room came up, or is gone.
  case status(room: String, isOnline: Bool)
}

extension RoomMessage: JSONCodable {
  /// The words of ``kind``.
  public static let kinds = ["room-report", "room-status"]

  /// The word of what it is.
  public var kind: String {
    switch self {
    case .report: "room-report"
    case .status: "room-status"
    }
  }

  /// Reads `{"kind": "room-report", "device": …, "room": …, "name": …, "strengthDBm": …, "distanceFigure": …,
  /// "batteryPercent": …}`, of which a report has a strength or a figure, or
  /// `{"kind": "room-status", "room": …, "isOnline": …}`.
  public init(json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    switch try reader.string("kind") {
    case "room-report": self = .report(try Self.report(reader))
    case "room-status":
      self = .status(room: try Self.name(reader, "room"), isOnline: try reader.bool("isOnline"))
    default: throw reader.error(.unknownWord, "kind")
    }
  }

  private static func report(_ reader: JSONReader) throws(DecodeError) -> RoomReport {
    let battery = try reader.optionalInteger("batteryPercent")
    if let battery, !(0...100).contains(battery) {
      throw reader.error(.outOfRange, "batteryPercent")
    }
    let report = RoomReport(
      device: try name(reader, "device"), room: try name(reader, "room"),
      name: try reader.optionalString("name").map {
        String(String.UnicodeScalarView($0.unicodeScalars.prefix(RoomReport.titleLimit)))
      },
      strengthDBm: try number(reader, "strengthDBm", RoomReport.strengths),
      distanceFigure: try number(reader, "distanceFigure", RoomReport.figures),
      batteryPercent: battery.map { Int(clamping: $0) })
    guard report.strengthDBm != nil || report.distanceFigure != nil else {
      throw reader.error(.missingField, "strengthDBm")
    }
    return report
  }

  private static func name(_ reader: JSONReader, _ field: String) throws(DecodeError) -> String {
    let name = try reader.string(field)
    guard (1...RoomReport.nameLimit).contains(name.utf8.count) else {
      throw reader.error(.outOfRange, field)
    }
    guard !name.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
      throw reader.error(.invalidText, field)
    }
    return name
  }

  private static func number(
    _ reader: JSONReader, _ name: String, _ range: ClosedRange<Double>
  ) throws(DecodeError) -> Double? {
    guard let number = try reader.optionalDouble(name) else { return nil }
    guard range.contains(number) else { throw reader.error(.outOfRange, name) }
    return number
  }

  /// The message as an object with `kind`.
  public var json: JSONValue {
    switch self {
    case .report(let report):
      .object([
        "kind": .string(kind), "device": .string(report.device), "room": .string(report.room),
        "name": report.name.map { .string($0) },
        "strengthDBm": report.strengthDBm.map { .number($0) },
        "distanceFigure": report.distanceFigure.map { .number($0) },
        "batteryPercent": report.batteryPercent.map { .integer(Int64($0)) },
      ])
    case .status(let room, let isOnline):
      ["kind": .string(kind), "room": .string(room), "isOnline": .bool(isOnline)]
    }
  }
}

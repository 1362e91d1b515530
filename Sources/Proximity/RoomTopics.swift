public import CareModel
import Glibc

/// What a device in a room says about another one.
public struct RoomReport: Hashable, Sendable {
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
    guard let strength = strengthDBm ?? distanceFigure.map(RoomTopics.strength(ofFigure:)) else {
      return nil
    }
    let range = TagSighting.strengths
    let bounded = max(Double(range.lowerBound), min(Double(range.upperBound), strength))
    return TagSighting(
      tag: tag, hearer: hearer, strengthDBm: Int(bounded.rounded()), moment: now,
      batteryPercent: batteryPercent)
  }
}

/// What came on a topic about rooms.
public enum RoomMessage: Hashable, Sendable {
  /// A device was heard in a room.
  case report(RoomReport)
  /// The device of a room came up, or is gone.
  case status(room: String, isOnline: Bool)
}

/// The MQTT topics by which devices in rooms tell what they hear, read and written.
///
///     espresense/devices/<device>/<room>   {"id":"…","name":"…","rssi":-62,"distance":1.42,"batt":87}
///     espresense/rooms/<room>/status       online | offline
///     room_presence/<room>                 {"id":"…","name":"…","distance":1.42}
///
/// The first two are those of ESPresense, the last that of room-assistant and of Home Assistant's `mqtt_room`. Messages
/// that a broker kept from earlier (retained ones) say nothing about now and must not be given here, states excepted.
///
/// - Source: ESPresense (MQTT topics); Home Assistant documentation, "MQTT room presence".
public struct RoomTopics: Hashable, Sendable {
  /// The largest payload that is read, in bytes.
  public static let payloadLimit = 4096
  /// The longest part of a topic, in bytes.
  public static let partLimit = 128

  /// The first part of the topics of ESPresense.
  public var espresense: String
  /// The topic above the rooms of `mqtt_room`.
  public var roomPresence: String

  /// The topics with their usual beginnings.
  public init(espresense: String = "espresense", roomPresence: String = "room_presence") {
    self.espresense = espresense
    self.roomPresence = roomPresence
  }

  /// The filters to subscribe to.
  public var filters: [String] {
    ["\(espresense)/devices/+/+", "\(espresense)/rooms/+/status", "\(roomPresence)/+"]
  }

  // MARK: Reading

  /// Reads one message; nil for topics that are none of these.
  ///
  /// - Throws: ``DecodeError`` with the offset or the field that does not fit.
  public func decode(
    topic: String, payload: [UInt8]
  ) throws(DecodeError) -> RoomMessage? {
    if let rest = Self.rest(of: topic, below: espresense) {
      if rest.count == 3, rest[0] == "devices" {
        return .report(try report(payload, device: rest[1], room: rest[2]))
      }
      guard rest.count == 3, rest[0] == "rooms", rest[2] == "status" else { return nil }
      return .status(room: try part(rest[1], "room"), isOnline: try Self.status(payload))
    }
    guard let rest = Self.rest(of: topic, below: roomPresence), rest.count == 1 else { return nil }
    return .report(try report(payload, device: nil, room: rest[0]))
  }

  private static func rest(of topic: String, below prefix: String) -> [String]? {
    // By bytes: a mark that combines with a stroke must not hide it.
    let head = Array(prefix.utf8) + [0x2F]
    guard !prefix.isEmpty, topic.utf8.count <= 1024, topic.utf8.starts(with: head) else {
      return nil
    }
    return Array(topic.utf8).dropFirst(head.count).split(
      separator: 0x2F, omittingEmptySubsequences: false
    ).map { String(decoding: $0, as: UTF8.self) }
  }

  private func part(_ text: String, _ field: String) throws(DecodeError) -> String {
    guard !text.isEmpty, text.utf8.count <= Self.partLimit else {
      throw DecodeError(.outOfRange, at: 0, field: field)
    }
    let forbidden: Set<UInt8> = [0, 0x23, 0x2B, 0x2F]
    for (offset, byte) in text.utf8.enumerated() where forbidden.contains(byte) || byte < 0x20 {
      throw DecodeError(.invalidText, at: offset, field: field)
    }
    return text
  }

  private static func status(_ payload: [UInt8]) throws(DecodeError) -> Bool {
    switch String(decoding: payload.prefix(16), as: UTF8.self) {
    case "online": true
    case "offline": false
    default: throw DecodeError(.unknownWord, at: 0, field: "status")
    }
  }

  private func report(
    _ payload: [UInt8], device: String?, room: String
  ) throws(DecodeError) -> RoomReport {
    guard payload.count <= Self.payloadLimit else {
      throw DecodeError(.tooLarge, at: Self.payloadLimit)
    }
    let limits = JSONValue.Limits(maximumBytes: Self.payloadLimit, maximumDepth: 8)
    let reader = try JSONReader(JSONValue(parsing: payload, limits: limits))
    var named = device ?? ""
    if device == nil { named = try reader.string("id") }
    let found = RoomReport(
      device: try part(named, "id"), room: try part(room, "room"),
      name: try reader.optionalString("name").map {
        String(String.UnicodeScalarView($0.unicodeScalars.prefix(200)))
      },
      strengthDBm: try Self.number(reader, "rssi", -127...20),
      distanceFigure: try Self.number(reader, "distance", 0...100_000),
      batteryPercent: try Self.number(reader, "batt", 0...100).map { Int($0.rounded()) })
    guard found.strengthDBm != nil || found.distanceFigure != nil else {
      throw reader.error(.missingField, "rssi")
    }
    return found
  }

  private static func number(
    _ reader: JSONReader, _ name: String, _ range: ClosedRange<Double>
  ) throws(DecodeError) -> Double? {
    guard let number = try reader.optionalDouble(name) else { return nil }
    guard range.contains(number) else { throw reader.error(.outOfRange, name) }
    return number
  }

  // MARK: Writing

  /// One message to publish.
  public struct Publication: Hashable, Sendable {
    /// Where.
    public var topic: String
    /// What.
    public var payload: [UInt8]
    /// Whether the broker keeps it for those who come later; never for what was heard, which is old by then.
    public var isRetained: Bool
  }

  /// What this gateway heard, for ESPresense's peers and for `mqtt_room`, which asks for a figure of distance.
  ///
  /// - Throws: ``DecodeError`` when a name cannot be part of a topic, or nothing was measured.
  public func encode(_ report: RoomReport) throws(DecodeError) -> [Publication] {
    let (device, room) = (try part(report.device, "id"), try part(report.room, "room"))
    guard let figure = report.distanceFigure ?? report.strengthDBm.map(Self.figure(ofStrength:))
    else { throw DecodeError(.missingField, at: 0, field: "rssi") }
    let rounded = (figure * 100).rounded() / 100
    let common: JSONValue = .object([
      "id": .string(device), "name": .string(report.name ?? device),
      "rssi": report.strengthDBm.map { .number(($0 * 10).rounded() / 10) },
      "distance": .number(rounded), "batt": report.batteryPercent.map { .integer(Int64($0)) },
    ])
    return [
      Publication(
        topic: "\(espresense)/devices/\(device)/\(room)", payload: common.serializedBytes,
        isRetained: false),
      Publication(
        topic: "\(roomPresence)/\(room)", payload: common.serializedBytes, isRetained: false),
    ]
  }

  /// Whether this gateway listens in its room; also its last will, with false.
  ///
  /// - Throws: ``DecodeError`` when the room's name cannot be part of a topic.
  public func encode(room: String, isOnline: Bool) throws(DecodeError) -> Publication {
    Publication(
      topic: "\(espresense)/rooms/\(try part(room, "room"))/status",
      payload: Array((isOnline ? "online" : "offline").utf8), isRetained: true)
  }

  // MARK: The figure

  private static let referenceDBm = -59.0
  private static let pathLoss = 27.0

  /// The figure that goes with a strength: 10^((−59 dBm − strength) / 27 dB), which is no length that anybody should read.
  static func figure(ofStrength strengthDBm: Double) -> Double {
    pow(10, (referenceDBm - strengthDBm) / pathLoss)
  }

  static func strength(ofFigure figure: Double) -> Double {
    referenceDBm - pathLoss * log10(max(0.001, figure))
  }
}

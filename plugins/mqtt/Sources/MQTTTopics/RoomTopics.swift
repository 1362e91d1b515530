public import Bytes
public import Care
import JSON

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

  /// Whose topics they are.
  public enum Family: String, Hashable, Sendable, CaseIterable {
    /// Those of ESPresense: what was heard, and whether a room's device is up.
    case espresense
    /// Those of room-assistant and `mqtt_room`.
    case roomPresence = "room_presence"
  }

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
  public func filters(of family: Family) -> [String] {
    switch family {
    case .espresense: ["\(espresense)/devices/+/+", "\(espresense)/rooms/+/status"]
    case .roomPresence: ["\(roomPresence)/+"]
    }
  }

  /// Whose topic it is; nil for one that no filter matches.
  public func family(of topic: String) -> Family? {
    if let rest = Self.rest(of: topic, below: espresense), rest.count == 3,
      rest[0] == "devices" || rest[0] == "rooms" && rest[2] == "status"
    {
      return .espresense
    }
    return Self.rest(of: topic, below: roomPresence)?.count == 1 ? .roomPresence : nil
  }

  /// The topic of a room of `mqtt_room`.
  public func roomPresenceTopic(of room: String) -> String { "\(roomPresence)/\(room)" }

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
    guard !text.isEmpty, text.utf8.count <= RoomReport.nameLimit else {
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
        String(String.UnicodeScalarView($0.unicodeScalars.prefix(RoomReport.titleLimit)))
      },
      strengthDBm: try Self.number(reader, "rssi", RoomReport.strengths),
      distanceFigure: try Self.number(reader, "distance", RoomReport.figures),
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
    guard
      let figure = report.distanceFigure ?? report.strengthDBm.map(RoomReport.figure(ofStrength:))
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
        topic: roomPresenceTopic(of: room), payload: common.serializedBytes, isRetained: false),
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
}

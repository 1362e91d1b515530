public import Bytes
public import JSON

/// A small Bluetooth sender that stands for a place, a thing or a person.
///
/// How its advertisements are recognised is told elsewhere; here it is only a name.
public struct Tag: Hashable, Sendable {
  /// What a tag stands for.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// The home: it stays there, and who hears it is at home.
    case home
    /// A room: it stays there.
    case room
    /// The keys.
    case keys
    /// The wallet or the handbag.
    case wallet
    /// Somebody who goes out with the resident.
    case companion
    /// Somebody who comes to care.
    case caregiver
    /// Anybody else whose company matters.
    case person
    /// Anything else.
    case thing
  }

  /// Stable identifier; lower-case letters, digits and hyphens.
  public var id: TagID
  /// The resident whose tag it is.
  public var resident: ResidentID
  /// The name as people write it, any script, 1 through 200 characters.
  public var name: String
  /// What it stands for.
  public var kind: Kind
  /// The zone that a home tag stands in; nil for every zone that is a home.
  public var zone: ZoneID?
  /// The room that a tag of kind `room` stands in, as people name it.
  public var room: String?
  /// Seconds without a sign after which it is away, 10 through 3,600; nil for what is usual for its kind.
  public var awaySeconds: Int64?
  /// Hours without a sign after which somebody is told, 1 through 8,760; nil for what is usual for its kind.
  public var silentHours: Int64?
  /// Whether the resident should have it along outside; nil for what is usual for its kind.
  public var isTakenAlong: Bool?
  /// The signal strengths that the guided calibration found; nil before it.
  public var calibration: TagThresholds?

  /// A tag from its parts; the parts are checked by the command that brings them.
  public init(
    id: TagID, resident: ResidentID, name: String, kind: Kind, zone: ZoneID? = nil,
    room: String? = nil, awaySeconds: Int64? = nil, silentHours: Int64? = nil,
    isTakenAlong: Bool? = nil, calibration: TagThresholds? = nil
  ) {
    self.id = id
    self.resident = resident
    self.name = name
    self.kind = kind
    self.zone = zone
    self.room = room
    self.awaySeconds = awaySeconds
    self.silentHours = silentHours
    self.isTakenAlong = isTakenAlong
    self.calibration = calibration
  }
}

/// The smoothed signal strengths at which a tag comes near or into the room, and at which it leaves again, in dBm.
///
/// Coming takes a stronger signal than staying, so that nobody goes to and fro by standing still.
public struct TagThresholds: Hashable, Sendable {
  /// Near from here on.
  public let nearEnterDBm: Double
  /// No longer near below this.
  public let nearLeaveDBm: Double
  /// In the room from here on.
  public let roomEnterDBm: Double
  /// No longer in the room below this.
  public let roomLeaveDBm: Double

  /// Thresholds; nil unless each is within −127…20 dBm and they come in order:
  /// `roomLeave < roomEnter ≤ nearLeave < nearEnter`.
  public init?(
    nearEnterDBm: Double, nearLeaveDBm: Double, roomEnterDBm: Double, roomLeaveDBm: Double
  ) {
    let range = -127.0...20.0
    guard range.contains(nearEnterDBm), range.contains(roomLeaveDBm),
      roomLeaveDBm < roomEnterDBm, roomEnterDBm <= nearLeaveDBm, nearLeaveDBm < nearEnterDBm
    else { return nil }
    self.nearEnterDBm = nearEnterDBm
    self.nearLeaveDBm = nearLeaveDBm
    self.roomEnterDBm = roomEnterDBm
    self.roomLeaveDBm = roomLeaveDBm
  }

  private init(usual nearEnter: Double, _ nearLeave: Double, _ room: (Double, Double)) {
    nearEnterDBm = nearEnter
    nearLeaveDBm = nearLeave
    roomEnterDBm = room.0
    roomLeaveDBm = room.1
  }

  /// What holds for a tag that was never calibrated.
  ///
  /// Two hands 0.2 m apart were measured at −59 dBm, at 5 m at −90 dBm; in pockets −90 dBm at 0.2 m and −99 dBm at 5 m,
  /// so that without calibration a tag in a pocket is in the room and seldom near.
  public static let usual = TagThresholds(usual: -68, -76, (-96, -102))
}

extension Tag: JSONCodable {
  /// Reads a tag; `id`, `resident`, `name` and `kind` are required.
  ///
  /// - Throws: ``DecodeError`` naming the member that is missing, of another type, or outside its range.
  public init(json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    self.init(
      id: TagID(try reader.string("id")), resident: ResidentID(try reader.string("resident")),
      name: try reader.string("name"), kind: try reader.word("kind", as: Kind.self),
      zone: try reader.optionalString("zone").map { ZoneID($0) },
      room: try reader.optionalString("room"),
      awaySeconds: try Self.whole(reader, "awaySeconds", 10...3600),
      silentHours: try Self.whole(reader, "silentHours", 1...8760),
      isTakenAlong: try reader.optionalBool("isTakenAlong"))
    if let found = reader.optional("calibration") {
      calibration = try TagThresholds(json: found)
    }
  }

  private static func whole(
    _ reader: JSONReader, _ name: String, _ range: ClosedRange<Int64>
  ) throws(DecodeError) -> Int64? {
    guard let number = try reader.optionalInteger(name) else { return nil }
    guard range.contains(number) else { throw reader.error(.outOfRange, name) }
    return number
  }

  /// The tag as an object; what is as usual for its kind is left out.
  public var json: JSONValue {
    .object([
      "id": .string(id.rawValue), "resident": .string(resident.rawValue), "name": .string(name),
      "kind": .string(kind.rawValue), "zone": (zone?.rawValue).map(JSONValue.string),
      "room": room.map(JSONValue.string), "awaySeconds": awaySeconds.map(JSONValue.integer),
      "silentHours": silentHours.map(JSONValue.integer),
      "isTakenAlong": isTakenAlong.map(JSONValue.bool), "calibration": calibration?.json,
    ])
  }
}

extension TagThresholds: JSONCodable {
  /// Reads `{"nearEnter": …, "nearLeave": …, "roomEnter": …, "roomLeave": …}`.
  ///
  /// - Throws: ``DecodeError`` with code `outOfRange` when the strengths are not in order.
  public init(json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    let found = TagThresholds(
      nearEnterDBm: try reader.double("nearEnter"), nearLeaveDBm: try reader.double("nearLeave"),
      roomEnterDBm: try reader.double("roomEnter"), roomLeaveDBm: try reader.double("roomLeave"))
    guard let found else { throw reader.error(.outOfRange, "nearEnter") }
    self = found
  }

  /// The thresholds as an object, in dBm.
  public var json: JSONValue {
    [
      "nearEnter": .number(nearEnterDBm), "nearLeave": .number(nearLeaveDBm),
      "roomEnter": .number(roomEnterDBm), "roomLeave": .number(roomLeaveDBm),
    ]
  }
}

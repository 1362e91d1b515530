public import Bytes
public import JSON
public import Moments

/// One advertisement of a tag, as one device heard it.
public struct TagSighting: Hashable, Sendable {
  /// What receivers can measure, in dBm; 127 stands for "not measured" and is none.
  ///
  /// - Source: Bluetooth Core Specification 5.4, volume 4, part E, section 7.7.65.2.
  public static let strengths = -127...20

  /// The tag that was heard.
  public var tag: TagID
  /// The device that heard it.
  public var hearer: SourceID
  /// The signal strength at that device.
  public var strengthDBm: Int
  /// When it was heard.
  public var moment: Moment
  /// How full the tag's battery is, 0 through 100 per cent; nil when it does not say.
  public var batteryPercent: Int?

  /// A sighting; nil when the strength or the battery is no possible number.
  public init?(
    tag: TagID, hearer: SourceID, strengthDBm: Int, moment: Moment, batteryPercent: Int? = nil
  ) {
    guard Self.strengths.contains(strengthDBm) else { return nil }
    if let batteryPercent, !(0...100).contains(batteryPercent) { return nil }
    self.tag = tag
    self.hearer = hearer
    self.strengthDBm = strengthDBm
    self.moment = moment
    self.batteryPercent = batteryPercent
  }
}

extension TagSighting: JSONCodable {
  /// Reads a sighting; the battery is optional.
  ///
  /// - Throws: ``DecodeError`` naming the member that is missing, of another type, or outside its range.
  public init(json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    let strength = try reader.integer("strengthDBm")
    let battery = try reader.optionalInteger("batteryPercent")
    if let battery, !(0...100).contains(battery) {
      throw reader.error(.outOfRange, "batteryPercent")
    }
    let moment = Moment(
      tick: Tick(nanoseconds: try reader.integer("tick")),
      utc: Timestamp(milliseconds: try reader.integer("utc")),
      quality: try reader.word("quality", as: TimeQuality.self))
    let found = TagSighting(
      tag: TagID(try reader.string("tag")), hearer: SourceID(try reader.string("hearer")),
      strengthDBm: Int(clamping: strength), moment: moment,
      batteryPercent: battery.map { Int(clamping: $0) })
    guard let found else { throw reader.error(.outOfRange, "strengthDBm") }
    self = found
  }

  /// The sighting as an object.
  public var json: JSONValue {
    .object([
      "tag": .string(tag.rawValue), "hearer": .string(hearer.rawValue),
      "strengthDBm": .integer(Int64(strengthDBm)), "tick": .integer(moment.tick.nanoseconds),
      "utc": .integer(moment.utc.milliseconds), "quality": .string(moment.quality.rawValue),
      "batteryPercent": batteryPercent.map { .integer(Int64($0)) },
    ])
  }
}

/// A device that listens for tags, and where it is.
public struct TagHearer: Hashable, Sendable {
  /// Where a device that listens is.
  public enum Place: Hashable, Sendable {
    /// It moves with the resident.
    case withResident
    /// It stays in a room, which people name so.
    case room(String)
  }

  /// The device.
  public var id: SourceID
  /// Where it is.
  public var place: Place
  /// What is added to its signal strengths, in dB, because its antenna differs from the others', −30 through 30.
  public var offsetDB: Double

  /// A hearer from its parts; an offset outside its range counts as the nearest within.
  public init(id: SourceID, place: Place, offsetDB: Double = 0) {
    self.id = id
    self.place = place
    self.offsetDB = offsetDB.isFinite ? min(30, max(-30, offsetDB)) : 0
  }
}

extension TagHearer: JSONCodable {
  /// Reads a hearer; one without a room moves with the resident.
  public init(json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    let offset = try reader.optionalDouble("offsetDB") ?? 0
    guard (-30.0...30.0).contains(offset) else { throw reader.error(.outOfRange, "offsetDB") }
    self.init(
      id: SourceID(try reader.string("id")),
      place: try reader.optionalString("room").map { Place.room($0) } ?? .withResident,
      offsetDB: offset)
  }

  /// The hearer as an object; `room` is left out where it moves with the resident.
  public var json: JSONValue {
    var room: JSONValue?
    if case .room(let name) = place { room = .string(name) }
    return .object([
      "id": .string(id.rawValue), "room": room,
      "offsetDB": offsetDB == 0 ? nil : .number(offsetDB),
    ])
  }
}

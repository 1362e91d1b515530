public import Bytes
public import JSON
public import Moments

/// Says in which room a tag is, from what several devices hear: the loudest, with hysteresis.
///
/// A challenger takes over when it is louder by the margin in three judgements in a row that span at least five seconds.
/// A room that has not heard the tag lately is out at once, and the loudest of the others takes over; when none has, the
/// tag is in no room. Rooms of equal loudness are taken by name, so that the order of messages decides nothing.
public struct RoomMerge: Hashable, Sendable {
  /// How loud a tag is in one room.
  public struct Level: Hashable, Sendable {
    /// The room, as people name it.
    public var room: String
    /// The smoothed strength in dBm, offsets of the device included.
    public var strengthDBm: Double
    /// When it was last heard there.
    public var heard: Tick

    /// A level from its parts.
    public init(room: String, strengthDBm: Double, heard: Tick) {
      self.room = room
      self.strengthDBm = strengthDBm
      self.heard = heard
    }
  }

  /// How many judgements in a row a challenger must win.
  public static let winsNeeded = 3
  /// Milliseconds that these wins must span at least.
  public static let winMilliseconds: Int64 = 5000

  /// The room that the tag is in; nil for none.
  public private(set) var room: String?
  private(set) var challenger: Challenger?

  struct Challenger: Hashable, Sendable {
    var room: String
    var wins: Int
    var since: Stamp
  }

  /// In no room.
  public init() {}

  /// Judges what all rooms hear now; true when the room changed.
  ///
  /// - Parameters:
  ///   - levels: one for each room; of two for the same room the louder one holds.
  ///   - freshMilliseconds: for how long after it was heard a level holds.
  public mutating func judge(
    _ levels: [Level], marginDB: Double, freshMilliseconds: Int64, at now: Moment
  ) -> Bool {
    let fresh = levels.filter {
      $0.strengthDBm.isFinite && now.tick.milliseconds(since: $0.heard) <= freshMilliseconds
    }
    guard let loudest = fresh.max(by: Self.isQuieter) else { return settle(nil) }
    guard let room, let mine = fresh.filter({ $0.room == room }).max(by: Self.isQuieter) else {
      return settle(loudest.room)
    }
    guard loudest.room != room, loudest.strengthDBm - mine.strengthDBm >= marginDB else {
      challenger = nil
      return false
    }
    return challenge(loudest.room, at: now)
  }

  private mutating func challenge(_ room: String, at now: Moment) -> Bool {
    guard var found = challenger, found.room == room, !found.since.isEstimated else {
      challenger = Challenger(room: room, wins: 1, since: Stamp(now))
      return false
    }
    found.wins = min(Self.winsNeeded, found.wins + 1)
    challenger = found
    guard found.wins >= Self.winsNeeded, found.since.age(at: now) >= Self.winMilliseconds else {
      return false
    }
    return settle(room)
  }

  private mutating func settle(_ room: String?) -> Bool {
    challenger = nil
    guard room != self.room else { return false }
    self.room = room
    return true
  }

  private static func isQuieter(_ one: Level, _ other: Level) -> Bool {
    (one.strengthDBm, other.room) < (other.strengthDBm, one.room)
  }

  mutating func mapStamps(_ change: (inout Stamp) -> Void) { challenger?.since.map(change) }
}

extension RoomMerge: JSONCodable {
  /// Reads what ``json`` wrote.
  ///
  /// - Throws: ``DecodeError`` naming the member that does not fit.
  public init(json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    room = try reader.optionalString("room")
    guard let name = try reader.optionalString("challenger") else { return }
    let wins = try reader.integer("wins")
    guard (1...Int64(Self.winsNeeded)).contains(wins) else {
      throw reader.error(.outOfRange, "wins")
    }
    challenger = Challenger(room: name, wins: Int(wins), since: try reader.stamp("since"))
  }

  /// The state as an object, for a row of engine state.
  public var json: JSONValue {
    .object([
      "room": room.map(JSONValue.string), "challenger": (challenger?.room).map(JSONValue.string),
      "wins": challenger.map { .integer(Int64($0.wins)) }, "since": challenger?.since.json,
    ])
  }
}

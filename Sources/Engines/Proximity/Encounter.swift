public import Bytes
public import Care
public import JSON
public import Moments

/// A time in somebody's company, with what signal strength can and cannot say about it.
///
/// Signal strength tells "close by" from "in the room" only roughly: the best single limit for "within 2 m" was right in
/// 52 to 81 of 100 cases, depending on how people held their phones. So there are three durations, and no metres.
///
/// - Source: 123,718 recorded readings of phones at known distances; balanced accuracy of the best limit.
public struct Encounter: Hashable, Sendable {
  /// The tag of the person met.
  public var tag: TagID
  /// Whether the hearing device moved with the resident; otherwise both were near the same device in a room.
  public var isHeardByResident: Bool
  /// When they came together.
  public var began: Timestamp
  /// When they were last close.
  public var ended: Timestamp
  /// How far the clock could be believed.
  public var timeQuality: TimeQuality
  /// Seconds with a signal so strong that they were surely close.
  public var surelySeconds: Int64
  /// Seconds in which they were likely close.
  public var likelySeconds: Int64
  /// Seconds in which they may have been close.
  public var possiblySeconds: Int64
  /// The strongest smoothed signal, in dBm.
  public var strongestDBm: Double

  /// Who was met in a time, for telling past contacts of an infection: the newest encounter first.
  ///
  /// - Parameters:
  ///   - encounters: all that are known, in any order.
  ///   - minimumSeconds: the least likely time in company, summed over all encounters with one person.
  /// - Returns: each person once, with the sums of the three durations.
  public static func contacts(
    among encounters: [Encounter], from start: Timestamp, to end: Timestamp,
    minimumSeconds: Int64 = 900
  ) -> [Contact] {
    var found: [TagID: Contact] = [:]
    for met in encounters where met.ended >= start && met.began <= end {
      var contact = found[met.tag] ?? Contact(tag: met.tag, last: met.ended)
      contact.add(met)
      found[met.tag] = contact
    }
    return found.values.filter { $0.likelySeconds >= minimumSeconds }.sorted {
      ($1.last, $0.tag) < ($0.last, $1.tag)
    }
  }

  /// One person's encounters in a time, summed.
  public struct Contact: Hashable, Sendable {
    /// The tag of the person.
    public var tag: TagID
    /// When they were last close.
    public var last: Timestamp
    /// How many times they met.
    public private(set) var count = 0
    /// Seconds surely close.
    public private(set) var surelySeconds: Int64 = 0
    /// Seconds likely close.
    public private(set) var likelySeconds: Int64 = 0
    /// Seconds possibly close.
    public private(set) var possiblySeconds: Int64 = 0

    init(tag: TagID, last: Timestamp) {
      self.tag = tag
      self.last = last
    }

    fileprivate mutating func add(_ met: Encounter) {
      count += 1
      last = max(last, met.ended)
      surelySeconds = surelySeconds.addedClamped(met.surelySeconds)
      likelySeconds = likelySeconds.addedClamped(met.likelySeconds)
      possiblySeconds = possiblySeconds.addedClamped(met.possiblySeconds)
    }
  }
}

extension Int64 {
  /// The sum, or the nearest representable number.
  func addedClamped(_ other: Int64) -> Int64 {
    let (sum, overflows) = addingReportingOverflow(other)
    return overflows ? (other < 0 ? .min : .max) : sum
  }
}

extension Encounter: JSONCodable {
  /// Reads an encounter, also from the facts of an `encounter.ended` event.
  ///
  /// - Throws: ``DecodeError`` naming the member that does not fit.
  public init(json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    tag = TagID(try reader.string("tag"))
    isHeardByResident = try reader.bool("isHeardByResident")
    began = try reader.timestamp("began")
    ended = try reader.timestamp("ended")
    timeQuality = try reader.word("timeQuality", as: TimeQuality.self)
    surelySeconds = try reader.integer("surelySeconds")
    likelySeconds = try reader.integer("likelySeconds")
    possiblySeconds = try reader.integer("possiblySeconds")
    strongestDBm = try reader.double("strongestDBm")
  }

  /// The encounter as an object.
  public var json: JSONValue {
    [
      "tag": .string(tag.rawValue), "isHeardByResident": .bool(isHeardByResident),
      "began": .string(began.iso8601), "ended": .string(ended.iso8601),
      "timeQuality": .string(timeQuality.rawValue), "surelySeconds": .integer(surelySeconds),
      "likelySeconds": .integer(likelySeconds), "possiblySeconds": .integer(possiblySeconds),
      "strongestDBm": .number((strongestDBm * 10).rounded() / 10),
    ]
  }
}

/// A time in company that is not over yet.
struct OpenEncounter: Hashable, Sendable {
  var began: Stamp
  /// When they were last close.
  var lastNear: Stamp
  /// When the tag was last heard.
  var lastHeard: Stamp
  var surelyMilliseconds: Int64 = 0
  var likelyMilliseconds: Int64 = 0
  var possiblyMilliseconds: Int64 = 0
  var strongestDBm: Double
  var isHeardByResident: Bool

  /// Between two advertisements more than this apart nobody knows what happened.
  static let longestStepMilliseconds: Int64 = 30_000
  /// Decibels of a reading's own scatter, on either side of the limits.
  static let scatterDB = 6.0

  init(at now: Moment, levelDBm: Double, isHeardByResident: Bool) {
    began = Stamp(now)
    lastNear = began
    lastHeard = began
    strongestDBm = levelDBm
    self.isHeardByResident = isHeardByResident
  }

  /// Counts the time since the last advertisement.
  mutating func note(_ link: TagLink, _ thresholds: TagThresholds, at now: Moment) {
    guard let level = link.signal.levelDBm else { return }
    let passed = lastHeard.isEstimated ? 0 : lastHeard.age(at: now)
    let step = passed > Self.longestStepMilliseconds ? 0 : passed
    lastHeard = Stamp(now)
    strongestDBm = max(strongestDBm, level)
    if link.presence == .near {
      lastNear = Stamp(now)
      likelyMilliseconds = likelyMilliseconds.addedClamped(step)
      if level >= thresholds.nearEnterDBm + Self.scatterDB {
        surelyMilliseconds = surelyMilliseconds.addedClamped(step)
      }
    }
    if link.presence == .near || level >= thresholds.nearLeaveDBm - Self.scatterDB {
      possiblyMilliseconds = possiblyMilliseconds.addedClamped(step)
    }
  }

  func closed(_ tag: TagID) -> Encounter {
    Encounter(
      tag: tag, isHeardByResident: isHeardByResident, began: began.utc, ended: lastNear.utc,
      timeQuality: lastNear.quality, surelySeconds: surelyMilliseconds / 1000,
      likelySeconds: likelyMilliseconds / 1000, possiblySeconds: possiblyMilliseconds / 1000,
      strongestDBm: strongestDBm)
  }

  mutating func mapStamps(_ change: (inout Stamp) -> Void) {
    change(&began)
    change(&lastNear)
    change(&lastHeard)
  }
}

extension OpenEncounter {
  init(json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    began = try reader.stamp("began")
    lastNear = try reader.stamp("lastNear")
    lastHeard = try reader.stamp("lastHeard")
    surelyMilliseconds = try reader.integer("surelyMilliseconds")
    likelyMilliseconds = try reader.integer("likelyMilliseconds")
    possiblyMilliseconds = try reader.integer("possiblyMilliseconds")
    strongestDBm = try reader.double("strongestDBm")
    isHeardByResident = try reader.bool("isHeardByResident")
  }

  var json: JSONValue {
    [
      "began": began.json, "lastNear": lastNear.json, "lastHeard": lastHeard.json,
      "surelyMilliseconds": .integer(surelyMilliseconds),
      "likelyMilliseconds": .integer(likelyMilliseconds),
      "possiblyMilliseconds": .integer(possiblyMilliseconds),
      "strongestDBm": .number(strongestDBm), "isHeardByResident": .bool(isHeardByResident),
    ]
  }
}

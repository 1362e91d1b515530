import Bytes
import Care
import JSON
import Moments

/// A message that nobody has read yet, and how far its speaking has come.
struct PendingMessage: Hashable, Sendable {
  static let engine = "notebook"
  static let rowPrefix = "message:"
  /// How often a message is spoken in all.
  static let timesAtMost: Int64 = 3
  /// Seconds between two times.
  static let againSeconds: Int64 = 600

  var message: ChatMessage
  /// How often it has been spoken.
  var times: Int64 = 0
  /// When it was spoken last, or should have been.
  var last: Stamp?
  /// Not before this tick, for quiet hours; nil when nothing holds it back.
  var heldUntil: Tick?
  /// Whether it came before this run, so that nobody waits for it this minute.
  var isOld = false

  init(_ message: ChatMessage) { self.message = message }

  /// When it is to be spoken; nil for never.
  var due: Tick? {
    guard message.direction == .toResident, times < Self.timesAtMost else { return nil }
    let due = last.map { $0.tick(after: Self.againSeconds) } ?? Tick(nanoseconds: .min)
    return heldUntil.map { max($0, due) } ?? due
  }

  /// The row that outlives a restart; nil while there is nothing to remember.
  func row(boot: BootID) -> EngineRow? {
    guard let last else { return nil }
    return EngineRow(
      engine: Self.engine, subject: message.resident.rawValue,
      name: Self.rowPrefix + message.id.rawValue,
      content: [
        "times": .integer(times), "last": last.json, "boot": .string(boot.rawValue),
      ])
  }

  /// Takes what a row remembers.
  mutating func restore(_ row: EngineRow, boot: BootID, at now: Moment) throws(DecodeError) {
    let reader = try JSONReader(row.content)
    let times = try reader.count("times")
    var last = try reader.stamp("last")
    if try reader.string("boot") != boot.rawValue { last.rebase(to: now) }
    self.times = max(0, times)
    self.last = last
  }
}

import Bytes
import Care
import JSON
import Moments

/// What is to be heard of an item, or not any more.
enum RoomNews: Sendable {
  /// It is due and wants to be said.
  case due(RoutineItemID)
  /// It will be due soon and wants to be said.
  case ahead(RoutineItemID)
  /// It is due now: that it will be is not to be said any more.
  case begun(RoutineItemID)
  /// It needs no answer any more.
  case over(RoutineItemID)
}

/// What of the routine sounds in the room, and what waits to be heard.
struct Room: Hashable, Sendable {
  /// Counts the sounds: each has an id of its own, so that the late end of one is not taken for that of the next.
  var number: Int64 = 0
  /// What sounds now.
  var sound: SoundID?
  /// When it began, or when the one before did.
  var began: Tick?
  /// What it named: a press answers these.
  var heard: [RoutineItemID] = []
  /// What it only counted: "and 4 more".
  var rest: [RoutineItemID] = []
  /// Whether a family's recording sounds, which may be missing.
  var isRecording = false
  /// What waits to be heard.
  var queue: Set<RoutineItemID> = []
  /// What will be due soon and waits to be said.
  var notices: Set<RoutineItemID> = []
  /// Until when nothing is said, after an alarm began.
  var holdUntil: Tick?

  /// How long after a reminder began a press answers it.
  static let answerMilliseconds: Int64 = 120_000
  init() {}

  private init(number: Int64) { self.number = number }

  /// A sound whose end is never reported is over by then.
  private static let longestMilliseconds: Int64 = 600_000
  /// Of what waits so many are stored; a thousand at once are prompted again soon.
  private static let storedAtMost = 64

  /// When the room wants to be looked at; nil for not at all.
  var deadline: Tick? {
    if sound != nil, let began { return began.advanced(byMilliseconds: Self.longestMilliseconds) }
    return queue.isEmpty && notices.isEmpty ? nil : holdUntil
  }

  /// Whether what was heard can still be answered by a press.
  func isAnswerable(at now: Tick) -> Bool {
    guard let began else { return false }
    return sound != nil || now.milliseconds(since: began) <= Self.answerMilliseconds
  }

  mutating func forget(_ id: RoutineItemID) {
    queue.remove(id)
    notices.remove(id)
    heard.removeAll { $0 == id }
    rest.removeAll { $0 == id }
  }

  /// Takes news of an item; says which sound has to stop, because nothing is left of what it named.
  mutating func take(_ news: RoomNews) -> SoundID? {
    switch news {
    case .due(let id): queue.insert(id)
    case .ahead(let id): notices.insert(id)
    case .begun(let id): notices.remove(id)
    case .over(let id):
      let wasHeard = heard.contains(id)
      forget(id)
      guard wasHeard, heard.isEmpty, let sound else { return nil }
      putBack()
      end()
      return sound
    }
    return nil
  }

  /// What sounds is over; what it only counted is not asked for again before its next prompt.
  mutating func end() {
    sound = nil
    isRecording = false
  }

  /// What was cut short is said again.
  mutating func putBack() {
    queue.formUnion(heard)
    queue.formUnion(rest)
    rest = []
  }
}

// MARK: The row

extension Room {
  static let rowName = "room"
  static let subject = "gateway"

  func row(boot: BootID) -> EngineRow? {
    guard self != Room(number: number) else { return nil }
    return EngineRow(
      engine: Course.engine, subject: Self.subject, name: Self.rowName,
      content: .object([
        "boot": .string(boot.rawValue), "number": .integer(number),
        "sound": sound.map { .string($0.rawValue) },
        "began": began.map { .integer($0.nanoseconds) }, "heard": Self.list(heard),
        "rest": Self.list(Array(rest.prefix(Self.storedAtMost))),
        "isRecording": isRecording ? true : nil,
        "queue": Self.list(Array(queue.sorted().prefix(Self.storedAtMost))),
        "notices": Self.list(Array(notices.sorted().prefix(Self.storedAtMost))),
        "holdUntil": holdUntil.map { .integer($0.nanoseconds) },
      ]))
  }

  private static func list(_ ids: [RoutineItemID]) -> JSONValue {
    .array(ids.map { .string($0.rawValue) })
  }

  /// Reads a row; what another boot heard cannot be answered any more, and is said again if it was cut short.
  init(row: EngineRow, boot: BootID) throws(DecodeError) {
    let reader = try JSONReader(row.content)
    func ids(_ name: String) throws(DecodeError) -> [RoutineItemID] {
      try reader.array(name).compactMap(\.stringContent).map { RoutineItemID($0) }
    }
    number = try reader.count("number")
    sound = try reader.optionalString("sound").map { SoundID($0) }
    began = try reader.optionalInteger("began").map { Tick(nanoseconds: $0) }
    heard = try ids("heard")
    rest = try ids("rest")
    isRecording = try reader.optionalBool("isRecording") ?? false
    queue = Set(try ids("queue"))
    notices = Set(try ids("notices"))
    holdUntil = try reader.optionalInteger("holdUntil").map { Tick(nanoseconds: $0) }
    guard try reader.string("boot") != boot.rawValue else { return }
    if sound != nil { putBack() }
    end()
    began = nil
    heard = []
    rest = []
    notices = []
    holdUntil = nil
  }
}

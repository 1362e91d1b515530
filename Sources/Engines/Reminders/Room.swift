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
  private var number: Int64 = 0
  /// What sounds now.
  private(set) var sound: SoundID?
  /// When it began, or when the one before did.
  private var began: Tick?
  /// What it named: a press answers these.
  private var heard: [RoutineItemID] = []
  /// What it only counted: "and 4 more".
  private var rest: [RoutineItemID] = []
  /// Whether a family's recording sounds, which may be missing.
  private var isRecording = false
  /// What waits to be heard.
  private var queue: Set<RoutineItemID> = []
  /// What will be due soon and waits to be said.
  private var notices: Set<RoutineItemID> = []
  /// Until when nothing is said, after an alarm began.
  private var holdUntil: Tick?

  /// How long after a reminder began a press answers it.
  private static let answerMilliseconds: Int64 = 120_000
  private static let pauseMilliseconds: Int64 = 30_000
  /// How long an alarm has the room for itself.
  private static let holdMilliseconds: Int64 = 120_000

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

  /// Whether it named anything last.
  var hasNamed: Bool { !heard.isEmpty }

  /// What a press answers now.
  func answerable(in courses: Courses, at now: Tick) -> [RoutineItemID] {
    guard let began, sound != nil || now.milliseconds(since: began) <= Self.answerMilliseconds
    else { return [] }
    return heard.filter { courses[$0]?.open != nil }
  }

  // MARK: Speaking

  /// Says what waits, if nothing of the routine sounds.
  mutating func settle(_ speech: RoomSpeech, at now: Moment) -> Action? {
    if let deadline, sound != nil, deadline <= now.tick { end() }
    if let hold = holdUntil {
      guard hold <= now.tick else { return nil }
      holdUntil = nil
    }
    guard sound == nil, now.quality.isTrusted else { return nil }
    if !queue.isEmpty, let action = announceNext(speech, at: now.tick) { return action }
    return notices.isEmpty ? nil : sayNotice(speech, at: now)
  }

  private mutating func announceNext(_ speech: RoomSpeech, at now: Tick) -> Action? {
    let courses = speech.courses
    let waiting = courses.inOrder(queue.sorted()).filter { courses[$0]?.open != nil }
    queue = Set(waiting)
    guard let first = waiting.first.flatMap({ courses[$0]?.item.resident }) else { return nil }
    let batch = waiting.filter { courses[$0]?.item.resident == first }
    queue.subtract(batch)
    heard = Array(batch.prefix(ReminderSentences.titlesAtMost))
    rest = Array(batch.dropFirst(ReminderSentences.titlesAtMost))
    let recording = batch.count == 1 ? speech.recording(of: heard[0]) : nil
    isRecording = recording != nil
    return play(
      recording ?? speech.reminder(of: heard, others: rest.count, to: first), repetitions: 2,
      at: now)
  }

  private mutating func sayNotice(_ speech: RoomSpeech, at now: Moment) -> Action? {
    guard let id = speech.courses.inOrder(notices.sorted()).first else { return nil }
    notices.remove(id)
    guard let parts = speech.notice(of: id, at: now) else { return nil }
    heard = []
    rest = []
    return play(parts, at: now.tick)
  }

  private mutating func play(
    _ parts: [SoundPart], repetitions: Int = 1, at now: Tick
  ) -> Action {
    number += 1
    let id = SoundID("reminder-\(number)")
    sound = id
    began = now
    return .play(
      SoundRequest(
        id: id, priority: .reminder, parts: parts, repetitions: repetitions,
        pauseMilliseconds: repetitions > 1 ? Self.pauseMilliseconds : 0))
  }

  /// Says what was answered, in the place of what sounds.
  mutating func confirm(_ sentences: [Sentence], at now: Tick) -> [Action] {
    let stop = sound.map { Action.stopSound($0) }
    end()
    heard = []
    rest = []
    let play = play(sentences.map { .speech($0) }, at: now)
    return [stop, play].compactMap { $0 }
  }

  // MARK: What becomes of what sounds

  /// Takes what the speaker reports.
  mutating func take(
    _ report: SoundReport, _ speech: RoomSpeech, at now: Tick
  ) -> Action? {
    guard let sound, report.sound == sound else { return nil }
    switch report.outcome {
    case .started: began = now
    case .failed where isRecording:
      isRecording = false
      guard let resident = heard.first.flatMap({ speech.courses[$0]?.item.resident }) else {
        end()
        return nil
      }
      return play(
        speech.reminder(of: heard, others: rest.count, to: resident), repetitions: 2, at: now)
    case .finished, .stopped, .failed: end()
    case .wordless: break
    }
    return nil
  }

  /// A real alarm has the room for itself; what it cut short is said again later. Says which sound has to stop.
  mutating func makeWay(at now: Tick) -> SoundID? {
    holdUntil = now.advanced(byMilliseconds: Self.holdMilliseconds)
    guard let sound else { return nil }
    putBack()
    end()
    return sound
  }

  /// After a start nothing sounds: what was cut short is said again.
  mutating func restart() {
    guard sound != nil else { return }
    putBack()
    end()
    heard = []
    began = nil
  }

  /// What was only counted is asked for next, where nothing sounds any more.
  mutating func queueRest() {
    if sound == nil { queue.formUnion(rest) }
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

  /// Forgets an item; what sounds goes on.
  mutating func forget(_ id: RoutineItemID) {
    queue.remove(id)
    notices.remove(id)
    heard.removeAll { $0 == id }
    rest.removeAll { $0 == id }
  }

  /// What sounds is over; what it only counted is not asked for again before its next prompt.
  private mutating func end() {
    sound = nil
    isRecording = false
  }

  /// What was cut short is said again.
  private mutating func putBack() {
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

import Care
public import Moments
import Texts

/// What is heard: one sound at a time, in order, stopped when it is answered.
extension ReminderEngine {
  private static let pauseMilliseconds: Int64 = 30_000
  /// How long an alarm has the room for itself.
  private static let holdMilliseconds: Int64 = 120_000

  // MARK: Speaking

  /// Says what waits, if nothing of the routine sounds.
  mutating func settleRoom(_ step: inout Step) {
    if let deadline = room.deadline, room.sound != nil, deadline <= step.now.tick { room.end() }
    if let hold = room.holdUntil {
      guard hold <= step.now.tick else { return }
      room.holdUntil = nil
    }
    guard room.sound == nil, step.now.quality.isTrusted else { return }
    if !room.queue.isEmpty { announceNext(&step) }
    if room.sound == nil, !room.notices.isEmpty { sayNotice(&step) }
  }

  private mutating func announceNext(_ step: inout Step) {
    let waiting = courses.inOrder(room.queue.sorted()).filter { courses[$0]?.open != nil }
    room.queue = Set(waiting)
    guard let first = waiting.first.flatMap({ courses[$0]?.item.resident }) else { return }
    let batch = waiting.filter { courses[$0]?.item.resident == first }
    room.queue.subtract(batch)
    room.heard = Array(batch.prefix(ReminderSentences.titlesAtMost))
    room.rest = Array(batch.dropFirst(ReminderSentences.titlesAtMost))
    let recording = batch.count == 1 ? courses[room.heard[0]]?.item.recording : nil
    room.isRecording = recording != nil
    play(
      recording.map { [.pattern("reminder"), .file($0)] } ?? spoken(of: first), repetitions: 2,
      &step)
  }

  /// Chime, name, time, one action.
  private func spoken(of resident: ResidentID) -> [SoundPart] {
    let words = household.sentences(of: resident)
    let heard = room.heard.filter { courses[$0] != nil }
    let items = heard.compactMap { courses[$0]?.item }
    let others = room.rest.count
    let times = heard.map { timeAhead(of: $0) }
    let action =
      items.count == 1 && others == 0
      ? words.action(items[0], time: times[0]) : words.action(items, times: times, others: others)
    let zone = household.residents[resident]?.timeZone ?? "UTC"
    return [
      .pattern("reminder"), .speech(words.greeting),
      .clock(timeZone: zone, language: words.language.rawValue), .speech(action),
    ]
  }

  /// The time of day that is meant, where quiet hours have it asked before its time.
  private func timeAhead(of id: RoutineItemID) -> String? {
    guard let course = courses[id], let open = course.open?.occurrence else { return nil }
    let time = household.ownTime(of: open, course.item)
    return time > open.due ? household.clockText(time, course.item) : nil
  }

  private mutating func sayNotice(_ step: inout Step) {
    let waiting = courses.inOrder(room.notices.sorted())
    guard let id = waiting.first else { return }
    room.notices.remove(id)
    guard let course = courses[id], let next = course.next, next.instant > step.now.utc else {
      return
    }
    let minutes = (next.instant.milliseconds(since: step.now.utc) + 59_999) / 60_000
    let words = household.sentences(of: course.item.resident)
    room.heard = []
    room.rest = []
    play(
      [
        .pattern("reminder"), .speech(words.greeting),
        .speech(words.notice(course.item, minutes: minutes)),
      ], &step)
  }

  private mutating func play(
    _ parts: [SoundPart], repetitions: Int = 1, _ step: inout Step
  ) {
    room.number += 1
    let id = SoundID("reminder-\(room.number)")
    room.sound = id
    room.began = step.now.tick
    step.outcome.actions.append(
      .play(
        SoundRequest(
          id: id, priority: .reminder, parts: parts, repetitions: repetitions,
          pauseMilliseconds: repetitions > 1 ? Self.pauseMilliseconds : 0)))
  }

  // MARK: What the speaker reports

  mutating func take(_ report: SoundReport, _ step: inout Step) {
    guard let sound = room.sound, report.sound == sound else { return }
    switch report.outcome {
    case .started: room.began = step.now.tick
    case .failed where room.isRecording:
      room.isRecording = false
      guard let resident = room.heard.first.flatMap({ courses[$0]?.item.resident }) else {
        return room.end()
      }
      play(spoken(of: resident), repetitions: 2, &step)
    case .finished, .stopped, .failed: room.end()
    case .wordless: break
    }
  }

  /// A real alarm has the room for itself; what it cut short is said again later.
  mutating func makeWay(_ step: inout Step) {
    room.holdUntil = step.now.tick.advanced(byMilliseconds: Self.holdMilliseconds)
    guard let sound = room.sound else { return }
    step.outcome.actions.append(.stopSound(sound))
    room.putBack()
    room.end()
  }

  /// After a start nothing sounds: what was cut short is said again.
  mutating func restartRoom(_ step: inout Step) {
    guard room.sound != nil else { return }
    room.putBack()
    room.end()
    room.heard = []
    room.began = nil
  }

  // MARK: A press

  /// Whether a press answers a reminder now, so that it means nothing else.
  public func isAnswerable(at now: Moment) -> Bool { !heardNow(at: now).isEmpty }

  /// What a press answers now.
  func heardNow(at now: Moment) -> [RoutineItemID] {
    guard room.isAnswerable(at: now.tick) else { return [] }
    return room.heard.filter { courses[$0]?.open != nil }
  }

  /// Answers what was heard, and says what was answered.
  mutating func answerHeard(isDone: Bool, by person: String, _ step: inout Step) {
    let ids = heardNow(at: step.now)
    let items = ids.compactMap { courses[$0]?.item }
    guard let resident = items.first?.resident else { return }
    if room.sound == nil { room.queue.formUnion(room.rest) }
    let words = household.sentences(of: resident)
    if isDone {
      for id in ids { try? answer(id, slot: nil, .done, by: person, &step) }
      return confirm([words.praise, words.noted(items)], &step)
    }
    var declined: [RoutineItem] = []
    var putOff: [RoutineItem] = []
    var refused: [RoutineItem] = []
    for item in items {
      do throws(CommandReply.Refusal) {
        try answer(item.id, slot: nil, .notNow, by: person, &step)
        if item.isCritical { putOff.append(item) } else { declined.append(item) }
      } catch { refused.append(item) }
    }
    var sentences: [Sentence] = []
    if !declined.isEmpty { sentences.append(words.declined(declined)) }
    if let first = putOff.first.flatMap({ courses[$0.id] }) {
      sentences.append(
        words.putOff(putOff, minutes: household.timing(of: first.item).snoozeMinutes))
    }
    if !refused.isEmpty { sentences.append(words.notAgain(refused)) }
    confirm(sentences, &step)
  }

  private mutating func confirm(_ sentences: [Sentence], _ step: inout Step) {
    if let sound = room.sound { step.outcome.actions.append(.stopSound(sound)) }
    room.end()
    room.heard = []
    room.rest = []
    play(sentences.map { .speech($0) }, &step)
  }
}

import Bytes
public import Care
public import Moments

/// Fetches the records of one meter that are newer than the last, in one session after another.
///
/// The meter is asked whether the last record is still the one that is known, then for those behind it; a meter whose
/// numbers began anew is asked for all. Records with an announced context wait for it, are handed out without it when
/// it does not come, and asked for once more in the next session. Nothing is ever deleted on the meter, and its clock
/// is not set. Whoever runs this performs the outputs in order and calls back at ``nextWake``.
///
/// - Source: Bluetooth Glucose Profile 1.0.1; a procedure that brings nothing for 30 s has failed.
public struct GlucoseCollector: Sendable {
  /// What it wants of its shell.
  public typealias Output = CollectorOutput<GlucoseRecord>

  static let procedureMilliseconds: Int64 = 30_000
  static let contextMilliseconds: Int64 = 5_000
  static let abortMilliseconds: Int64 = 5_000
  /// So many contexts wait for their records, and so many records of the session for late contexts.
  static let heldLimit = 64
  static let wrongAnswerLimit = 3
  static let messageLimit = 10_000

  /// What is asked for.
  enum Question: Hashable, Sendable {
    /// The last known record: is it still there?
    case known(GlucoseBookmark.Key)
    /// The last record of any number, of a meter that cannot be asked for one by its number.
    case last
    /// This number and those behind it.
    case from(UInt16)
    /// The newest record, of a meter that numbers from it.
    case newest
    case all

    var request: RecordAccess {
      switch self {
      case .known(let key):
        .request(.report, .within(.number(key.sequence), .number(key.sequence)))
      case .from(let sequence): .request(.report, .atLeast(.number(sequence)))
      case .last: .request(.report, .last)
      case .newest: .request(.report, .first)
      case .all: .request(.report, .all)
      }
    }
  }

  /// What follows an abort.
  enum Afterwards: Hashable, Sendable {
    case ask(Question)
    case end(CollectorEnd)
    case settle
  }

  enum Stage: Hashable, Sendable {
    case waiting
    case asking(Question, deadline: Tick)
    /// All records came, some contexts did not.
    case settling
    case aborting(Afterwards, deadline: Tick)
    case ended
  }

  /// Whose records these are.
  public let meter: BluetoothAddress
  /// The meter's ways.
  public let quirk: MeterQuirk
  /// What to store with the records, for the next session.
  public internal(set) var bookmark: GlucoseBookmark

  var stage = Stage.waiting
  var hasContext = true
  var clocks = MeterClockReading(meter: nil, hub: nil)
  var session = GlucoseSession()

  /// A collector for one session with a meter.
  public init(meter: BluetoothAddress, quirk: MeterQuirk = .none, bookmark: GlucoseBookmark) {
    self.meter = meter
    self.quirk = quirk
    self.bookmark = bookmark
    session.knownBefore = Set(bookmark.known)
  }

  /// Whether the session is over.
  public var isEnded: Bool { stage == .ended }

  /// When ``GlucoseCollectorInput/time`` is due; nil when nothing is waited for.
  public var nextWake: Tick? {
    let contexts = session.pending.map(\.deadline).min()
    switch stage {
    case .waiting, .ended: return nil
    case .asking(_, let deadline), .aborting(_, let deadline):
      return contexts.map { min($0, deadline) } ?? deadline
    case .settling: return contexts
    }
  }

  /// Takes one input and says what to do.
  public mutating func handle(_ input: GlucoseCollectorInput, at now: Moment) -> [Output] {
    guard stage != .ended else { return [] }
    var outputs: [Output] = []
    switch input {
    case .ready(let hasContext, let clocks):
      guard stage == .waiting else { return [] }
      self.hasContext = hasContext && quirk.hasContext
      self.clocks = clocks
      begin(at: now, &outputs)
    case .measurement(let octets):
      take(measurement: octets, at: now, &outputs)
      countMessage(at: now, &outputs)
    case .context(let octets):
      take(context: octets, at: now, &outputs)
      countMessage(at: now, &outputs)
    case .controlPoint(let octets): take(controlPoint: octets, at: now, &outputs)
    case .writeRefused(let code): refuse(attributeError: code, at: now, &outputs)
    case .cancel: abort(then: .end(.cancelled), at: now, &outputs)
    case .disconnected: end(.linkLost, at: now, &outputs)
    case .time: pass(at: now, &outputs)
    }
    return outputs
  }

  // MARK: Questions

  private mutating func begin(at now: Moment, _ outputs: inout [Output]) {
    guard quirk.hasGlucoseService else {
      return end(.failed(.noGlucoseService), at: now, &outputs)
    }
    guard let newest = bookmark.newest else { return ask(.all, at: now, &outputs) }
    ask(quirk.numbering == .rising ? .known(newest) : .newest, at: now, &outputs)
  }

  mutating func ask(_ question: Question, at now: Moment, _ outputs: inout [Output]) {
    if question == .all { session.hasAskedAll = true }
    session.beginProcedure()
    stage = .asking(
      question, deadline: now.tick.advanced(byMilliseconds: Self.procedureMilliseconds))
    outputs.append(.write(question.request.octets))
  }

  /// What is newer than the last record, and what is to be tried again.
  private var newerQuestion: Question {
    guard let newest = bookmark.newest, newest.sequence < .max else { return .all }
    let again = bookmark.incomplete.map(\.sequence).min() ?? .max
    return .from(min(newest.sequence + 1, again))
  }

  mutating func abort(
    then next: Afterwards, at now: Moment, _ outputs: inout [Output]
  ) {
    switch stage {
    case .asking:
      stage = .aborting(
        next, deadline: now.tick.advanced(byMilliseconds: Self.abortMilliseconds))
      outputs.append(.write(RecordAccess.abort.octets))
    case .aborting(_, let deadline): stage = .aborting(next, deadline: deadline)
    case .waiting, .settling, .ended: go(on: next, at: now, &outputs)
    }
  }

  private mutating func go(on next: Afterwards, at now: Moment, _ outputs: inout [Output]) {
    switch next {
    case .ask(let question): ask(question, at: now, &outputs)
    case .end(let end): self.end(end, at: now, &outputs)
    case .settle: settle(at: now, &outputs)
    }
  }

  // MARK: Answers

  private mutating func take(
    controlPoint octets: [UInt8], at now: Moment, _ outputs: inout [Output]
  ) {
    let message: RecordAccess
    do throws(DecodeError) { message = try RecordAccess(octets) } catch {
      outputs.append(.notice(.damaged(error)))
      return count(wrongAnswer: octets.first ?? 0, at: now, &outputs)
    }
    switch (stage, message) {
    case (.aborting(let next, _), .response(request: 3, code: _)):
      go(on: next, at: now, &outputs)
    case (.aborting, .response(request: 1, code: _)):
      return  // The end of what was just aborted; the answer to the abort follows.
    case (.asking(let question, _), .response(request: 1, let code)):
      answer(question, code, at: now, &outputs)
    default:
      outputs.append(.notice(.wrongAnswer(opcode: message.opcode)))
      count(wrongAnswer: message.opcode, at: now, &outputs)
    }
  }

  private mutating func count(
    wrongAnswer opcode: UInt8, at now: Moment, _ outputs: inout [Output]
  ) {
    session.wrongAnswers += 1
    guard session.wrongAnswers >= Self.wrongAnswerLimit, case .asking = stage else { return }
    abort(then: .end(.failed(.wrongAnswers)), at: now, &outputs)
  }

  private mutating func answer(
    _ question: Question, _ code: UInt8, at now: Moment, _ outputs: inout [Output]
  ) {
    switch RecordAccess.Answer(rawValue: code) {
    case .success, .noRecords: complete(question, at: now, &outputs)
    case .opcodeNotSupported, .invalidOperator, .operatorNotSupported, .invalidOperand,
      .operandNotSupported:
      switch question {
      case .known: ask(.last, at: now, &outputs)
      case .last, .from, .newest: ask(.all, at: now, &outputs)
      case .all: end(.failed(.refused(code: code)), at: now, &outputs)
      }
    case .notCompleted where !session.hasRetried:
      session.hasRetried = true
      ask(question, at: now, &outputs)
    case .notCompleted, .abortUnsuccessful, nil:
      end(.failed(.refused(code: code)), at: now, &outputs)
    }
  }

  private mutating func complete(
    _ question: Question, at now: Moment, _ outputs: inout [Output]
  ) {
    switch question {
    case .known:
      guard session.seen == bookmark.newest else { return beginAnew(at: now, &outputs) }
      ask(newerQuestion, at: now, &outputs)
    case .last:
      guard let seen = session.seen, let newest = bookmark.newest,
        seen == newest || seen.sequence > newest.sequence
      else { return beginAnew(at: now, &outputs) }
      let hasMore = seen != newest || !bookmark.incomplete.isEmpty
      if hasMore { ask(newerQuestion, at: now, &outputs) } else { settle(at: now, &outputs) }
    case .newest where !session.arrived.isEmpty:
      closeProcedure()
      ask(.all, at: now, &outputs)
    case .from where session.isDamaged && !session.hasRetried,
      .all where session.isDamaged && !session.hasRetried:
      session.hasRetried = true
      ask(question, at: now, &outputs)
    case .from, .all, .newest: settle(at: now, &outputs)
    }
  }

  private mutating func beginAnew(at now: Moment, _ outputs: inout [Output]) {
    bookmark.restarts = min(bookmark.restarts + 1, Int64(Int32.max))
    bookmark.newest = nil
    outputs.append(.notice(.numbersBeganAnew))
    ask(.all, at: now, &outputs)
  }

  mutating func settle(at now: Moment, _ outputs: inout [Output]) {
    stage = .settling
    guard session.pending.isEmpty else { return }
    closeProcedure()
    let hasWrapped = quirk.numbering == .rising && bookmark.newest?.sequence == .max
    if hasWrapped, !session.hasAskedAll {
      outputs.append(.notice(.numbersBeganAnew))
      return ask(.all, at: now, &outputs)
    }
    end(.upToDate, at: now, &outputs)
  }

  private mutating func refuse(
    attributeError code: UInt8, at now: Moment, _ outputs: inout [Output]
  ) {
    switch code {
    case 0x80:
      // A procedure of an earlier link still runs there.
      if case .asking(let question, _) = stage, !session.hasRetried {
        session.hasRetried = true
        return abort(then: .ask(question), at: now, &outputs)
      }
      end(.failed(.writeRefused(attributeError: code)), at: now, &outputs)
    case 0x81, 0xFD: end(.failed(.notSubscribed), at: now, &outputs)
    case 0x05, 0x08, 0x0C, 0x0F: end(.failed(.notPaired), at: now, &outputs)
    default: end(.failed(.writeRefused(attributeError: code)), at: now, &outputs)
    }
  }

  // MARK: Time and end

  private mutating func pass(at now: Moment, _ outputs: inout [Output]) {
    giveUp(contextsDueBy: now.tick, at: now, &outputs)
    switch stage {
    case .waiting, .ended: return
    case .asking(_, let deadline):
      if deadline <= now.tick { end(.failed(.noAnswer), at: now, &outputs) }
    case .aborting(let next, let deadline):
      guard deadline <= now.tick else { return }
      if case .ask = next { return end(.failed(.noAnswer), at: now, &outputs) }
      go(on: next, at: now, &outputs)
    case .settling: settle(at: now, &outputs)
    }
  }

  /// Records that still wait are handed out as they are: the meter may never say more.
  private mutating func end(
    _ end: CollectorEnd, at now: Moment, _ outputs: inout [Output]
  ) {
    giveUp(contextsDueBy: Tick(nanoseconds: .max), at: now, &outputs)
    advanceBookmark()
    outputs += session.contexts.map { .notice(.strayContext(sequence: $0.sequence)) }
    stage = .ended
    outputs.append(.ended(end))
  }

  /// No meter holds so many records; one that never ends is stopped.
  private mutating func countMessage(at now: Moment, _ outputs: inout [Output]) {
    session.messages += 1
    guard session.messages == Self.messageLimit else { return }
    abort(then: .end(.failed(.wrongAnswers)), at: now, &outputs)
  }

  /// A message of the meter is a sign of life.
  mutating func restartDeadline(at now: Moment) {
    guard case .asking(let question, _) = stage else { return }
    stage = .asking(
      question, deadline: now.tick.advanced(byMilliseconds: Self.procedureMilliseconds))
  }
}

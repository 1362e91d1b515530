import Bytes
import Moments

/// What one session with a meter has brought so far.
struct GlucoseSession: Hashable, Sendable {
  /// A record that waits for its context.
  struct Pending: Hashable, Sendable {
    var measurement: GlucoseMeasurement
    var wentBack: Bool
    var received: Moment
    var deadline: Tick
  }

  /// A record that was handed out in this session without a context.
  struct HandedOut: Hashable, Sendable {
    var measurement: GlucoseMeasurement
    var wentBack: Bool
    var received: Moment
  }

  var pending: [Pending] = []
  var contexts: [GlucoseContext] = []
  var handedOut: [HandedOut] = []
  /// Keys that were known when the session began.
  var knownBefore: Set<GlucoseBookmark.Key> = []
  /// New keys of this procedure in the order of arrival.
  var arrived: [GlucoseBookmark.Key] = []
  /// All keys of this procedure, known ones too, in the order of arrival.
  var met: [GlucoseBookmark.Key] = []
  /// Whether numbers rose within this procedure, so that what has come is whole.
  var isOrderly = true
  /// Whether a record of this procedure could not be read, so that the bookmark must not pass it.
  var isDamaged = false
  var last: GlucoseBookmark.Key?
  /// The record that a question about the last one brought.
  var seen: GlucoseBookmark.Key?
  /// Numbers of records that were left out because they are known, whose contexts are too.
  var skipped: Set<UInt16> = []
  var hasAskedAll = false
  var hasRetried = false
  var wrongAnswers = 0
  var messages = 0

  mutating func beginProcedure() {
    arrived = []
    met = []
    isOrderly = true
    isDamaged = false
    last = nil
    skipped = []
  }

  /// Notes the order.
  mutating func note(_ key: GlucoseBookmark.Key) {
    if let last, !key.isBehind(last) { isOrderly = false }
    last = key
    met.append(key)
  }
}

extension GlucoseBookmark.Key {
  /// Whether the number is the later one: less than half a turn ahead.
  func isBehind(_ other: GlucoseBookmark.Key) -> Bool {
    (1..<0x8000).contains(sequence &- other.sequence)
  }
}

extension GlucoseCollector {
  private func key(_ measurement: GlucoseMeasurement) -> GlucoseBookmark.Key {
    GlucoseBookmark.Key(
      sequence: quirk.numbering == .rising ? measurement.sequence : 0,
      baseTime: measurement.baseTime)
  }

  // MARK: Records

  mutating func take(measurement octets: [UInt8], at now: Moment, _ outputs: inout [Output]) {
    guard stage != .waiting else { return }
    restartDeadline(at: now)
    let measurement: GlucoseMeasurement
    do throws(DecodeError) { measurement = try GlucoseMeasurement(octets) } catch {
      session.isDamaged = true
      outputs.append(.notice(.damaged(error)))
      return
    }
    let key = key(measurement)
    if isAskingForLast {
      session.seen = key
      session.skipped.insert(measurement.sequence)
      return
    }
    if isRepeated(key) { return skip(key, measurement, at: now, &outputs) }
    let wentBack = wentBack(key)
    session.note(key)
    session.arrived.append(key)
    let context = takeContext(of: measurement.sequence)
    if context == nil, measurement.contextFollows, hasContext {
      return session.pending.append(
        GlucoseSession.Pending(
          measurement: measurement, wentBack: wentBack, received: now,
          deadline: now.tick.advanced(byMilliseconds: Self.contextMilliseconds)))
    }
    handOut(measurement, context, wentBack: wentBack, received: now, &outputs)
  }

  private func isRepeated(_ key: GlucoseBookmark.Key) -> Bool {
    if session.arrived.contains(key) { return true }
    if session.pending.contains(where: { self.key($0.measurement) == key }) { return true }
    return bookmark.known.contains(key) && !bookmark.incomplete.contains(key)
  }

  private mutating func skip(
    _ key: GlucoseBookmark.Key, _ measurement: GlucoseMeasurement, at now: Moment,
    _ outputs: inout [Output]
  ) {
    let wasKnownBefore = session.knownBefore.contains(key)
    if !session.met.contains(key) { session.note(key) }
    session.skipped.insert(measurement.sequence)
    if !session.pending.contains(where: { self.key($0.measurement) == key }) {
      _ = takeContext(of: measurement.sequence)
    }
    if !wasKnownBefore, session.arrived.contains(key) {
      outputs.append(.notice(.repeated(sequence: measurement.sequence)))
    }
    // The newest come first there: behind a known one all are known.
    guard quirk.numbering == .newestIsZero, wasKnownBefore, case .asking(.all, _) = stage,
      bookmark.incomplete.isEmpty
    else { return }
    abort(then: .settle, at: now, &outputs)
  }

  /// Whether a later number has an earlier time.
  private func wentBack(_ key: GlucoseBookmark.Key) -> Bool {
    guard quirk.numbering == .rising, let time = key.baseTime.civil,
      let before = session.last ?? bookmark.newest, let earlier = before.baseTime.civil
    else { return false }
    return key.isBehind(before) && time < earlier
  }

  // MARK: Contexts

  mutating func take(context octets: [UInt8], at now: Moment, _ outputs: inout [Output]) {
    guard stage != .waiting else { return }
    restartDeadline(at: now)
    let context: GlucoseContext
    do throws(DecodeError) { context = try GlucoseContext(octets) } catch {
      outputs.append(.notice(.damaged(error)))
      return
    }
    if let index = session.pending.firstIndex(where: {
      $0.measurement.sequence == context.sequence
    }) {
      let whole = session.pending.remove(at: index)
      handOut(
        whole.measurement, context, wentBack: whole.wentBack, received: whole.received, &outputs)
      if stage == .settling { settle(at: now, &outputs) }
    } else if let index = session.handedOut.firstIndex(where: {
      $0.measurement.sequence == context.sequence
    }) {
      let late = session.handedOut.remove(at: index)
      update(late, with: context, &outputs)
    } else if !session.skipped.contains(context.sequence) {
      hold(context, &outputs)
    }
  }

  private mutating func hold(_ context: GlucoseContext, _ outputs: inout [Output]) {
    session.contexts.append(context)
    guard session.contexts.count > Self.heldLimit else { return }
    let dropped = session.contexts.removeFirst()
    outputs.append(.notice(.strayContext(sequence: dropped.sequence)))
  }

  private mutating func takeContext(of sequence: UInt16) -> GlucoseContext? {
    guard let index = session.contexts.firstIndex(where: { $0.sequence == sequence }) else {
      return nil
    }
    return session.contexts.remove(at: index)
  }

  mutating func giveUp(
    contextsDueBy tick: Tick, at now: Moment, _ outputs: inout [Output]
  ) {
    let due = session.pending.filter { $0.deadline <= tick }
    session.pending.removeAll { $0.deadline <= tick }
    for record in due {
      handOut(
        record.measurement, nil, isContextMissing: true, wentBack: record.wentBack,
        received: record.received, &outputs)
    }
  }

  // MARK: Handing out

  private mutating func handOut(
    _ measurement: GlucoseMeasurement, _ context: GlucoseContext?, isContextMissing: Bool = false,
    wentBack: Bool, received: Moment, _ outputs: inout [Output]
  ) {
    let key = key(measurement)
    let isSecondTry = bookmark.incomplete.contains(key)
    if isContextMissing {
      bookmark.setIncomplete(key, !isSecondTry)
      // A second time without it brings nothing new.
      if isSecondTry { return advanceBookmark() }
      outputs.append(.notice(.contextMissing(sequence: measurement.sequence)))
    } else {
      bookmark.setIncomplete(key, false)
    }
    if !isSecondTry { bookmark.remember(key) }
    if context == nil {
      let entry = GlucoseSession.HandedOut(
        measurement: measurement, wentBack: wentBack, received: received)
      session.handedOut.append(entry)
      if session.handedOut.count > Self.heldLimit { session.handedOut.removeFirst() }
    }
    outputs.append(
      .records([
        record(
          measurement, context, isContextMissing: isContextMissing, isUpdate: isSecondTry,
          wentBack: wentBack, received: received)
      ]))
    advanceBookmark()
  }

  private mutating func update(
    _ late: GlucoseSession.HandedOut, with context: GlucoseContext, _ outputs: inout [Output]
  ) {
    bookmark.setIncomplete(key(late.measurement), false)
    outputs.append(
      .records([
        record(
          late.measurement, context, isContextMissing: false, isUpdate: true,
          wentBack: late.wentBack, received: late.received)
      ]))
  }

  private func record(
    _ measurement: GlucoseMeasurement, _ context: GlucoseContext?, isContextMissing: Bool,
    isUpdate: Bool, wentBack: Bool, received: Moment
  ) -> GlucoseRecord {
    let isNumbered = quirk.numbering == .rising
    return GlucoseRecord(
      measurement, context: context, isContextMissing: isContextMissing, isUpdate: isUpdate,
      identity: GlucoseRecordIdentity(
        meter: meter, sequence: isNumbered ? measurement.sequence : nil,
        baseTime: measurement.baseTime),
      quirk: quirk, clocks: clocks, wentBack: wentBack, received: received)
  }

  // MARK: The bookmark

  /// Moves the bookmark behind what is whole, so that a link that drops now loses nothing and repeats nothing.
  mutating func advanceBookmark() {
    guard quirk.numbering == .rising, session.isOrderly, !session.isDamaged else { return }
    let waiting = Set(session.pending.map { key($0.measurement) })
    // The last one may be of this minute and have overtaken older ones; the one that follows will tell.
    let whole = session.met.dropLast().prefix { !waiting.contains($0) }
    guard let last = whole.last, isBeyondNewest(last) else { return }
    bookmark.newest = last
  }

  /// After a whole procedure the newest is known in any order.
  mutating func closeProcedure() {
    guard let newest = latest(session.met) else { return }
    if quirk.numbering == .newestIsZero {
      if newest.baseTime.packedByAge > bookmark.newest?.baseTime.packedByAge ?? 0 {
        bookmark.newest = newest
      }
    } else if isBeyondNewest(newest) {
      bookmark.newest = newest
    }
    session.beginProcedure()
  }

  private var isAskingForLast: Bool {
    switch stage {
    case .asking(.known, _), .asking(.last, _): true
    case .asking, .aborting, .waiting, .settling, .ended: false
    }
  }

  private func isBeyondNewest(_ key: GlucoseBookmark.Key) -> Bool {
    bookmark.newest.map(key.isBehind) ?? true
  }

  private func latest(_ keys: [GlucoseBookmark.Key]) -> GlucoseBookmark.Key? {
    if session.isOrderly, quirk.numbering == .rising { return keys.last }
    return keys.max {
      ($0.baseTime.packedByAge, $0.sequence) < ($1.baseTime.packedByAge, $1.sequence)
    }
  }
}

extension DateTime {
  /// A number that grows with time: the year highest.
  fileprivate var packedByAge: UInt64 {
    [month, day, hour, minute, second].reduce(UInt64(year)) { $0 << 8 | UInt64($1) }
  }
}

import Bytes
public import Care
public import Moments

/// What reaches the collector of a continuous monitor.
public enum CGMCollectorInput: Hashable, Sendable {
  /// The link is up, the monitor paired, notifications of 0x2AA7 and indications of 0x2A52 are on; what could be read.
  case ready(feature: CGMFeature?, status: CGMStatus?, start: CGMSessionStart?, hasHistory: Bool)
  /// A notification of 0x2AA7.
  case measurement([UInt8])
  /// An indication of 0x2A52.
  case controlPoint([UInt8])
  /// The monitor refused what was written, with an error of the attribute protocol.
  case writeRefused(attributeError: UInt8)
  /// Somebody wants the connection to end.
  case cancel
  /// The link is down.
  case disconnected
  /// A wake that was asked for, or any other moment.
  case time
}

/// Keeps the records of a continuous monitor whole: fetches what was measured while no link was up, and takes what is
/// told as it is measured.
///
/// Only minutes behind the last whole one are asked for. A record is known by monitor, session and minute, so that one
/// that comes both ways is handed out once. A new session is noticed by its start, or by a clock of minutes that went
/// back. Nothing is deleted on the monitor, and no session is started or stopped.
///
/// - Source: Bluetooth Continuous Glucose Monitoring Profile 1.0.2.
public struct CGMCollector: Sendable {
  /// What it wants of its shell.
  public typealias Output = CollectorOutput<CGMRecord>

  private enum Stage: Hashable, Sendable {
    case waiting
    case fetching(RecordAccess.Filter, deadline: Tick)
    case listening
    case aborting(next: RecordAccess.Filter?, deadline: Tick)
    case ended
  }

  static let procedureMilliseconds: Int64 = 30_000
  static let abortMilliseconds: Int64 = 5_000
  static let wrongAnswerLimit = 3

  /// Whose records these are.
  public let monitor: BluetoothAddress
  /// What to store with the records, for the next connection.
  public private(set) var bookmark: CGMBookmark

  private var stage = Stage.waiting
  private var feature: CGMFeature?
  private var start: CGMSessionStart?
  private var isWhole = false
  private var isDamaged = false
  private var hasRetried = false
  private var wrongAnswers = 0

  /// A collector for one connection with a monitor.
  public init(monitor: BluetoothAddress, bookmark: CGMBookmark) {
    self.monitor = monitor
    self.bookmark = bookmark
  }

  /// Whether the connection is over.
  public var isEnded: Bool { stage == .ended }

  /// When ``CGMCollectorInput/time`` is due; nil when nothing is waited for.
  public var nextWake: Tick? {
    switch stage {
    case .waiting, .listening, .ended: nil
    case .fetching(_, let deadline), .aborting(_, let deadline): deadline
    }
  }

  /// Takes one input and says what to do.
  public mutating func handle(_ input: CGMCollectorInput, at now: Moment) -> [Output] {
    guard stage != .ended else { return [] }
    var outputs: [Output] = []
    switch input {
    case .ready(let feature, let status, let start, let hasHistory):
      guard stage == .waiting else { return [] }
      self.feature = feature
      self.start = start
      noticeSession(status, &outputs)
      if hasHistory { fetch(missing, at: now, &outputs) } else { stage = .listening }
    case .measurement(let octets): take(measurement: octets, at: now, &outputs)
    case .controlPoint(let octets): take(controlPoint: octets, at: now, &outputs)
    case .writeRefused(let code): refuse(code, at: now, &outputs)
    case .cancel: cancel(at: now, &outputs)
    case .disconnected: end(.linkLost, &outputs)
    case .time: pass(at: now, &outputs)
    }
    return outputs
  }

  // MARK: The session

  private mutating func noticeSession(_ status: CGMStatus?, _ outputs: inout [Output]) {
    let isOther = start != nil && start?.dateTime != bookmark.sessionStart
    var wentBack = false
    if let minutes = status?.timeOffsetMinutes,
      let latest = bookmark.ahead.last ?? bookmark.complete
    {
      wentBack = minutes < latest
    }
    guard isOther || wentBack else { return }
    if bookmark != CGMBookmark() { outputs.append(.notice(.sessionBegan)) }
    bookmark = CGMBookmark()
    bookmark.sessionStart = start?.dateTime
  }

  /// What is behind the last whole minute.
  private var missing: RecordAccess.Filter {
    guard let complete = bookmark.complete, complete < .max else { return .all }
    return .atLeast(.number(complete + 1))
  }

  private mutating func fetch(
    _ filter: RecordAccess.Filter, at now: Moment, _ outputs: inout [Output]
  ) {
    stage = .fetching(
      filter, deadline: now.tick.advanced(byMilliseconds: Self.procedureMilliseconds))
    outputs.append(.write(RecordAccess.request(.report, filter).octets))
  }

  // MARK: Records

  private mutating func take(
    measurement octets: [UInt8], at now: Moment, _ outputs: inout [Output]
  ) {
    guard stage != .waiting else { return }
    var isFromHistory = false
    if case .fetching(let filter, _) = stage {
      isFromHistory = true
      stage = .fetching(
        filter, deadline: now.tick.advanced(byMilliseconds: Self.procedureMilliseconds))
    }
    let measurements: [CGMMeasurement]
    do throws(DecodeError) {
      measurements = try CGMMeasurement.records(in: octets, crc: feature?.crcRule ?? .unknown)
    } catch {
      // The minute lacks; it is asked for again.
      isWhole = false
      isDamaged = true
      outputs.append(.notice(.damaged(error)))
      return
    }
    var records: [CGMRecord] = []
    for measurement in measurements where !bookmark.knows(measurement.timeOffsetMinutes) {
      bookmark.remember(measurement.timeOffsetMinutes)
      records.append(record(measurement, isFromHistory: isFromHistory, at: now))
    }
    if isWhole, stage == .listening { bookmark.close() }
    if !records.isEmpty { outputs.append(.records(records)) }
  }

  private func record(
    _ measurement: CGMMeasurement, isFromHistory: Bool, at now: Moment
  ) -> CGMRecord {
    let utc = start?.utc?.advanced(
      byMilliseconds: Int64(measurement.timeOffsetMinutes) * 60_000)
    return CGMRecord(
      identity: CGMRecord.Identity(
        monitor: monitor, sessionStart: bookmark.sessionStart,
        timeOffsetMinutes: measurement.timeOffsetMinutes),
      measurement: measurement, meaning: GlucoseMeaning(measurement, feature: feature),
      received: now, isFromHistory: isFromHistory, utc: utc,
      doubts: Self.doubts(measurement, utc, at: now))
  }

  private static func doubts(
    _ measurement: CGMMeasurement, _ utc: Timestamp?, at now: Moment
  ) -> [GlucoseTimeDoubt] {
    var doubts: [GlucoseTimeDoubt] = []
    if utc == nil { doubts.append(.unknown) }
    if measurement.annunciation.contains(.timeSynchronisationRequired) {
      doubts.append(.meterFault)
    }
    guard now.quality.isTrusted else { return doubts + [.hubUntrusted] }
    let tolerated = GlucoseRecord.toleratedClockSeconds * 1000
    if let utc, utc.milliseconds(since: now.utc) > tolerated { doubts.append(.implausible) }
    return doubts
  }

  // MARK: Answers

  private mutating func take(
    controlPoint octets: [UInt8], at now: Moment, _ outputs: inout [Output]
  ) {
    let message: RecordAccess
    do throws(DecodeError) { message = try RecordAccess(octets) } catch {
      outputs.append(.notice(.damaged(error)))
      return count(at: now, &outputs)
    }
    switch (stage, message) {
    case (.aborting(let next, _), .response(request: 3, code: _)):
      if let next { fetch(next, at: now, &outputs) } else { end(.cancelled, &outputs) }
    case (.aborting, .response(request: 1, code: _)): return
    case (.fetching(let filter, _), .response(request: 1, let code)):
      answer(filter, code, at: now, &outputs)
    default:
      outputs.append(.notice(.wrongAnswer(opcode: message.opcode)))
      count(at: now, &outputs)
    }
  }

  private mutating func count(at now: Moment, _ outputs: inout [Output]) {
    wrongAnswers += 1
    if wrongAnswers >= Self.wrongAnswerLimit { end(.failed(.wrongAnswers), &outputs) }
  }

  private mutating func answer(
    _ filter: RecordAccess.Filter, _ code: UInt8, at now: Moment, _ outputs: inout [Output]
  ) {
    switch RecordAccess.Answer(rawValue: code) {
    case .success where isDamaged && !hasRetried, .notCompleted where !hasRetried:
      hasRetried = true
      isDamaged = false
      fetch(filter, at: now, &outputs)
    case .success, .noRecords:
      isWhole = true
      bookmark.close()
      stage = .listening
    case .operatorNotSupported where filter != .all, .operandNotSupported where filter != .all,
      .invalidOperator where filter != .all, .invalidOperand where filter != .all:
      fetch(.all, at: now, &outputs)
    case .opcodeNotSupported:
      // It has no history; what it tells from now on is all there is.
      stage = .listening
    case .operatorNotSupported, .operandNotSupported, .invalidOperator, .invalidOperand,
      .notCompleted, .abortUnsuccessful, nil:
      end(.failed(.refused(code: code)), &outputs)
    }
  }

  private mutating func refuse(_ code: UInt8, at now: Moment, _ outputs: inout [Output]) {
    switch code {
    case 0x80:
      if case .fetching(let filter, _) = stage, !hasRetried {
        hasRetried = true
        return abort(next: filter, at: now, &outputs)
      }
      end(.failed(.writeRefused(attributeError: code)), &outputs)
    case 0x81, 0xFD: end(.failed(.notSubscribed), &outputs)
    case 0x05, 0x08, 0x0C, 0x0F: end(.failed(.notPaired), &outputs)
    default: end(.failed(.writeRefused(attributeError: code)), &outputs)
    }
  }

  // MARK: End

  private mutating func abort(
    next: RecordAccess.Filter?, at now: Moment, _ outputs: inout [Output]
  ) {
    stage = .aborting(
      next: next, deadline: now.tick.advanced(byMilliseconds: Self.abortMilliseconds))
    outputs.append(.write(RecordAccess.abort.octets))
  }

  private mutating func cancel(at now: Moment, _ outputs: inout [Output]) {
    if case .fetching = stage { return abort(next: nil, at: now, &outputs) }
    end(.cancelled, &outputs)
  }

  private mutating func pass(at now: Moment, _ outputs: inout [Output]) {
    switch stage {
    case .waiting, .listening, .ended: return
    case .fetching(_, let deadline):
      if deadline <= now.tick { end(.failed(.noAnswer), &outputs) }
    case .aborting(let next, let deadline):
      guard deadline <= now.tick else { return }
      end(next == nil ? .cancelled : .failed(.noAnswer), &outputs)
    }
  }

  private mutating func end(_ end: CollectorEnd, _ outputs: inout [Output]) {
    stage = .ended
    outputs.append(.ended(end))
  }
}

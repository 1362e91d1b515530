import Care
import Moments

/// The conversation with a modem, without the port: bytes and time in, bytes and results out.
///
/// One command is on its way at a time. What the modem says unasked is told apart from the answer by its words, wherever
/// it comes. After a command that was not answered the line rests for a while, so that a late answer is not taken for that
/// of the next one.
struct ATSession: Sendable {
  /// What is to be done outside.
  enum Action: Hashable, Sendable {
    /// Write to the port.
    case write([UInt8])
    /// The command ended.
    case finished(ATResult)
    /// The modem said something unasked; a frame that came with it stands in the second.
    case unasked(String, frame: String?)
  }

  /// How long the line rests after a command that was not answered.
  static let restMilliseconds: Int64 = 500
  /// How long the network may take for a message (3GPP TS 27.005 gives no limit; makers say a minute).
  static let payloadMilliseconds: Int64 = 60_000

  private enum Stage: Hashable {
    case idle
    case waiting
    case sendingPayload
    case resting
  }

  private static let escape: UInt8 = 0x1B
  private static let endOfMessage: UInt8 = 0x1A
  /// Starts of lines that come unasked; those that a frame follows are in the second list.
  private static let unaskedStarts = [
    "+CMTI:", "+CDSI:", "RING", "+CRING:", "+CLIP:", "+DTMF:", "+RXDTMF:", "+QTONEDET:",
    "VOICE CALL:",
    "MISSED_CALL:", "+CIEV:", "+CUSD:", "^", "*", "SMS READY", "SMS DONE", "CALL READY", "PB DONE",
    "+CGEV:", "+CTZV:", "+QIND:", "+CPIN: NOT",
  ]
  private static let framedStarts = ["+CMT:", "+CDS:"]
  private static let callEnds = ["NO CARRIER", "BUSY", "NO ANSWER", "NO DIALTONE", "NO DIAL TONE"]

  private var reader = ATLineReader()
  private var stage = Stage.idle
  private var command: ATCommand?
  private var lines: [String] = []
  private var deadline: Tick?
  private var announced: String?

  /// A line on which nothing was said.
  init() {}

  /// Whether a command can be sent.
  var isFree: Bool { stage == .idle }
  /// When ``tick(at:)`` is due; nil while nothing is waited for.
  var nextDeadline: Tick? { deadline }
  /// Lines that were too long to be anything.
  var overlongLines: Int { reader.overlongLines }

  /// Sends a command; nothing when the line is not free.
  mutating func send(_ command: ATCommand, at now: Tick) -> [Action] {
    guard isFree else { return [] }
    self.command = command
    lines = []
    stage = .waiting
    deadline = now.advanced(byMilliseconds: command.timeoutMilliseconds)
    return [.write(Array(command.text.utf8) + [0x0D])]
  }

  /// Takes what the modem said.
  mutating func receive(_ bytes: some Sequence<UInt8>, at now: Tick) -> [Action] {
    var actions: [Action] = []
    for token in reader.take(bytes) {
      switch token {
      case .prompt: prompted(&actions, at: now)
      case .line(let line): heard(line, &actions, at: now)
      }
    }
    return actions
  }

  /// Ends what took too long.
  mutating func tick(at now: Tick) -> [Action] {
    guard let deadline, deadline <= now else { return [] }
    if stage == .resting {
      stage = .idle
      self.deadline = nil
      return []
    }
    let mustEscape = command?.payload != nil
    var actions: [Action] = mustEscape ? [.write([Self.escape])] : []
    finish(.timedOut, &actions, at: now)
    return actions
  }

  /// Forgets everything, for a port that was opened anew.
  mutating func reset() { self = ATSession() }

  // MARK: Lines

  private mutating func prompted(_ actions: inout [Action], at now: Tick) {
    guard stage == .waiting, let payload = command?.payload else { return }
    stage = .sendingPayload
    deadline = now.advanced(byMilliseconds: Self.payloadMilliseconds)
    actions.append(.write(payload + [Self.endOfMessage]))
  }

  private mutating func heard(_ line: String, _ actions: inout [Action], at now: Tick) {
    if let words = announced {
      announced = nil
      return actions.append(.unasked(words, frame: line))
    }
    if Self.framedStarts.contains(where: { line.hasPrefix($0) }), !isExpected(line) {
      announced = line
      return
    }
    if Self.unaskedStarts.contains(where: { line.uppercased().hasPrefix($0) }), !isExpected(line) {
      return actions.append(.unasked(line, frame: nil))
    }
    if Self.callEnds.contains(line), command?.text.hasPrefix("ATD") != true || stage != .waiting {
      return actions.append(.unasked(line, frame: nil))
    }
    guard stage == .waiting || stage == .sendingPayload, let command, !isEcho(line) else { return }
    if let result = result(line, command) { return finish(result, &actions, at: now) }
    // No answer has more lines than a full storage of messages.
    if lines.count < 1024 { lines.append(line) }
  }

  private func isExpected(_ line: String) -> Bool {
    guard let prefix = command?.prefix, stage != .resting else { return false }
    return line.hasPrefix(prefix)
  }

  private func isEcho(_ line: String) -> Bool {
    guard let command else { return false }
    return line == command.text || (command.payload.map { Array(line.utf8) == $0 } ?? false)
  }

  private func result(_ line: String, _ command: ATCommand) -> ATResult? {
    switch line {
    case "OK":
      let isMissing = command.prefix.map { prefix in !lines.contains { $0.hasPrefix(prefix) } }
      let isUnprompted = command.payload != nil && stage != .sendingPayload
      return isMissing == true || isUnprompted ? .senseless : .done(lines)
    case "ERROR", "COMMAND NOT SUPPORT", "TOO MANY PARAMETERS": return .refused("ERROR")
    case _ where line.hasPrefix("+CME ERROR:") || line.hasPrefix("+CMS ERROR:"):
      return .refused(line)
    case _ where Self.callEnds.contains(line): return .refused(line)
    default: return nil
    }
  }

  private mutating func finish(
    _ result: ATResult, _ actions: inout [Action], at now: Tick
  ) {
    actions.append(.finished(result))
    command = nil
    lines = []
    let mustRest = result == .timedOut
    stage = mustRest ? .resting : .idle
    deadline = mustRest ? now.advanced(byMilliseconds: Self.restMilliseconds) : nil
  }
}

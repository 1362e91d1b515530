import Bytes
import Care
import Door
import Glibc
import JSON
import Loop
import Texts

/// One client of the control socket.
@LoopActor
final class ControlConnection {
  let descriptor: Int32
  let asking: Asking
  /// The user behind it.
  let user: UInt32
  /// Whether only calls for help are taken; it ends by itself.
  let isUrgentOnly: Bool
  /// What it watches for; nil for nothing.
  var watch: EventSelection?
  /// What the client reads; the gateway's until it asks in another.
  var language: Language
  private let limits: ControlServer.Limits
  private let onLine: @LoopActor (ControlConnection, [UInt8]) -> Void
  private let onEnd: @LoopActor (ControlConnection) -> Void
  private var input: LineFramer
  private var output: [[UInt8]] = []
  private var sentOfFirst = 0
  private var waitingBytes = 0
  private var openRequests = 0
  private var isFinishing = false
  private var isEnded = false
  private var isHandlingLines = false
  private var lastWords: LoopTimer?

  init(
    descriptor: Int32, peer: PeerNames.Peer, isUrgentOnly: Bool, limits: ControlServer.Limits,
    language: Language,
    onLine: @escaping @LoopActor (ControlConnection, [UInt8]) -> Void,
    onEnd: @escaping @LoopActor (ControlConnection) -> Void
  ) {
    self.descriptor = descriptor
    asking = peer.asking
    user = peer.user
    self.isUrgentOnly = isUrgentOnly
    self.limits = limits
    self.language = language
    self.onLine = onLine
    self.onEnd = onEnd
    input = LineFramer(maximumBytes: limits.lineBytes)
  }

  /// Whether nothing is asked, watched or waiting to be sent.
  var isIdle: Bool { openRequests == 0 && watch == nil && output.isEmpty }

  /// Whether something that was asked is not answered yet.
  var isAtWork: Bool { openRequests > 0 }

  func start() {
    if isUrgentOnly { endLater(limits.keptFreeMilliseconds) }
    EventLoop.current.watch(descriptor, for: .reading) { [weak self] readiness in
      guard let self else { return }
      if readiness.isWritable { self.flush() }
      if readiness.isReadable { self.receive() }
      if readiness.isHungUp, !readiness.isReadable { self.end() }
    }
  }

  func requestBegan() {
    openRequests += 1
    updateInterest()
  }

  func requestEnded() {
    openRequests -= 1
    guard !isEnded else { return }
    handleLines()
    updateInterest()
  }

  /// Sends one line; `line` has no line end.
  func send(_ line: [UInt8]) {
    guard !isEnded, !isFinishing else { return }
    enqueue(line)
    flush()
  }

  /// Sends one event to a watcher, or gives the watcher up when it does not keep pace.
  func sendEvent(_ line: [UInt8]) {
    guard waitingBytes + line.count <= limits.watcherBytes else {
      return finish(
        notice: Message(
          "you read slower than events happen, so some would be missing: watch again, and "
            + "ask for what you missed with events.query."))
    }
    send(line)
  }

  /// Says why, and ends the connection once that is sent, or after five seconds.
  func finish(notice: Message) {
    guard !isEnded, !isFinishing else { return }
    dropUnsentLines()
    enqueue(
      ControlServer.notification("closed", params: ["message": .string(notice.text(in: language))])
        .serializedBytes)
    finishWhenSent()
  }

  /// Sends a last answer and ends the connection once that is sent, or after five seconds.
  func finish(answer: JSONValue) {
    guard !isEnded, !isFinishing else { return }
    enqueue(answer.serializedBytes)
    finishWhenSent()
  }

  func end() {
    guard !isEnded else { return }
    isEnded = true
    lastWords?.cancel()
    EventLoop.current.unwatch(descriptor)
    close(descriptor)
    onEnd(self)
  }

  private func finishWhenSent() {
    isFinishing = true
    endLater(5000)
    flush()
  }

  private func endLater(_ milliseconds: Int64) {
    lastWords?.cancel()
    let timer = LoopTimer { [weak self] in self?.end() }
    timer.set(afterMilliseconds: milliseconds)
    lastWords = timer
  }

  /// Keeps the line that is partly on its way, so that the far side never reads half a line.
  private func dropUnsentLines() {
    output = sentOfFirst > 0 ? Array(output.prefix(1)) : []
    waitingBytes = output.reduce(0) { $0 + $1.count }
  }

  private func enqueue(_ line: [UInt8]) {
    output.append(line + [0x0A])
    waitingBytes += line.count + 1
  }

  private func flush() {
    while let first = output.first, !isEnded {
      let sent = first[sentOfFirst...].withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if sent < 0 {
        if errno == EINTR { continue }
        if errno != EAGAIN { return end() }
        break
      }
      sentOfFirst += sent
      if sentOfFirst >= first.count {
        output.removeFirst()
        waitingBytes -= first.count
        sentOfFirst = 0
      }
    }
    if isFinishing, output.isEmpty { return end() }
    updateInterest()
  }

  private var mayRead: Bool {
    !isFinishing && openRequests < limits.openRequests && waitingBytes < limits.answerBytes
  }

  private func updateInterest() {
    guard !isEnded else { return }
    var interest: EventLoop.Interest = mayRead ? .reading : []
    if !output.isEmpty { interest.insert(.writing) }
    EventLoop.current.setInterest(interest, of: descriptor)
  }

  private func receive() {
    guard !isEnded, mayRead else { return }
    var block = [UInt8](repeating: 0, count: 65_536)
    let count = recv(descriptor, &block, block.count, 0)
    if count < 0 {
      if errno != EAGAIN, errno != EINTR { end() }
      return
    }
    if count == 0 { return end() }
    input.append(block.prefix(count))
    handleLines()
  }

  private func handleLines() {
    guard !isHandlingLines else { return }  // an answer at once, from within onLine
    isHandlingLines = true
    defer { isHandlingLines = false }
    do {
      while mayRead, !isEnded, let line = try input.next() { onLine(self, line) }
    } catch {
      refuseLine()
    }
  }

  private func refuseLine() {
    finish(
      answer: ControlServer.answer(
        to: .null,
        .failure(
          ControlError(
            .invalidRequest,
            Message("a line is longer than {bytes} bytes.", ["bytes": limits.lineBytes]))),
        in: language)
    )
  }
}

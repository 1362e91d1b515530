import CMosquitto
import Glibc
import Loop
import Moments
import PluginKit

/// The connection to the broker: made, kept, and made again after a wait when it breaks.
@LoopActor
final class BrokerClient {
  /// A message from the broker.
  struct Message: Hashable, Sendable {
    /// Its topic.
    var topic: String
    /// Its payload.
    var payload: [UInt8]
    /// Whether the broker had kept it from before.
    var isRetained: Bool
    /// Whether it may have waited at the broker while nobody was connected: it came with what the session held.
    var mayHaveWaited = false
  }

  /// Whom the connection tells.
  struct Handlers {
    /// The broker took the greeting; subscriptions and publications can follow.
    var onConnected: @LoopActor () -> Void
    /// The connection broke or could not be made; a new attempt follows by itself.
    var onLost: @LoopActor (BrokerFault) -> Void
    /// The broker acknowledged the publication with that number.
    var onAcknowledged: @LoopActor (Int32) -> Void
    /// A message came.
    var onMessage: @LoopActor (Message) -> Void
    /// A round of reading is over; the time to publish more.
    var onRoundEnd: @LoopActor () -> Void
  }

  /// How long the broker may take from the first packet to its greeting, in milliseconds.
  private static let greetingMilliseconds: Int64 = 15_000
  /// How long a connection must last before the waits start at the shortest again, in milliseconds.
  private static let stableMilliseconds: Int64 = 60_000

  /// How long nothing may have come after the greeting until what comes is known to be of now, in milliseconds.
  private static let sessionQuietMilliseconds: Int64 = 5_000

  private enum Phase {
    case stopped
    case waiting
    case greeting
    case connected(since: Tick)
  }

  /// The broker's address, for people.
  let address: String
  private let settings: MQTTSettings
  private let handlers: Handlers
  private var phase = Phase.stopped
  private var handle: MosquittoHandle?
  private var descriptor: Int32 = -1
  private var refusal: Int32 = 0
  private var lastSent = EventLoop.now
  /// Until when messages may be those that waited in the session.
  private var waitingUntil: Tick?
  private var backoff = Backoff(firstMilliseconds: 1000, longestMilliseconds: 30_000)
  private var random = SystemRandomNumberGenerator()
  private var farewell: (message: Int32, completion: @LoopActor () -> Void)?
  private var retryTimer: LoopTimer?
  private var greetingTimer: LoopTimer?
  private var keepAliveTimer: LoopTimer?
  private var farewellTimer: LoopTimer?

  init(settings: MQTTSettings, handlers: Handlers) {
    self.settings = settings
    self.handlers = handlers
    address = "\(settings.host):\(settings.port)"
    retryTimer = LoopTimer { [weak self] in self?.connect() }
    greetingTimer = LoopTimer { [weak self] in self?.greetingIsOverdue() }
    keepAliveTimer = LoopTimer { [weak self] in self?.keepAlive() }
    farewellTimer = LoopTimer { [weak self] in self?.finishFarewell() }
  }

  /// Whether publications go out.
  var isConnected: Bool {
    if case .connected = phase { true } else { false }
  }

  // MARK: Connecting

  /// Makes the first attempt.
  func start() { connect() }

  private func connect() {
    let handle: MosquittoHandle
    do { handle = try MosquittoHandle(settings) } catch {
      phase = .greeting
      return lose(error)
    }
    handle.owner = self
    self.handle = handle
    phase = .greeting
    refusal = 0
    greetingTimer?.set(afterMilliseconds: Self.greetingMilliseconds)
    handle.connect(settings) { [weak self] result, errorNumber in
      self?.connectionMade(handle, result: result, errorNumber: errorNumber)
    }
  }

  private func connectionMade(_ made: MosquittoHandle, result: Int32, errorNumber: Int32) {
    guard made === handle else { return }
    let socket = mosquitto_socket(made.client)
    guard result == MOSQ_ERR_SUCCESS.code, socket >= 0 else {
      return lose(
        .connecting(
          result: result, errorNumber: errorNumber, notes: made.notes.current, address))
    }
    descriptor = socket
    EventLoop.current.watch(socket, for: [.reading, .writing]) { [weak self] readiness in
      self?.serve(made, readiness)
    }
  }

  private func greetingIsOverdue() {
    if case .greeting = phase { lose(.silent(address)) }
  }

  /// The broker's answer to the greeting; `hasSession` says that it kept what came while nobody was connected.
  func greeted(returnCode: Int32, hasSession: Bool) {
    guard returnCode == 0 else {
      refusal = returnCode
      return
    }
    waitingUntil =
      hasSession ? EventLoop.now.advanced(byMilliseconds: Self.sessionQuietMilliseconds) : nil
    phase = .connected(since: EventLoop.now)
    greetingTimer?.cancel()
    lastSent = EventLoop.now
    keepAliveTimer?.set(at: pingDue)
    handlers.onConnected()
  }

  /// Gives the connection up, tells why, and tries again after a wait.
  func lose(_ fault: BrokerFault) {
    if case .stopped = phase { return }
    if case .connected(let since) = phase,
      EventLoop.now.milliseconds(since: since) >= Self.stableMilliseconds
    {
      backoff.reset()
    }
    dropHandle()
    phase = .waiting
    retryTimer?.set(afterMilliseconds: backoff.next(using: &random))
    handlers.onLost(fault)
    if farewell != nil { finishFarewell() }
  }

  private func dropHandle() {
    greetingTimer?.cancel()
    keepAliveTimer?.cancel()
    if descriptor >= 0 { EventLoop.current.unwatch(descriptor) }
    descriptor = -1
    handle?.owner = nil
    handle = nil
  }

  // MARK: Serving the socket

  private func serve(_ served: MosquittoHandle, _ readiness: EventLoop.Readiness) {
    guard served === handle else { return }
    if readiness.isReadable || readiness.isHungUp {
      guard check(read(served), served) else { return }
      acknowledgeAtOnce()
    }
    if readiness.isWritable {
      guard check(mosquitto_loop_write(served.client, 1), served) else { return }
    }
    if isConnected { handlers.onRoundEnd() }
    updateInterest()
  }

  private func read(_ served: MosquittoHandle) -> Int32 {
    var result = mosquitto_loop_read(served.client, 1)
    while result == MOSQ_ERR_SUCCESS.code, served === handle,
      OpenSSL.hasPendingBytes(served.client)
    {
      result = mosquitto_loop_read(served.client, 1)
    }
    return result
  }

  /// Keeps the kernel from holding back its acknowledgement of what was read, for 40 ms.
  ///
  /// A broker that sends its small answers by Nagle's algorithm waits for it before it sends the next; without this
  /// every batch ends with that wait. The kernel forgets the option, so it is set after each reading.
  private func acknowledgeAtOnce() {
    var isOn: Int32 = 1
    let size = socklen_t(MemoryLayout<Int32>.size)
    _ = setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_QUICKACK, &isOn, size)
  }

  /// Whether the connection still stands after a call that answered `result`.
  private func check(_ result: Int32, _ served: MosquittoHandle) -> Bool {
    let errorNumber = errno
    guard served === handle else { return false }
    if result == MOSQ_ERR_SUCCESS.code, mosquitto_socket(served.client) >= 0, refusal == 0 {
      return true
    }
    lose(reason(result, errorNumber, served.notes.current))
    return false
  }

  private func reason(
    _ result: Int32, _ errorNumber: Int32, _ notes: ConnectionNotes.Content
  ) -> BrokerFault {
    if refusal != 0 { return .refusal(returnCode: refusal, address) }
    if isConnected {
      return .lost(result: result, errorNumber: errorNumber, notes: notes, address)
    }
    return .unanswered(
      result: result, errorNumber: errorNumber, notes: notes, usesTLS: settings.tls != nil, address)
  }

  /// Watches for room to write as long as something waits for it.
  func updateInterest() {
    guard let handle, descriptor >= 0 else { return }
    EventLoop.current.setInterest(
      mosquitto_want_write(handle.client) ? [.reading, .writing] : .reading, of: descriptor)
  }

  /// Lets libmosquitto ping when nothing has been sent for the keep-alive time; it counts whole seconds.
  private func keepAlive() {
    guard let handle, isConnected else { return }
    if EventLoop.now >= pingDue {
      guard check(mosquitto_loop_misc(handle.client), handle) else { return }
      lastSent = EventLoop.now
      updateInterest()
    }
    keepAliveTimer?.set(at: pingDue)
  }

  private var pingDue: Tick {
    lastSent.advanced(byMilliseconds: Int64(settings.keepAliveSeconds) * 1000 + 1000)
  }

  func acknowledged(_ message: Int32) {
    if message == farewell?.message { return finishFarewell() }
    handlers.onAcknowledged(message)
  }

  /// A message came; only what is not of quality 0 can have waited.
  func received(_ message: Message, qualityOfService: Int32) {
    var message = message
    if qualityOfService > 0, let until = waitingUntil {
      let now = EventLoop.now
      message.mayHaveWaited = now < until
      waitingUntil =
        message.mayHaveWaited
        ? now.advanced(byMilliseconds: Self.sessionQuietMilliseconds) : nil
    }
    handlers.onMessage(message)
  }

  // MARK: Publishing

  /// Publishes with quality of service 1.
  ///
  /// - Returns: the publication's number, or nil when it did not go out because the connection is gone.
  func publish(
    topic: String, payload: some ContiguousBytes, isRetained: Bool = false
  ) -> Int32? {
    guard let handle, isConnected else { return nil }
    var message: Int32 = 0
    let result = payload.withBytes { bytes in
      mosquitto_publish(
        handle.client, &message, topic, Int32(clamping: bytes.count), bytes.baseAddress, 1,
        isRetained)
    }
    lastSent = EventLoop.now
    guard check(result, handle) else { return nil }
    return message
  }

  /// Publishes a text; see ``publish(topic:payload:isRetained:)``.
  func publish(topic: String, text: String, isRetained: Bool = false) {
    _ = publish(topic: topic, payload: Array(text.utf8), isRetained: isRetained)
    updateInterest()
  }

  /// Asks for a topic; with quality of service 0 for what the broker need not keep while nobody is connected.
  func subscribe(_ topic: String, qualityOfService: Int32 = 1) {
    guard let handle, isConnected else { return }
    _ = check(mosquitto_subscribe(handle.client, nil, topic, qualityOfService), handle)
  }

  /// Asks for a topic no more.
  func unsubscribe(_ topic: String) {
    guard let handle, isConnected else { return }
    _ = check(mosquitto_unsubscribe(handle.client, nil, topic), handle)
  }

  // MARK: Ending

  /// Says `offline`, waits at most 2 s until the broker has it, and ends the connection.
  func stop(completion: @escaping @LoopActor () -> Void) {
    retryTimer?.cancel()
    let offline = publish(
      topic: settings.topics.status, payload: Array("offline".utf8), isRetained: true)
    farewell = (offline ?? -1, completion)
    guard offline != nil else { return finishFarewell() }
    farewellTimer?.set(afterMilliseconds: 2000)
    updateInterest()
  }

  private func finishFarewell() {
    guard let completion = farewell?.completion else { return }
    farewell = nil
    farewellTimer?.cancel()
    if let handle, isConnected { _ = mosquitto_disconnect(handle.client) }
    phase = .stopped
    retryTimer?.cancel()
    completion()
  }
}

/// Bytes that stand in one piece.
protocol ContiguousBytes {
  /// Calls `body` with the bytes, which stay where they are for as long.
  func withBytes<Answer>(_ body: (UnsafeRawBufferPointer) -> Answer) -> Answer
}

extension Array: ContiguousBytes where Element == UInt8 {
  func withBytes<Answer>(_ body: (UnsafeRawBufferPointer) -> Answer) -> Answer {
    withUnsafeBytes(body)
  }
}

extension ArraySlice: ContiguousBytes where Element == UInt8 {
  func withBytes<Answer>(_ body: (UnsafeRawBufferPointer) -> Answer) -> Answer {
    withUnsafeBytes(body)
  }
}

import Bytes
import Care
import Glibc
import JSON
import Loop
import PluginProtocol

/// The conversation between one plugin and its host: reads lines, calls the plugin, writes answers.
@LoopActor
final class PluginSession {
  private static let readBytes = 1 << 18

  private let name: String
  private let version: String
  private let input: Int32
  private let writer: LineWriter
  private let plugin: any Plugin
  private let link: HostLink
  private let onEnd: @LoopActor (_ exitCode: Int32) -> Void
  private var framer = LineFramer(maximumBytes: PluginLimits.lineFromHostBytes)
  private var buffer = [UInt8](repeating: 0, count: PluginSession.readBytes)
  private var outstanding: Set<Lane> = []
  private var isInitialized = false
  private var isEnding = false

  init(
    name: String, version: String, input: Int32, output: Int32,
    make: @LoopActor (HostLink) -> any Plugin,
    onEnd: @escaping @LoopActor (_ exitCode: Int32) -> Void
  ) {
    self.name = name
    self.version = version
    self.input = input
    self.onEnd = onEnd
    writer = LineWriter(descriptor: output) { isFull in
      EventLoop.current.setInterest(isFull ? [] : .reading, of: input)
    }
    link = HostLink(writer: writer)
    plugin = make(link)
    link.plugin = plugin
  }

  /// Starts to read.
  ///
  /// - Returns: false when the input is no pipe, socket or terminal.
  func start() -> Bool {
    EventLoop.current.watch(input, for: .reading) { [self] _ in readSome() }
  }

  // MARK: Reading

  private func readSome() {
    let count = buffer.withUnsafeMutableBytes { Glibc.read(input, $0.baseAddress, $0.count) }
    if count < 0, errno == EAGAIN || errno == EINTR { return }
    guard count > 0 else { return hostWentAway() }
    framer.append(buffer[..<count])
    do {
      while let line = try framer.next() { take(line) }
    } catch {
      PluginLog.write(.error, "\(error); the host's messages cannot be followed any further")
      end(exitCode: 1)
    }
  }

  private func hostWentAway() {
    EventLoop.current.unwatch(input)
    guard !isEnding else { return }
    isEnding = true
    guard isInitialized else { return end(exitCode: 0) }
    plugin.shutdown { [self] in end(exitCode: 0) }
  }

  private func take(_ line: [UInt8]) {
    let message: RPCMessage
    do { message = try RPCMessage(line: line) } catch {
      let fault = RPCError(code: RPCError.invalidRequestCode, message: "no JSON-RPC: \(error)")
      return writer.write(RPCLine.failure(id: nil, fault))
    }
    switch message.kind {
    case .request(let id, let method): handle(method, id, message)
    case .notification(let method):
      if case .success(let params) = payload(message) { plugin.notified(method, params) }
    case .result(let id): link.answered(id, payload(message))
    case .failure(let id, let error): link.answered(id, .failure(error))
    }
  }

  private func payload(_ message: RPCMessage) -> Result<JSONValue, RPCError> {
    do { return .success(try message.payload()) } catch {
      return .failure(.invalidParameters(error))
    }
  }

  // MARK: Answering

  private func handle(_ method: String, _ id: RPCID, _ message: RPCMessage) {
    switch method {
    case PluginMethod.initialize:
      let isFirst = !isInitialized
      answer(id, initialize(message))
      if isFirst, isInitialized { link.begin() }
    case PluginMethod.health: answer(id, .success(currentHealth()))
    case PluginMethod.shutdown: shutdown(id)
    case _ where !isInitialized: answer(id, .failure(Self.notInitialized))
    case PluginMethod.deliver: deliver(id, message)
    case PluginMethod.notify: serve(method, id, message)
    case _ where method.hasPrefix(PluginMethod.servicePrefix):
      serve(String(method.dropFirst(PluginMethod.servicePrefix.count)), id, message)
    default: answer(id, .failure(.methodNotFound(method)))
    }
  }

  private static let notInitialized = RPCError(
    code: RPCError.invalidRequestCode, message: "the first request must be \"initialize\"")

  private func answer(_ id: RPCID, _ result: Result<JSONValue, RPCError>) {
    switch result {
    case .success(let content): writer.write(RPCLine.result(id: id, content))
    case .failure(let error): writer.write(RPCLine.failure(id: id, error))
    }
  }

  private func initialize(_ message: RPCMessage) -> Result<JSONValue, RPCError> {
    guard !isInitialized else {
      return .failure(
        RPCError(code: RPCError.invalidRequestCode, message: "initialize comes only once"))
    }
    let request: InitializeRequest
    do { request = try InitializeRequest(json: message.payload()) } catch {
      return .failure(.invalidParameters(error))
    }
    guard PluginLimits.protocolVersions.contains(request.protocolVersion) else {
      let text = "this plugin speaks protocol 1, not \(request.protocolVersion)"
      return .failure(RPCError(code: RPCError.invalidParametersCode, message: text))
    }
    return start(request)
  }

  private func start(_ request: InitializeRequest) -> Result<JSONValue, RPCError> {
    do {
      link.pace = .granted(request.grants)
      let credits = try plugin.initialize(request)
      isInitialized = true
      let answer = InitializeAnswer(
        protocolVersion: request.protocolVersion, name: name, version: version, credits: credits)
      return .success(answer.json)
    } catch { return .failure(error) }
  }

  private func currentHealth() -> JSONValue {
    let health = plugin.health
    link.noteReported(health)
    return health.json
  }

  private func serve(_ service: String, _ id: RPCID, _ message: RPCMessage) {
    switch payload(message) {
    case .failure(let error): answer(id, .failure(error))
    case .success(let params): plugin.serve(service, params) { [self] in answer(id, $0) }
    }
  }

  private func shutdown(_ id: RPCID) {
    guard !isEnding else { return answer(id, .success(.object([]))) }
    isEnding = true
    let finish: @LoopActor () -> Void = { [self] in
      answer(id, .success(.object([])))
      if writer.isEmpty {
        end(exitCode: 0)
      } else {
        writer.onEmpty = { [self] in end(exitCode: 0) }
      }
    }
    if isInitialized { plugin.shutdown(completion: finish) } else { finish() }
  }

  private func end(exitCode: Int32) {
    EventLoop.current.unwatch(input)
    isEnding = true
    onEnd(exitCode)
  }

  // MARK: Batches

  private func deliver(_ id: RPCID, _ message: RPCMessage) {
    let batch: ReceivedBatch
    do { batch = try ReceivedBatch(message) } catch {
      return answer(id, .failure(.invalidParameters(error)))
    }
    guard !isEnding, outstanding.insert(batch.lane).inserted else {
      let text = "a batch of lane \(batch.lane.rawValue) is outstanding"
      return answer(id, .failure(RPCError(code: RPCError.busyCode, message: text)))
    }
    let (lane, count) = (batch.lane, batch.count)
    var isAnswered = false
    plugin.deliver(batch) { [self] outcomes in
      guard !isAnswered else {
        return PluginLog.write(.error, "a batch was answered twice; the second answer is dropped")
      }
      isAnswered = true
      outstanding.remove(lane)
      answer(id, .success(checked(outcomes, count: count).json))
    }
  }

  /// The outcomes, or `retry` for the whole batch when they do not cover it: an event must never pass as settled.
  private func checked(_ outcomes: BatchOutcomes, count: Int) -> BatchOutcomes {
    let covered = outcomes.spans.last.map { $0.positions.upperBound + 1 } ?? 0
    guard covered != count else { return outcomes }
    PluginLog.write(.error, "the plugin settled \(covered) events of a batch of \(count)")
    return .all(.retry(afterSeconds: 30, reason: "the plugin lost count"), count: count)
  }
}

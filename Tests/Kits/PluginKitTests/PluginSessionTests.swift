import Bytes
import Care
import Glibc
import JSON
import Loop
import PluginProtocol
import Synchronization
import Testing

@testable import PluginKit

/// A plugin that keeps what it is asked until the test lets go.
@LoopActor
private final class PatientPlugin: Plugin {
  let link: HostLink
  var health = PluginHealth(state: .working)
  var heard: [String] = []
  var held: [(ReceivedBatch, @LoopActor (BatchOutcomes) -> Void)] = []

  init(link: HostLink) { self.link = link }

  func initialize(_ request: InitializeRequest) throws(RPCError) -> DeliveryCredits {
    guard request.settings["bad"] == nil else {
      throw RPCError(code: RPCError.invalidParametersCode, message: "take bad away")
    }
    if let code = request.settings["sick"]?.stringContent {
      health = PluginHealth(state: .failed, code: code)
      link.healthChanged()
      link.healthChanged()
    }
    return DeliveryCredits(events: 7, bytes: 77)
  }

  func deliver(_ batch: ReceivedBatch, reply: @escaping @LoopActor (BatchOutcomes) -> Void) {
    held.append((batch, reply))
  }

  func notified(_ method: String, _ params: JSONValue) {
    heard.append("\(method) \(params["watch"]?.stringContent ?? "")")
  }
}

/// The host's end of a session over two real pipes.
private final class SessionUnderTest: Sendable {
  private let toPlugin: Int32
  private let fromPlugin: Int32
  private let framer = Mutex(LineFramer(maximumBytes: PluginLimits.lineFromHostBytes))
  private let plugin = Mutex<PatientPlugin?>(nil)
  let exitCode = Mutex<Int32?>(nil)

  init() {
    var (input, output): ([Int32], [Int32]) = ([-1, -1], [-1, -1])
    _ = pipe(&input)
    _ = pipe(&output)
    for descriptor in [input[0], output[1]] {
      _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    }
    (toPlugin, fromPlugin) = (input[1], output[0])
    let (pluginInput, pluginOutput) = (input[0], output[1])
    EventLoop.current.post { [self] in
      let session = PluginSession(
        name: "patient", version: "1.2.3", input: pluginInput, output: pluginOutput,
        make: { link in
          let made = PatientPlugin(link: link)
          plugin.withLock { $0 = made }
          return made
        },
        onEnd: { code in
          self.exitCode.withLock { $0 = code }
          close(pluginOutput)
        })
      _ = session.start()
    }
  }

  func send(_ line: [UInt8]) {
    var start = 0
    while start < line.count {
      let count = line.withUnsafeBytes {
        write(toPlugin, $0.baseAddress.map { $0 + start }, line.count - start)
      }
      guard count > 0 else { return }
      start += count
    }
  }

  func hangUp() { close(toPlugin) }

  /// The plugin's next line; nil at the end.
  func next() throws -> RPCMessage? {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      if let line = try framer.withLock({ framer in Result { try framer.next() } }).get() {
        return try RPCMessage(line: line)
      }
      let count = read(fromPlugin, &buffer, buffer.count)
      guard count > 0 else { return nil }
      framer.withLock { $0.append(buffer[..<count]) }
    }
  }

  func call(_ method: String, _ params: JSONValue = .object([])) throws -> RPCMessage? {
    send(RPCLine.request(id: .number(1), method: method, params: params))
    return try next()
  }

  func initialize(
    _ settings: JSONValue = .object([]), grants: [String] = []
  ) throws -> RPCMessage? {
    let request = InitializeRequest(
      protocolVersion: 1, hostVersion: "0.1.0", gateway: "hub", settings: settings, grants: grants,
      stateDirectory: "/nonexistent")
    return try call(PluginMethod.initialize, request.json)
  }

  func deliver(_ id: Int64, _ lane: Lane, count: Int) {
    let bodies = (0..<count).map { Array("{\"n\":\($0)}".utf8) }
    send(
      DeliverBatch(lane: lane, isDurable: true, sequences: nil, bodies: bodies).line(
        id: .number(id)))
  }

  /// Runs on the loop; for what the plugin must have handled before, wait for an answer first.
  func onLoop(_ work: @escaping @LoopActor @Sendable (PatientPlugin) -> Void) {
    EventLoop.current.post { [self] in
      if let made = plugin.withLock({ $0 }) { work(made) }
    }
  }
}

@Suite struct PluginSessionTests {
  @Test func initializeIsAnsweredWithNameVersionAndCredits() throws {
    let session = SessionUnderTest()
    let answer = try InitializeAnswer(json: #require(try session.initialize()).payload())
    #expect(answer.name == "patient" && answer.version == "1.2.3")
    #expect(answer.credits == DeliveryCredits(events: 7, bytes: 77))
  }

  @Test func aSettingThatThePluginRefusesIsAnError() throws {
    let session = SessionUnderTest()
    let kind = try #require(try session.initialize(["bad": true])).kind
    let fault = RPCError(code: RPCError.invalidParametersCode, message: "take bad away")
    #expect(kind == .failure(id: .number(1), fault))
  }

  @Test func healthFoundOutWithinInitializeIsToldOnceAfterItsAnswer() throws {
    let session = SessionUnderTest()
    let answer = try #require(try session.initialize(["sick": "port"]))
    _ = try InitializeAnswer(json: answer.payload())
    let told = try #require(try session.next())
    #expect(told.kind == .notification(method: PluginMethod.health))
    #expect(try PluginHealth(json: told.payload()).code == "port")
    #expect(try session.call(PluginMethod.health)?.kind == .result(id: .number(1)))
  }

  @Test(arguments: [
    ("events.deliver", RPCError.invalidRequestCode), ("nonsense", RPCError.invalidRequestCode),
  ])
  func nothingComesBeforeInitialize(method: String, code: Int64) throws {
    let session = SessionUnderTest()
    #expect(try failureCode(session.call(method)) == code)
  }

  @Test func methodsThatDoNotExistAndSecondInitializesAreRefused() throws {
    let session = SessionUnderTest()
    _ = try session.initialize()
    #expect(try failureCode(session.call("nonsense")) == RPCError.methodNotFoundCode)
    #expect(try failureCode(session.call("service.speech")) == RPCError.methodNotFoundCode)
    #expect(try failureCode(session.initialize()) == RPCError.invalidRequestCode)
  }

  @Test func batchesOfDifferentLanesAreOutstandingTogetherAndAnsweredInAnyOrder() throws {
    let session = SessionUnderTest()
    _ = try session.initialize()
    session.deliver(10, .trace, count: 3)
    session.deliver(11, .alarm, count: 1)
    session.deliver(12, .trace, count: 1)
    let busy = try #require(try session.next())
    #expect(failureCode(busy) == RPCError.busyCode)
    session.onLoop { plugin in
      plugin.held[1].1(.all(.accepted, count: 1))
      plugin.held[0].1(.all(.accepted, count: 3))
      plugin.held[0].1(.all(.accepted, count: 3))
    }
    #expect(try session.next()?.kind == .result(id: .number(11)))
    #expect(try session.next()?.kind == .result(id: .number(10)))
    #expect(try session.call(PluginMethod.health)?.kind == .result(id: .number(1)))
  }

  @Test func outcomesThatDoNotCoverTheBatchBecomeRetriesOfAll() throws {
    let session = SessionUnderTest()
    _ = try session.initialize()
    session.deliver(10, .record, count: 3)
    #expect(try session.call(PluginMethod.health)?.kind == .result(id: .number(1)))
    session.onLoop { $0.held.last?.1(.all(.accepted, count: 2)) }
    session.onLoop { $0.held.last?.1(.all(.accepted, count: 3)) }
    let answer = try #require(try session.next())
    let outcomes = try BatchOutcomes(json: answer.payload(), count: 3).expanded
    #expect(outcomes.allSatisfy { if case .retry = $0 { true } else { false } })
  }

  @Test func healthIsToldOnceForEachChange() throws {
    let session = SessionUnderTest()
    _ = try session.initialize()
    session.onLoop { plugin in
      // The host takes a plugin that has answered for one that works.
      plugin.link.healthChanged()
      plugin.health = PluginHealth(state: .failed, code: "down", detail: "x")
      plugin.link.healthChanged()
      plugin.link.healthChanged()
      plugin.health = PluginHealth(state: .working)
      plugin.link.healthChanged()
    }
    let codes = try (0..<2).map { _ in
      let notice = try #require(try session.next())
      return try PluginHealth(json: notice.payload()).code
    }
    #expect(codes == ["down", ""])
  }

  @Test func aQuestionGoesToTheHostAndItsAnswerComesBack() throws {
    let session = SessionUnderTest()
    _ = try session.initialize()
    let results = Mutex<[Result<JSONValue, RPCError>]>([])
    session.onLoop { plugin in
      for _ in 0..<2 {
        plugin.link.ask("zones.list", ["resident": "mary"]) { answer in
          results.withLock { $0.append(answer) }
        }
      }
    }
    let asked = try #require(try session.next())
    _ = try #require(try session.next())
    #expect(asked.kind == .request(id: .number(1), method: PluginMethod.request))
    let call = try RequestCall(json: asked.payload())
    #expect(call == RequestCall(method: "zones.list", params: ["resident": "mary"]))
    session.send(RPCLine.result(id: .number(1), ["result": [["id": "home"]]]))
    let fault = RPCError(code: RPCError.notGrantedCode, message: "no grant read:position")
    session.send(RPCLine.failure(id: .number(2), fault))
    #expect(try session.call(PluginMethod.health) != nil)
    #expect(results.withLock { $0 } == [.success([["id": "home"]]), .failure(fault)])
  }

  @Test("Of a list that goes on a plugin is told the cursor")
  func partOfAList() throws {
    let session = SessionUnderTest()
    _ = try session.initialize()
    let found = Mutex<RequestAnswer?>(nil)
    session.onLoop { plugin in
      plugin.link.ask(RequestCall(method: "events.query")) { answer in
        found.withLock { $0 = try? answer.get() }
      }
    }
    _ = try #require(try session.next())
    session.send(RPCLine.result(id: .number(1), RequestAnswer([1, 2], next: "abc").json))
    #expect(try session.call(PluginMethod.health) != nil)
    #expect(found.withLock { $0 } == RequestAnswer([1, 2], next: "abc"))
  }

  @Test(
    "A request above those that may be open is answered busy, and answers find their requests",
    arguments: [([], 16), (["accounts"], 256)] as [([String], Int)])
  func tooManyOpenRequests(grants: [String], most: Int) throws {
    let session = SessionUnderTest()
    _ = try session.initialize(grants: grants)
    let results = Mutex<[Result<JSONValue, RPCError>]>([])
    let sink: @Sendable (Result<JSONValue, RPCError>) -> Void = { result in
      results.withLock { $0.append(result) }
    }
    session.onLoop { plugin in
      for number in Int64(0)...Int64(most) {
        plugin.link.command(["number": .integer(number)]) { sink($0) }
      }
    }
    let requests = try (0..<most).map { _ in try #require(try session.next()) }
    for request in requests.reversed() {
      guard case .request(let id, PluginMethod.command) = request.kind else { continue }
      session.send(RPCLine.result(id: id, try request.payload()))
    }
    _ = try session.call(PluginMethod.health)
    let codes = results.withLock { $0 }
    #expect(codes.count == most + 1)
    guard case .failure(let busy) = codes.first else {
      Issue.record("the request above them was not answered at once")
      return
    }
    #expect(busy.code == RPCError.busyCode)
    let numbers = codes.dropFirst().compactMap { try? $0.get()["number"]?.integerContent }
    #expect(numbers == (0..<Int64(most)).reversed())
  }

  @Test("What the host says by itself reaches the plugin")
  func notified() throws {
    let session = SessionUnderTest()
    _ = try session.initialize()
    session.send(RPCLine.notification(method: PluginMethod.watched, params: ["watch": "w1"]))
    #expect(try session.call(PluginMethod.health) != nil)
    session.onLoop { plugin in
      plugin.link.command(.array(plugin.heard.map { .string($0) })) { _ in }
    }
    #expect(try session.next()?.payload() == ["watched w1"])
  }

  @Test func garbageIsAnsweredAndSurvived() throws {
    let session = SessionUnderTest()
    for line in ["no json", "[]", "{\"jsonrpc\":\"2.0\"}", "{\"jsonrpc\":\"2.0\",\"id\":1}"] {
      session.send(Array((line + "\n").utf8))
      #expect(try failureCode(session.next()) == RPCError.invalidRequestCode)
    }
    #expect(try session.call(PluginMethod.health)?.kind == .result(id: .number(1)))
  }

  @Test func manyAnswersWaitForAHostThatReadsLate() throws {
    let session = SessionUnderTest()
    let text = String(repeating: "x", count: 199)
    let request = RPCLine.request(id: .text(text), method: PluginMethod.health, params: .object([]))
    for _ in 0..<2000 { session.send(request) }
    for _ in 0..<2000 { #expect(try session.next()?.kind == .result(id: .text(text))) }
  }

  @Test func shutdownIsAnsweredBeforeTheEnd() throws {
    let session = SessionUnderTest()
    _ = try session.initialize()
    #expect(try session.call(PluginMethod.shutdown)?.kind == .result(id: .number(1)))
    #expect(try session.next() == nil)
    #expect(session.exitCode.withLock { $0 } == 0)
  }

  @Test func aHostThatGoesAwayEndsThePlugin() throws {
    let session = SessionUnderTest()
    _ = try session.initialize()
    session.hangUp()
    #expect(try session.next() == nil)
    #expect(session.exitCode.withLock { $0 } == 0)
  }

  private func failureCode(_ message: RPCMessage?) -> Int64? {
    guard case .failure(_, let error) = message?.kind else { return nil }
    return error.code
  }
}

import Glibc
import JSON
import Loop
import Operations
import Ports
import Testing

@Suite struct OperationsEndpointTests {
  @Test func metricsAreServedAsPrometheusText() async throws {
    let fixture = try await Fixture()
    let answer = exchange(
      fixture.port, "GET /metrics HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
    #expect(answer.status == 200)
    #expect(answer.headers.contains("content-type: text/plain; version=0.0.4; charset=utf-8"))
    #expect(try PrometheusParser.parse(answer.body).map(\.name) == ["homeward_up"])
    await fixture.stop()
  }

  @Test(arguments: [(true, 200), (false, 503)])
  func healthAnswersWithTheDocumentAndFailsWhenSomethingDoes(isHealthy: Bool, status: Int)
    async throws
  {
    let fixture = try await Fixture(isHealthy: isHealthy)
    let answer = exchange(
      fixture.port, "GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
    #expect(answer.status == status)
    #expect(answer.headers.contains("content-type: application/json"))
    #expect(answer.body == "{\"isHealthy\":\(isHealthy)}\n")
    await fixture.stop()
  }

  @Test(arguments: [
    ("GET / HTTP/1.1", 404), ("GET /metrics/ HTTP/1.1", 404), ("GET /../etc/passwd HTTP/1.1", 404),
    ("POST /metrics HTTP/1.1", 405), ("DELETE /health HTTP/1.1", 405),
    ("HEAD /metrics HTTP/1.1", 200), ("GET /health?x=1 HTTP/1.1", 200),
    ("GET /metrics HTTP/1.0", 200),
  ]) func onlyTwoPagesAndTwoMethodsAreServed(line: String, status: Int) async throws {
    let fixture = try await Fixture()
    let answer = exchange(fixture.port, "\(line)\r\nHost: x\r\nConnection: close\r\n\r\n")
    #expect(answer.status == status)
    if line.hasPrefix("HEAD") { #expect(answer.body == "") }
    if status == 405 { #expect(answer.headers.contains("allow: get, head")) }
    await fixture.stop()
  }

  @Test func answersMayComeLaterWhileOthersAreServed() async throws {
    let held = Held()
    let fixture = try await Fixture(metrics: { answer in held.answer = answer })
    let slow = connect(to: fixture.port)
    send(slow, "GET /metrics HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
    while await held.answer == nil {
      #expect(exchange(fixture.port, "GET /health HTTP/1.0\r\n\r\n").status == 200)
    }
    await held.give("late 1\n")
    #expect(receiveAll(slow).hasSuffix("\r\n\r\nlate 1\n"))
    close(slow)
    await fixture.stop()
  }

  @Test func anAnswerForAClientThatLeftIsDropped() async throws {
    let held = Held()
    let fixture = try await Fixture(metrics: { answer in held.answer = answer })
    let gone = connect(to: fixture.port)
    send(gone, "GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n")
    while await held.answer == nil { await Task.yield() }
    close(gone)
    await held.give("late")
    #expect(exchange(fixture.port, "GET /health HTTP/1.0\r\n\r\n").status == 200)
    await held.give("twice")
    #expect(exchange(fixture.port, "GET /health HTTP/1.0\r\n\r\n").status == 200)
    await fixture.stop()
  }

  @Test func stoppingEndsARequestThatWaitsAndALateAnswerDoesNoHarm() async throws {
    let held = Held()
    let fixture = try await Fixture(metrics: { answer in held.answer = answer })
    let waiting = connect(to: fixture.port)
    send(waiting, "GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n")
    while await held.answer == nil { await Task.yield() }
    await fixture.stop()
    #expect(receiveAll(waiting) == "")
    await held.give("late")
    close(waiting)
  }

  @Test(arguments: [
    "\u{0}\u{1}\u{2}\r\n\r\n", "GET\r\n\r\n", "GET /metrics HTTP/9.9\r\n\r\n",
    "GET /" + String(repeating: "a", count: 100_000) + " HTTP/1.1\r\n\r\n",
    "POST /health HTTP/1.1\r\nHost: x\r\nContent-Length: 999999\r\n\r\nabc",
    "GET /metrics HTTP/1.1\r\n" + String(repeating: "X: y\r\n", count: 10_000) + "\r\n",
  ]) func badRequestsLeaveTheServerWorking(request: String) async throws {
    let fixture = try await Fixture()
    let descriptor = connect(to: fixture.port)
    send(descriptor, request)
    shutdown(descriptor, Int32(SHUT_WR))
    #expect(exchange(fixture.port, "GET /health HTTP/1.0\r\n\r\n").status == 200)
    close(descriptor)
    #expect(exchange(fixture.port, "GET /health HTTP/1.0\r\n\r\n").status == 200)
    await fixture.stop()
  }

  @Test("Whoever asks is answered, however many others hold connections and never finish")
  func slowClientsMakeRoom() async throws {
    let fixture = try await Fixture()
    let slow = (0..<3 * OperationsEndpoint.maximumConnections).map { _ in
      connect(to: fixture.port)
    }
    for descriptor in slow { send(descriptor, "GET /hea") }
    for _ in 0..<20 {
      #expect(exchange(fixture.port, "GET /health HTTP/1.0\r\n\r\n").status == 200)
    }
    for descriptor in slow { close(descriptor) }
    await fixture.stop()
  }

  @Test("Who sends a request byte by byte, or does not take the answer, is cut off")
  func slowClientsAreCutOff() async throws {
    let fixture = try await Fixture(patienceMilliseconds: 300)
    let silent = connect(to: fixture.port)
    let dribbling = connect(to: fixture.port)
    send(dribbling, "GET /health HTTP/1.1\r\n")
    // A byte now and then is no sign of life: far fewer than a request may have go out until the far side hangs up.
    var hangUp = pollfd(fd: dribbling, events: Int16(POLLIN), revents: 0)
    var bytes = 0
    while poll(&hangUp, 1, 20) == 0, bytes < 1000 {
      send(dribbling, "X")
      bytes += 1
    }
    #expect(bytes < 1000)
    #expect(receiveAll(dribbling).isEmpty)
    #expect(receiveAll(silent).isEmpty)
    #expect(exchange(fixture.port, "GET /health HTTP/1.0\r\n\r\n").status == 200)
    for descriptor in [silent, dribbling] { close(descriptor) }
    await fixture.stop()
  }

  @Test(arguments: ["0.0.0.0", "192.168.1.1", "::", "example.org", ""])
  func otherAddressesThanLoopbackAreRefused(address: String) async {
    let endpoint = await OperationsEndpoint(
      listen: address, port: 0, metrics: { $0("") }, health: { $0(true, .null) })
    let error = await #expect(throws: OperationsEndpoint.ListenError.self) {
      try await endpoint.start()
    }
    #expect(error?.description.contains("no loopback address") == true)
  }

  @Test func aTakenPortIsRefusedWithWhatToDo() async throws {
    let fixture = try await Fixture()
    let second = await OperationsEndpoint(
      listen: "127.0.0.1", port: fixture.port, metrics: { $0("") }, health: { $0(true, .null) })
    let error = await #expect(throws: OperationsEndpoint.ListenError.self) {
      try await second.start()
    }
    #expect(error?.description.contains("set operations.port to another one") == true)
    await fixture.stop()
  }
}

@LoopActor final class Held: Sendable {
  var answer: (@LoopActor (String) -> Void)?
  nonisolated init() {}
  func give(_ text: String) { answer?(text) }
}

/// An endpoint on a free port.
struct Fixture {
  let endpoint: OperationsEndpoint
  let port: UInt16

  @LoopActor init(
    isHealthy: Bool = true, patienceMilliseconds: Int64 = 10_000,
    metrics: @escaping OperationsEndpoint.Metrics = { answer in
      var page = PrometheusText()
      page.add(.gauge, "homeward_up", help: "Whether it runs.", 1)
      answer(page.text)
    }
  ) throws {
    endpoint = OperationsEndpoint(
      listen: "127.0.0.1", port: 0, patienceMilliseconds: patienceMilliseconds, metrics: metrics,
      health: { $0(isHealthy, ["isHealthy": .bool(isHealthy)]) })
    try endpoint.start()
    port = endpoint.port ?? 0
  }

  @LoopActor func stop() { endpoint.stop() }
}

private func connect(to port: UInt16) -> Int32 {
  let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
  var limit = timeval(tv_sec: 20, tv_usec: 0)
  setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_port = port.bigEndian
  address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
  let answer = withUnsafePointer(to: &address) {
    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
    }
  }
  #expect(answer == 0)
  return descriptor
}

@discardableResult
private func send(_ descriptor: Int32, _ text: String) -> Bool {
  var rest = Array(text.utf8)[...]
  while !rest.isEmpty {
    let sent = rest.withUnsafeBytes {
      Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
    }
    guard sent > 0 else { return false }
    rest = rest.dropFirst(sent)
  }
  return true
}

private func receiveAll(_ descriptor: Int32) -> String {
  var bytes: [UInt8] = []
  var block = [UInt8](repeating: 0, count: 65_536)
  while true {
    let count = recv(descriptor, &block, block.count, 0)
    guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
    bytes.append(contentsOf: block.prefix(count))
  }
}

private func exchange(
  _ port: UInt16, _ request: String
) -> (status: Int, headers: [String], body: String) {
  let descriptor = connect(to: port)
  send(descriptor, request)
  let answer = receiveAll(descriptor)
  close(descriptor)
  let parts = answer.split(separator: "\r\n\r\n", maxSplits: 1, omittingEmptySubsequences: false)
  let head = (parts.first ?? "").split(separator: "\r\n").map { $0.lowercased() }
  let status = (head.first ?? "").split(separator: " ").dropFirst().first.flatMap { Int($0) }
  return (status ?? 0, head, parts.count > 1 ? String(parts[1]) : "")
}

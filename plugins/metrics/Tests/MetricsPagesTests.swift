import Glibc
import JSON
import Loop
import TestSupport
import Testing
import WebServer

@testable import homeward_plugin_metrics

@Suite struct MetricsPagesTests {
  @Test func metricsAreServedAsPrometheusText() async throws {
    let fixture = try await Fixture()
    let answer = WebClient.exchange(
      fixture.port, "GET /metrics HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
    #expect(answer.status == 200)
    #expect(answer.head.contains("content-type: text/plain; version=0.0.4; charset=utf-8"))
    #expect(answer.body == "homeward_up 1\n")
    await fixture.stop()
  }

  @Test(arguments: [(true, 200), (false, 503)])
  func healthAnswersWithTheDocumentAndFailsWhenSomethingDoes(isHealthy: Bool, status: Int)
    async throws
  {
    let fixture = try await Fixture(isHealthy: isHealthy)
    let answer = WebClient.exchange(
      fixture.port, "GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
    #expect(answer.status == status)
    #expect(answer.head.contains("content-type: application/json"))
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
    let answer = WebClient.exchange(fixture.port, "\(line)\r\nHost: x\r\nConnection: close\r\n\r\n")
    #expect(answer.status == status)
    if line.hasPrefix("HEAD") { #expect(answer.body == "") }
    if status == 405 { #expect(answer.head.contains("allow: get, head")) }
    await fixture.stop()
  }

  @Test func answersMayComeLaterWhileOthersAreServed() async throws {
    let held = Held()
    let fixture = try await Fixture(metrics: { answer in held.answer = answer })
    let slow = WebClient(port: fixture.port)
    slow.send("GET /metrics HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
    while await held.answer == nil {
      #expect(WebClient.exchange(fixture.port, "GET /health HTTP/1.0\r\n\r\n").status == 200)
    }
    await held.give("late 1\n")
    #expect(slow.receiveAll().hasSuffix("\r\n\r\nlate 1\n"))
    await fixture.stop()
  }

  @Test func anAnswerForAClientThatLeftIsDropped() async throws {
    let held = Held()
    let fixture = try await Fixture(metrics: { answer in held.answer = answer })
    var gone: WebClient? = WebClient(port: fixture.port)
    gone?.send("GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n")
    while await held.answer == nil { await Task.yield() }
    gone = nil
    await held.give("late")
    #expect(WebClient.exchange(fixture.port, "GET /health HTTP/1.0\r\n\r\n").status == 200)
    await held.give("twice")
    #expect(WebClient.exchange(fixture.port, "GET /health HTTP/1.0\r\n\r\n").status == 200)
    await fixture.stop()
  }

  @Test func stoppingEndsARequestThatWaitsAndALateAnswerDoesNoHarm() async throws {
    let held = Held()
    let fixture = try await Fixture(metrics: { answer in held.answer = answer })
    let waiting = WebClient(port: fixture.port)
    waiting.send("GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n")
    while await held.answer == nil { await Task.yield() }
    await fixture.stop()
    #expect(waiting.receiveAll() == "")
    await held.give("late")
  }

  @Test(arguments: [
    "\u{0}\u{1}\u{2}\r\n\r\n", "GET\r\n\r\n", "GET /metrics HTTP/9.9\r\n\r\n",
    "GET /" + String(repeating: "a", count: 100_000) + " HTTP/1.1\r\n\r\n",
    "POST /health HTTP/1.1\r\nHost: x\r\nContent-Length: 999999\r\n\r\nabc",
    "GET /metrics HTTP/1.1\r\n" + String(repeating: "X: y\r\n", count: 10_000) + "\r\n",
  ]) func badRequestsLeaveTheServerWorking(request: String) async throws {
    let fixture = try await Fixture()
    let client = WebClient(port: fixture.port)
    client.send(request)
    client.finishSending()
    #expect(WebClient.exchange(fixture.port, "GET /health HTTP/1.0\r\n\r\n").status == 200)
    withExtendedLifetime(client) {}
    #expect(WebClient.exchange(fixture.port, "GET /health HTTP/1.0\r\n\r\n").status == 200)
    await fixture.stop()
  }

  @Test("Whoever asks is answered, however many others hold connections and never finish")
  func slowClientsMakeRoom() async throws {
    let fixture = try await Fixture()
    let slow = (0..<3 * MetricsPages.maximumConnections).map { _ in
      WebClient(port: fixture.port)
    }
    for client in slow { client.send("GET /hea") }
    for _ in 0..<20 {
      #expect(WebClient.exchange(fixture.port, "GET /health HTTP/1.0\r\n\r\n").status == 200)
    }
    withExtendedLifetime(slow) {}
    await fixture.stop()
  }

  @Test("Who sends a request byte by byte, or does not take the answer, is cut off")
  func slowClientsAreCutOff() async throws {
    let fixture = try await Fixture(patienceMilliseconds: 300)
    let silent = WebClient(port: fixture.port)
    let dribbling = WebClient(port: fixture.port)
    dribbling.send("GET /health HTTP/1.1\r\n")
    // A byte now and then is no sign of life: far fewer than a request may have go out until the far side hangs up.
    var hangUp = pollfd(fd: dribbling.descriptor, events: Int16(POLLIN), revents: 0)
    var bytes = 0
    while poll(&hangUp, 1, 20) == 0, bytes < 1000 {
      dribbling.send("X")
      bytes += 1
    }
    #expect(bytes < 1000)
    #expect(dribbling.receiveAll().isEmpty)
    #expect(silent.receiveAll().isEmpty)
    #expect(WebClient.exchange(fixture.port, "GET /health HTTP/1.0\r\n\r\n").status == 200)
    await fixture.stop()
  }

  @Test("What only this machine has is told from what others reach")
  func loopback() {
    for address in ["127.0.0.1", "127.5.5.5", "::1"] { #expect(MetricsPages.isLoopback(address)) }
    for address in ["0.0.0.0", "192.168.1.1", "::", "example.org", "", "1127.0.0.1"] {
      #expect(!MetricsPages.isLoopback(address))
    }
  }

  @Test("A gateway that has no figures to give is told of, as its health is")
  func noFigures() async throws {
    let fixture = try await Fixture(isHealthy: false, metrics: { $0(nil) })
    let answer = WebClient.exchange(fixture.port, "GET /metrics HTTP/1.0\r\n\r\n")
    #expect(answer.status == 503)
    #expect(answer.body == "The gateway does not answer.\n")
    await fixture.stop()
  }

  @Test("A port that another program has is no port")
  func taken() async throws {
    let fixture = try await Fixture()
    let second = await MetricsPages(
      listen: "127.0.0.1", port: fixture.port, metrics: { $0("") }, health: { $0(true, .null) })
    let error = await #expect(throws: HTTPServer.ListenError.self) { try await second.start() }
    #expect(error?.number == EADDRINUSE)
    await fixture.stop()
  }
}

@LoopActor final class Held: Sendable {
  var answer: (@LoopActor (String?) -> Void)?
  nonisolated init() {}
  func give(_ text: String) { answer?(text) }
}

/// Pages on a free port.
struct Fixture {
  let pages: MetricsPages
  let port: UInt16

  @LoopActor init(
    isHealthy: Bool = true, patienceMilliseconds: Int64 = 10_000,
    metrics: @escaping MetricsPages.Metrics = { $0("homeward_up 1\n") }
  ) throws {
    pages = MetricsPages(
      listen: "127.0.0.1", port: 0, patienceMilliseconds: patienceMilliseconds, metrics: metrics,
      health: { $0(isHealthy, ["isHealthy": .bool(isHealthy)]) })
    try pages.start()
    port = pages.port ?? 0
  }

  @LoopActor func stop() { pages.stop() }
}

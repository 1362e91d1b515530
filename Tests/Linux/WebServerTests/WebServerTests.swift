import Foundation
import Loop
import TestSupport
import Testing
import WebServer

@Suite struct WebServerTests {
  @Test("A request is handed over whole: its word, target, headers, body and where it comes from")
  func whole() async throws {
    let served = try await Served(
      bodyLimit: 100, headers: [WebAnswer.Header("X-Always", "here")]
    ) { request in
      let words = [
        request.method, request.target, request.header("x-one") ?? "-",
        "\(request.count(of: "X-Two"))", String(decoding: request.body, as: UTF8.self),
        request.peer,
      ]
      request.answer(WebAnswer(200, type: "text/plain", words.joined(separator: "|")))
    }
    let answer = served.exchange(
      "POST /a%2Fb?c=%20 HTTP/1.1\r\nHost: x\r\nX-One: 1\r\nX-Two: 1\r\nx-two: 2\r\n"
        + "Content-Length: 4\r\nConnection: close\r\n\r\nbody")
    #expect(answer.status == 200)
    #expect(answer.body == "POST|/a%2Fb?c=%20|1|2|body|127.0.0.1")
    #expect(answer.head.contains("x-always: here"))
    await served.stop()
  }

  @Test(
    "How long a body is has to be said once, and not too much",
    arguments: [
      ("Content-Length: 10", "0123456789", 200), ("Content-Length: 11", "01234567890", 413),
      ("Content-Length: 99999999999999999999999", "", 413), ("Content-Length: -1", "", 400),
      ("Content-Length: 1\r\nContent-Length: 2", "ab", 400),
      ("Transfer-Encoding: chunked", "1\r\na\r\n0\r\n\r\n", 411),
      ("Transfer-Encoding: chunked\r\nContent-Length: 3", "1\r\na\r\n0\r\n\r\n", 400),
    ])
  func lengths(headers: String, body: String, status: Int) async throws {
    let served = try await Served(bodyLimit: 10) { $0.answer(WebAnswer(200)) }
    let request = "POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\(headers)\r\n\r\n\(body)"
    #expect(served.exchange(request).status == status)
    #expect(served.exchange("GET / HTTP/1.0\r\n\r\n").status == 200)
    await served.stop()
  }

  @Test(
    "What is no request, or too large for one, is refused, and the next is answered",
    arguments: [
      "GET / HTTP/1.1\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: x\r\nX: "
        + String(repeating: "a", count: 10_000_000) + "\r\n\r\n",
      "GET /" + String(repeating: "a", count: 100_000) + " HTTP/1.1\r\nHost: x\r\n\r\n",
      "GET / HTTP/1.1\r\nHost : x\r\n\r\n",
    ])
  func malformed(request: String) async throws {
    let served = try await Served { $0.answer(WebAnswer(200)) }
    let client = WebClient(port: served.port)
    client.send(request)
    client.finishSending()
    #expect(!client.receiveAll().hasPrefix("HTTP/1.1 200"))
    #expect(served.exchange("GET / HTTP/1.0\r\n\r\n").status == 200)
    await served.stop()
  }

  @Test("An answer goes on piece by piece for as long as the client stays")
  func pieces() async throws {
    let stream = Stream()
    let served = try await Served { stream.begin($0) }
    let client = WebClient(port: served.port)
    client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
    #expect(client.receive(until: "first").hasPrefix("HTTP/1.1 200 OK"))
    #expect(await stream.send("second"))
    #expect(client.receive(until: "second").contains("second"))
    await stream.end()
    #expect(client.receive(until: "0\r\n\r\n").hasSuffix("0\r\n\r\n"))
    while await stream.endings == 0 { await Task.yield() }
    #expect(await !stream.send("third"))
    await served.stop()
    #expect(await stream.endings == 1)
  }

  @Test("Who left in the middle of an answer is noticed with the next piece")
  func left() async throws {
    let stream = Stream()
    let served = try await Served { stream.begin($0) }
    var client: WebClient? = WebClient(port: served.port)
    client?.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
    _ = client?.receive(until: "first")
    client = nil
    while await stream.endings == 0 {
      await stream.send("piece")
      await Task.yield()
    }
    await served.stop()
    #expect(await stream.endings == 1)
  }

  @Test("Who does not take what is sent is given no more of it")
  func slow() async throws {
    let stream = Stream()
    let served = try await Served { stream.begin($0) }
    let client = WebClient(port: served.port)
    client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
    _ = client.receive(until: "first")
    let piece = String(repeating: "x", count: 65_536)
    var count = 0
    while await stream.send(piece), count < 10_000 {
      count += 1
      await Task.yield()
    }
    #expect(count < 10_000)
    #expect(served.exchange("GET /other HTTP/1.0\r\n\r\n").status == 200)
    withExtendedLifetime(client) {}
    await served.stop()
    #expect(await stream.endings == 1)
  }

  @Test("Whoever watches keeps the place, however many come after and never finish")
  func places() async throws {
    let stream = Stream()
    let served = try await Served(connections: 8) { stream.begin($0) }
    let watching = WebClient(port: served.port)
    watching.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
    _ = watching.receive(until: "first")
    let others = (0..<15).map { _ in WebClient(port: served.port) }
    for other in others { other.send("GET /oth") }
    for _ in 0..<10 {
      #expect(served.exchange("GET /other HTTP/1.0\r\n\r\n").status == 200)
    }
    #expect(await stream.send("second"))
    #expect(watching.receive(until: "second").contains("second"))
    withExtendedLifetime(others) {}
    await served.stop()
  }

  @Test("Who waits for an answer keeps the place; who was answered already makes room")
  func waiting() async throws {
    let later = Later()
    let served = try await Served(connections: 8) { later.take($0) }
    let waiting = WebClient(port: served.port)
    waiting.send("GET /later HTTP/1.1\r\nHost: x\r\n\r\n")
    while await later.count == 0 { await Task.yield() }
    let asking = WebClient(port: served.port)
    asking.send("GET /oth")
    var answered: [WebClient] = []
    for _ in 0..<15 {
      let other = WebClient(port: served.port)
      answered.append(other)
      other.send("GET /now HTTP/1.1\r\nHost: x\r\n\r\n")
      #expect(other.receive(until: "\r\n\r\n").hasPrefix("HTTP/1.1 200 OK"))
    }
    asking.send("er HTTP/1.1\r\nHost: x\r\n\r\n")
    #expect(asking.receive(until: "\r\n\r\n").hasPrefix("HTTP/1.1 200 OK"))
    await later.answer()
    #expect(waiting.receive(until: "\r\n\r\n").hasPrefix("HTTP/1.1 200 OK"))
    withExtendedLifetime(answered) {}
    await served.stop()
  }

  @Test("With a certificate it speaks TLS, and not in the old ways")
  func encrypted() async throws {
    let folder = try TemporaryDirectory()
    let identity = try Self.identity(in: folder)
    let served = try await Served(identity: identity) { $0.answer(WebAnswer(200)) }
    for (version, isSpoken) in [("-tls1_3", true), ("-tls1_2", true), ("-tls1_1", false)] {
      let client = try LineProcess(
        "/usr/bin/openssl",
        [
          "s_client", "-connect", "127.0.0.1:\(served.port)", version, "-brief",
          "-verify_return_error", "-CAfile", folder.path(of: "own.pem"),
        ])
      client.closeInput()
      #expect(try (client.waitForEnd() == 0) == isSpoken, "\(version)")
    }
    await served.stop()
  }

  @Test("Certificate and key that do not belong together are refused")
  func mismatched() async throws {
    let folder = try TemporaryDirectory()
    let identity = try Self.identity(in: folder)
    let other = try Self.identity(in: folder)
    let wrong = HTTPServer.Identity(certificate: identity.certificate, key: other.key)
    let error = await #expect(throws: HTTPServer.ListenError.self) {
      _ = try await Served(identity: wrong) { $0.answer(WebAnswer(200)) }
    }
    #expect(error?.reason == "its certificate and key cannot be used")
  }

  private static func identity(in folder: TemporaryDirectory) throws -> HTTPServer.Identity {
    let (key, certificate) = (folder.path(of: "own.key"), folder.path(of: "own.pem"))
    let openssl = try LineProcess(
      "/usr/bin/openssl",
      [
        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
        "-days", "2", "-subj", "/CN=localhost", "-keyout", key, "-out", certificate,
      ])
    #expect(try openssl.waitForEnd() == 0)
    return HTTPServer.Identity(
      certificate: try String(contentsOfFile: certificate, encoding: .utf8),
      key: try String(contentsOfFile: key, encoding: .utf8))
  }
}

/// A server on a free port.
private struct Served {
  let server: HTTPServer
  let port: UInt16

  @LoopActor init(
    connections: UInt32 = 16, bodyLimit: Int = 0, identity: HTTPServer.Identity? = nil,
    headers: [WebAnswer.Header] = [],
    handler: @escaping @LoopActor (WebRequest) -> Void
  ) throws {
    let settings = HTTPServer.Settings(
      address: "127.0.0.1", port: 0, connections: connections, bodyLimit: bodyLimit,
      identity: identity, headers: headers)
    server = HTTPServer(settings, handler: handler)
    try server.start()
    port = server.port ?? 0
  }

  @LoopActor func stop() { server.stop() }

  func exchange(_ request: String) -> WebClient.Answer { WebClient.exchange(port, request) }
}

/// An answer that goes on; other paths than `/` are answered at once.
@LoopActor private final class Stream: Sendable {
  private(set) var endings = 0
  private var request: WebRequest?

  nonisolated init() {}

  func begin(_ request: WebRequest) {
    guard request.target == "/" else { return request.answer(WebAnswer(200)) }
    self.request = request
    let answer = WebAnswer(200, type: "text/event-stream", "first")
    #expect(request.begin(answer) { self.endings += 1 })
  }

  @discardableResult
  func send(_ text: String) -> Bool { request?.send(Array(text.utf8)) ?? false }
  func end() { request?.end() }
}

/// Answers at once, but for `/later`.
@LoopActor private final class Later: Sendable {
  private var requests: [WebRequest] = []

  nonisolated init() {}

  var count: Int { requests.count }

  func take(_ request: WebRequest) {
    guard request.target != "/later" else { return requests.append(request) }
    request.answer(WebAnswer(200))
  }

  func answer() {
    for request in requests { request.answer(WebAnswer(200)) }
    requests = []
  }
}

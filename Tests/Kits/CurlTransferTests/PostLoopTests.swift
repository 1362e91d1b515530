import CurlTransfer
import TestSupport
import Testing

@Suite(.enabled(if: PythonPeer.isInstalled, "python3 is not installed"))
struct PostLoopTests {
  private let peer: Peer
  private let poster: Poster

  init() async throws {
    peer = try Peer(.web)
    poster = await Poster()
  }

  private func outcome(_ path: String, _ body: String = "") async throws -> Outcomes {
    await poster.post(Post(peer.url(path), body))
  }

  @Test func anAnswerComesWithStatusRetryAfterAndBody() async throws {
    let date = "Wed, 21 Oct 2026 07:28:00 GMT"
    let answers: [(script: String, answer: Answer)] = [
      (#"[200,{},""]"#, Answer(status: 200)),
      (#"[201,{},"妈妈"]"#, Answer(status: 201, body: Array("妈妈".utf8))),
      (
        #"[503,{"Retry-After":"120"},"later"]"#,
        Answer(status: 503, retryAfter: "120", body: Array("later".utf8))
      ),
      (#"[429,{"retry-after":"\#(date)"},""]"#, Answer(status: 429, retryAfter: date)),
      (#"[401,{},"who?"]"#, Answer(status: 401, body: Array("who?".utf8))),
      // Where it leads nobody has agreed to send events.
      (
        #"[307,{"Location":"/count"},"moved"]"#,
        Answer(status: 307, body: Array("moved".utf8))
      ),
    ]
    for (script, answer) in answers {
      #expect(try await outcome("script", script).answer() == answer, "\(script)")
    }
  }

  @Test func headAndBodyArriveAsTheyWereGiven() async throws {
    let headers = ["Content-Type: text/plain", "X-Twice: one", "X-Twice: two"]
    // A body of more than 1 MiB is one that libcurl would ask for leave to send.
    for body in ["", "first\nlast", String(repeating: "x", count: 2_000_000)] {
      let post = Post(peer.url("echo?a=1"), body, headers: headers, limit: 3_000_000)
      let answer = try await poster.post(post).answer()
      let text = String(decoding: answer.body, as: UTF8.self)
      let end = try #require(text.firstRange(of: "\n\n"))
      let head = text[..<end.lowerBound].split(separator: "\n").map(String.init)
      #expect(head.first == "POST /echo?a=1")
      #expect(head.filter { headers.contains($0) } == headers)
      #expect(head.contains("Content-Length: \(body.utf8.count)"))
      #expect(!head.contains { $0.lowercased().hasPrefix("expect") })
      #expect(text[end.upperBound...] == body)
    }
  }

  @Test func ofALongAnswerNoMoreIsReadThanAskedFor() async throws {
    let script = "[200,{},\"\(String(repeating: "x", count: 100))\"]"
    for (limit, isCut) in [(101, false), (100, false), (99, true), (0, true), (-1, true)] {
      let post = Post(peer.url("script"), script, limit: limit)
      let answer = try await poster.post(post).answer()
      #expect(answer.status == 200 && answer.isCut == isCut, "\(limit)")
      #expect(isCut ? answer.body.count <= max(0, limit) : answer.body.count == 100, "\(limit)")
    }
    let endless = try await outcome("endless").answer()
    #expect(endless.status == 202 && endless.isCut && endless.body.count <= 65_536)
    #expect(endless.body.allSatisfy { $0 == UInt8(ascii: "x") })
    let empty = Post(peer.url("script"), #"[200,{},""]"#, limit: 0)
    #expect(try await poster.post(empty).answer() == Answer(status: 200))
  }

  @Test func whatBringsNoAnswerIsAFaultWithASentence() async throws {
    // No name server is asked for a part of a name that is longer than any may be.
    let nowhere = "http://\(String(repeating: "h", count: 64)).invalid/"
    let deaf = try LocalPort.free()
    let cases = [
      ("http://127.0.0.1:\(deaf)/", "refused: nothing listens at the address in url"),
      (nowhere, "unknown-host: the host in url cannot be found; check it and the network"),
      (peer.url("close"), "closed: the receiver closed the connection without an answer"),
      (peer.url("breaks"), "broken: the connection to the receiver broke off"),
      ("", "other: the connection failed: "),
      ("http://[::1/", "other: the connection failed: "),
      // Of the schemes that libcurl could speak only those of the web are spoken.
      ("file:///etc/hostname", "other: the connection failed: "),
      ("ftp://127.0.0.1:\(deaf)/", "other: the connection failed: "),
      ("smtp://127.0.0.1:\(deaf)/", "other: the connection failed: "),
      ("telnet://127.0.0.1:\(deaf)/", "other: the connection failed: "),
    ]
    for (url, words) in cases {
      let found = try await poster.post(Post(url, "x")).words()
      #expect(found == words || words.hasSuffix(": ") && found.hasPrefix(words), "\(found)")
    }
    let proxies = [
      (nowhere, "unknown-proxy: the host in proxy cannot be found; check it and the network"),
      (peer.url(""), "proxy: the proxy answers 407; check proxy and proxyLogin"),
    ]
    for (proxy, words) in proxies {
      var post = Post("https://care.example.org/in", "x")
      post.connection.proxy = proxy
      #expect(try await poster.post(post).words() == words)
    }
  }

  @Test func aRequestThatLibcurlDoesNotTakeIsAnsweredLater() async throws {
    // No text of libcurl's may have more than 8,000,000 bytes.
    let post = Post("http://127.0.0.1/" + String(repeating: "x", count: 8_000_001))
    let outcomes = Outcomes()
    #expect(await poster.start(post, outcomes))
    #expect(
      try outcomes.words()
        == "other: libcurl does not take the request; is the machine short of memory?")
  }

  @Test func aServerThatNeverAnswersIsGivenUpInTime() async throws {
    var post = Post(peer.url("hang"))
    post.connection.timeoutMilliseconds = 100
    #expect(
      try await poster.post(post).words() == "no-answer: the receiver did not answer in time")
  }

  @Test func aRequestThatHangsDelaysNoOther() async throws {
    let hung = try await outcome("hang")
    try peer.told("asked /hang")
    for length in 0..<5 {
      let answer = try await outcome("count", String(repeating: "x", count: length)).answer()
      #expect(answer.body == Array("\(length)".utf8))
    }
    #expect(hung.remaining.isEmpty)
    try peer.end()
    #expect(try hung.words() == "closed: the receiver closed the connection without an answer")
  }

  @Test func requestsSideBySideGetEachItsOwnAnswer() async throws {
    var all: [Outcomes] = []
    for number in 0..<30 { all.append(try await outcome("script", "[\(200 + number),{},\"\"]")) }
    #expect(try all.map { try $0.answer().status } == Array(200..<230))
  }

  @Test func anAnswerMayStartTheNextRequest() async throws {
    let outcomes = Outcomes()
    await poster.start(
      Post(peer.url("count"), "x"), then: Post(peer.url("count"), "xx"), outcomes)
    #expect(try outcomes.answer().body == Array("1".utf8))
    #expect(try outcomes.answer().body == Array("2".utf8))
  }

  @Test func aConnectionIsKeptForTheNextRequest() async throws {
    for _ in 0..<3 { #expect(try await outcome("count").answer().status == 200) }
    // What is told comes in order: after this nothing is told of what was before.
    _ = try await outcome("hang")
    try peer.told("asked /hang")
    #expect(peer.untaken.filter { $0 == "connected" }.count == 1)
  }

  @Test func whoStopsAnswersNobodyAndMayPostAgain() async throws {
    let hung = [try await outcome("hang"), try await outcome("hang")]
    for _ in hung { try peer.told("asked /hang") }
    await poster.stop()
    for _ in hung { try peer.told("left") }
    #expect(try await outcome("count", "xxx").answer().body == Array("3".utf8))
    #expect(hung.allSatisfy { $0.remaining.isEmpty })
  }
}

@Suite(
  .enabled(
    if: PythonPeer.isInstalled && TestAuthority.isInstalled,
    "python3 or openssl is not installed"))
struct EncryptedPostTests {
  private let authority: TestAuthority

  init() throws {
    authority = try TestAuthority()
    try authority.issue("server", for: "localhost")
  }

  /// What comes of a post to a server that has this certificate.
  private func words(
    _ certificate: String = "server", host: String = "localhost", authorities: String?
  ) async throws -> String {
    let peer = try Peer(.web, authority, certificate)
    let post = Post(
      peer.url("count", scheme: "https", host: host), "secret", authorities: authorities,
      isNumeric: host != "localhost")
    let outcomes = await Poster().post(post)
    let words = try outcomes.words()
    // Nothing was said to whom we do not trust.
    if !words.hasPrefix("answered") { #expect(!peer.untaken.contains { $0.hasPrefix("asked") }) }
    return words
  }

  @Test func onlyACertificateOfATrustedAuthorityIsAccepted() async throws {
    let ours = authority.file("ca")
    #expect(try await words(authorities: ours) == "answered 200")
    #expect(
      try await words(authorities: nil).hasPrefix(
        "certificate: the receiver's certificate is not trusted: unable to get"))
    let other = try TestAuthority()
    #expect(
      try await words(authorities: other.file("ca")).hasPrefix(
        "certificate: the receiver's certificate is not trusted: "))
    try authority.issue("old", for: "localhost", days: -1)
    #expect(
      try await words("old", authorities: ours)
        == "certificate: the receiver's certificate is not trusted: certificate has expired")
  }

  @Test func aCertificateForAnotherNameIsNotAccepted() async throws {
    let ours = authority.file("ca")
    try authority.issue("other", for: "other.example")
    let sentence = "certificate: the receiver's certificate is not trusted: it is for another name"
    #expect(
      try await words("other", authorities: ours) == "\(sentence) (host name mismatch)")
    #expect(
      try await words(host: "127.0.0.1", authorities: ours) == "\(sentence) (IP address mismatch)")
  }

  @Test func aFileOfAuthoritiesThatCannotBeUsedIsNamed() async throws {
    let folder = try TemporaryDirectory()
    for path in [folder.path(of: "none.pem"), try folder.write("no PEM\n", to: "text.pem")] {
      #expect(
        try await words(authorities: path)
          == "ca-file: caFile cannot be read; check the path and the plugin's readPaths")
    }
  }
}

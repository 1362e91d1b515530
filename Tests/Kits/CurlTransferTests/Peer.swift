import CurlTransfer
import Foundation
import Loop
import TestSupport
import Testing
import Texts

/// A real server in a program of its own, on loopback; it ends with the value, and with the tests.
final class Peer: Sendable {
  enum Kind: String {
    case web
    case mail
  }

  private static let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("peers.py").path
  static let hasMail = FileManager.default.fileExists(
    atPath: "/usr/lib/python3/dist-packages/aiosmtpd")

  let port: Int
  private let process: LineProcess

  /// Starts one, with a certificate of the authority where a name of one is given.
  init(
    _ kind: Kind, _ authority: TestAuthority? = nil, _ name: String = "", isTLS: Bool = false
  ) throws {
    let certificate = authority.map { [$0.file(name), $0.key(name)] + (isTLS ? ["tls"] : []) }
    process = try LineProcess(
      PythonPeer.program, [Self.script, kind.rawValue] + (certificate ?? []))
    let line = try process.output.take("the server's port") { $0.hasPrefix("port ") }
    port = try #require(Int(line.dropFirst("port ".count)))
  }

  func url(_ path: String, scheme: String = "http", host: String = "127.0.0.1") -> String {
    "\(scheme)://\(host):\(port)/\(path)"
  }

  /// Waits until it tells something that starts so.
  @discardableResult
  func told(_ start: String) throws -> String {
    try process.output.take(start) { $0.hasPrefix(start) }
  }

  /// What it told and nobody took.
  var untaken: [String] { process.output.remaining }

  /// Ends it, with its connections.
  func end() throws { try process.kill() }
}

/// What came of transfers.
typealias Outcomes = Inbox<Result<Answer, TransferFault>>

extension Inbox where Element == Result<Answer, TransferFault> {
  func answer() throws -> Answer {
    try take("what came of a transfer") { _ in true }.get()
  }

  /// A fault's code and sentence; the status of an answer.
  func words() throws -> String {
    switch try take("what came of a transfer", where: { _ in true }) {
    case .success(let answer): "answered \(answer.status)"
    case .failure(let fault): "\(fault.kind.rawValue): \(fault.detail.text(in: .en))"
    }
  }
}

extension ConnectionOptions {
  /// To `the receiver`; longer than what a test waits for.
  static func toReceiver(authorities: String? = nil, isNumeric: Bool = false) -> Self {
    ConnectionOptions(
      farEnd: FarEnd(
        name: Message(verbatim: "the receiver"), setting: "url", isNumeric: isNumeric),
      authorities: authorities, timeoutMilliseconds: 60_000)
  }
}

/// Posts on a loop of its own.
@LoopActor
final class Poster {
  /// They live as long as the process, and are never lost.
  private static var all: [PostLoop] = []

  private let loop = PostLoop()

  init() { Self.all.append(loop) }

  /// Starts one, and answers whether nothing came of it at once.
  @discardableResult
  func start(_ post: Post, _ outcomes: Outcomes) -> Bool {
    loop.start(post) { outcomes.add($0) }
    return outcomes.remaining.isEmpty
  }

  /// Starts one, and the second when the first has ended.
  func start(_ first: Post, then second: Post, _ outcomes: Outcomes) {
    loop.start(first) { [loop] in
      outcomes.add($0)
      loop.start(second) { outcomes.add($0) }
    }
  }

  /// Posts, and waits elsewhere for what comes of it.
  nonisolated func post(_ post: Post) async -> Outcomes {
    let outcomes = Outcomes()
    await start(post, outcomes)
    return outcomes
  }

  func stop() { loop.stop() }
}

extension Post {
  init(
    _ url: String, _ body: String = "", headers: [String] = [], limit: Int = 65_536,
    authorities: String? = nil, isNumeric: Bool = false
  ) {
    self.init(
      url: url, headers: headers, body: Array(body.utf8),
      connection: .toReceiver(authorities: authorities, isNumeric: isNumeric), answerLimit: limit)
  }
}

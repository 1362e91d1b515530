import CMosquitto
import Glibc
import Synchronization

/// What libmosquitto and OpenSSL said while one connection was tried; written from the connecting thread too.
final class ConnectionNotes: Sendable {
  /// The notes.
  struct Content: Hashable, Sendable {
    /// Error lines, the newest 8.
    var lines: [String] = []
    /// OpenSSL's verdict on the certificate, an `X509_V_…` number; 0 for none.
    var verifyResult = 0
  }

  private let content = Mutex(Content())

  /// The notes so far.
  var current: Content { content.withLock { $0 } }

  /// Keeps an error line, with OpenSSL's verdict at that moment.
  func add(_ line: String, client: OpaquePointer) {
    let verdict = OpenSSL.verifyResult(of: client)
    content.withLock { content in
      content.lines.append(line)
      if content.lines.count > 8 { content.lines.removeFirst() }
      if verdict != 0 { content.verifyResult = verdict }
    }
  }
}

/// The two functions of OpenSSL that libmosquitto does not pass on.
///
/// Looked up at run time in the OpenSSL that libmosquitto brought along, so that building needs no OpenSSL of its own.
enum OpenSSL {
  private typealias VerifyResult = @convention(c) (UnsafeMutableRawPointer) -> Int
  private typealias Pending = @convention(c) (UnsafeMutableRawPointer) -> Int32

  private static let verifyResult: VerifyResult? = dlsym(nil, "SSL_get_verify_result").map {
    unsafeBitCast($0, to: VerifyResult.self)
  }
  private static let pending: Pending? = dlsym(nil, "SSL_pending").map {
    unsafeBitCast($0, to: Pending.self)
  }

  /// The verdict on the broker's certificate, an `X509_V_…` number; 0 for good or not known.
  static func verifyResult(of client: OpaquePointer) -> Int {
    guard let connection = mosquitto_ssl_get(client) else { return 0 }
    return verifyResult?(connection) ?? 0
  }

  /// Whether decrypted bytes wait that epoll knows nothing of.
  static func hasPendingBytes(_ client: OpaquePointer) -> Bool {
    guard let connection = mosquitto_ssl_get(client) else { return false }
    return (pending?(connection) ?? 0) > 0
  }
}

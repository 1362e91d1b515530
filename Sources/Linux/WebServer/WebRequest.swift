import CHTTPServer
public import Loop

/// A request that came whole.
@LoopActor
public final class WebRequest {
  /// So many bytes of an answer that is sent piece by piece wait at most for a client that does not take them.
  public nonisolated static let waitingBytes = 1 << 18

  /// The word for what is wanted, such as `GET`.
  public let method: String
  /// What is asked for, as it was sent.
  public let target: String
  /// The body; empty where there is none.
  public let body: [UInt8]
  /// The numeric address that the connection comes from; empty where it is not known.
  public let peer: String

  private let number: UInt64
  private weak var server: HTTPServer?

  init(_ number: UInt64, of server: HTTPServer, _ pointer: OpaquePointer) {
    self.number = number
    self.server = server
    method = homeward_http_method(pointer, number).map { String(cString: $0) } ?? ""
    target = homeward_http_target(pointer, number).map { String(cString: $0) } ?? ""
    var length = 0
    let bytes = homeward_http_body(pointer, number, &length)
    body = bytes.map { Array(UnsafeBufferPointer(start: $0, count: length)) } ?? []
    var text = [CChar](repeating: 0, count: 46)
    let isKnown = homeward_http_peer(pointer, number, &text, text.count)
    peer = isKnown ? String(decoding: text.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self) : ""
  }

  /// The value of a header, whose name is spelt in any case; nil where it is absent. To be read before the answer.
  public func header(_ name: String) -> String? { server?.header(name, of: number).first }

  /// How often a header came.
  public func count(of name: String) -> Int { server?.header(name, of: number).count ?? 0 }

  /// Answers; once. Nothing happens when the client is gone.
  public func answer(_ answer: WebAnswer) { server?.answer(number, answer) }

  /// Begins an answer that goes on for as long as the client stays; its body is the first piece.
  ///
  /// - Parameter onEnd: called once when it is over: the client went, or ``end()`` was called, or the server stops.
  /// - Returns: false when the client is gone; then `onEnd` is not called.
  public func begin(_ answer: WebAnswer, onEnd: @escaping @LoopActor () -> Void) -> Bool {
    server?.begin(number, answer, onEnd) ?? false
  }

  /// Sends a piece of an answer that was begun.
  ///
  /// - Returns: false when the client is gone, or does not take what is sent.
  public func send(_ piece: [UInt8]) -> Bool { server?.send(piece, to: number) ?? false }

  /// Ends an answer that was begun.
  public func end() { server?.end(number) }
}

/// What a server answers.
public struct WebAnswer: Hashable, Sendable {
  /// One name and its value.
  public struct Header: Hashable, Sendable {
    /// Its name.
    public var name: String
    /// Its value, without a line break.
    public var value: String

    /// A header from its parts.
    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// The status, as RFC 9110 numbers them.
  public var status: UInt32
  /// Headers, in their order.
  public var headers: [Header]
  /// The body.
  public var body: [UInt8]

  /// An answer from its parts.
  public init(_ status: UInt32, _ headers: [Header] = [], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// An answer in words of a media type.
  public init(_ status: UInt32, type: String, _ text: String, _ headers: [Header] = []) {
    self.init(status, [Header("Content-Type", type)] + headers, body: Array(text.utf8))
  }
}

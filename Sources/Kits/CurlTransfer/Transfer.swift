import CCurl
import Texts

/// What a POST asks for.
public struct Post: Sendable {
  /// Where to.
  public var url: String
  /// Lines of the head, such as `Content-Type: text/plain`; without line breaks.
  public var headers: [String]
  /// The body.
  public var body: [UInt8]
  /// How the connection is made.
  public var connection: ConnectionOptions
  /// The most bytes of the answer that are read.
  public var answerLimit: Int

  /// A request from its parts.
  public init(
    url: String, headers: [String], body: [UInt8], connection: ConnectionOptions,
    answerLimit: Int = 65_536
  ) {
    self.url = url
    self.headers = headers
    self.body = body
    self.connection = connection
    self.answerLimit = answerLimit
  }
}

/// How a connection is made, for every protocol.
public struct ConnectionOptions: Sendable {
  /// Whom we talk to, for people.
  public var farEnd: FarEnd
  /// PEM file of the authorities to trust; nil for those of the system.
  public var authorities: String?
  /// Address of a proxy; nil for none.
  public var proxy: String?
  /// `user:password` for the proxy.
  public var proxyLogin: String?
  /// How long everything together may take, in milliseconds.
  public var timeoutMilliseconds: Int

  /// Options from their parts.
  public init(
    farEnd: FarEnd, authorities: String? = nil, proxy: String? = nil, proxyLogin: String? = nil,
    timeoutMilliseconds: Int
  ) {
    self.farEnd = farEnd
    self.authorities = authorities
    self.proxy = proxy
    self.proxyLogin = proxyLogin
    self.timeoutMilliseconds = timeoutMilliseconds
  }
}

/// What came back.
public struct Answer: Hashable, Sendable {
  /// The status.
  public var status: Int
  /// The header `Retry-After` as it came.
  public var retryAfter: String?
  /// The body, at most as long as asked for.
  public var body: [UInt8]
  /// Whether the body was longer.
  public var isCut: Bool

  /// An answer from its parts.
  public init(status: Int, retryAfter: String? = nil, body: [UInt8] = [], isCut: Bool = false) {
    self.status = status
    self.retryAfter = retryAfter
    self.body = body
    self.isCut = isCut
  }
}

/// One request of libcurl, made and owned here.
final class Transfer {
  let handle: OpaquePointer
  private let farEnd: FarEnd

  private init(handle: OpaquePointer, farEnd: FarEnd) {
    self.handle = handle
    self.farEnd = farEnd
  }

  deinit { homeward_transfer_destroy(handle) }

  /// What libcurl is not able to start: memory is short, or it lacks a protocol.
  static let impossible = TransferFault(
    .other, Message("libcurl does not take the request; is the machine short of memory?"))

  static func post(_ post: Post) throws(TransferFault) -> Transfer {
    var options = homeward_transfer_options()
    options.answer_limit = max(0, post.answerLimit)
    let transfer = try make(
      options, url: post.url, schemes: "https,http", connection: post.connection, mail: nil,
      body: post.body)
    // The empty one keeps libcurl from waiting for a go-ahead before a long body.
    for line in post.headers + ["Expect:"] {
      guard homeward_transfer_add_header(transfer.handle, line) else { throw impossible }
    }
    return transfer
  }

  static func mail(_ mail: Mail) throws(TransferFault) -> Transfer {
    var options = homeward_transfer_options()
    options.requires_encryption = mail.requiresEncryption
    options.answer_limit = 4096
    let transfer = try make(
      options, url: mail.url, schemes: "smtps,smtp", connection: mail.connection, mail: mail,
      body: mail.message)
    for recipient in mail.recipients {
      guard homeward_transfer_add_recipient(transfer.handle, recipient) else { throw impossible }
    }
    return transfer
  }

  private static func make(
    _ base: homeward_transfer_options, url: String, schemes: String,
    connection: ConnectionOptions, mail: Mail?, body: [UInt8]
  ) throws(TransferFault) -> Transfer {
    let texts = [
      url, schemes, connection.authorities, connection.proxy, connection.proxyLogin,
      mail?.username, mail?.password, mail?.sender,
    ]
    let handle = withTexts(texts) { texts in
      var options = base
      options.timeout_milliseconds = connection.timeoutMilliseconds
      options.url = texts[0]
      options.schemes = texts[1]
      options.authorities = texts[2]
      options.proxy = texts[3]
      options.proxy_login = texts[4]
      options.username = texts[5]
      options.password = texts[6]
      options.sender = texts[7]
      return homeward_transfer_create(&options, body, body.count)
    }
    guard let handle else { throw impossible }
    return Transfer(handle: handle, farEnd: connection.farEnd)
  }

  /// Calls `body` with C texts that live as long.
  private static func withTexts<Result>(
    _ texts: [String?], _ body: ([UnsafePointer<CChar>?]) -> Result
  ) -> Result {
    let copies = texts.map { $0.map { Array($0.utf8CString) } }
    func step(_ index: Int, _ pointers: [UnsafePointer<CChar>?]) -> Result {
      guard index < copies.count else { return body(pointers) }
      guard let copy = copies[index] else { return step(index + 1, pointers + [nil]) }
      return copy.withUnsafeBufferPointer { step(index + 1, pointers + [$0.baseAddress]) }
    }
    return step(0, [])
  }

  /// What came of it, once it has ended.
  var outcome: Result<Answer, TransferFault> {
    let result = homeward_transfer_result(handle)
    if let fault = TransferFault(result, to: farEnd) { return .failure(fault) }
    let body = UnsafeBufferPointer(start: result.answer, count: result.answer_count)
    return .success(
      Answer(
        status: Int(result.status), retryAfter: result.retry_after.map { String(cString: $0) },
        body: Array(body), isCut: result.is_answer_cut))
  }
}

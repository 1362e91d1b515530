import CCurl
import Loop

/// One mail on its way to a mail server.
public struct Mail: Sendable {
  /// `smtp://host:port` or `smtps://host:port`; the path is the name that we greet with.
  public var url: String
  /// Whether nothing is sent before STARTTLS has succeeded; `smtps` is encrypted anyway.
  public var requiresEncryption: Bool
  /// The login; nil for none.
  public var username: String?
  /// The password of the login.
  public var password: String?
  /// The sender's bare address.
  public var sender: String
  /// The recipients' bare addresses.
  public var recipients: [String]
  /// The message (RFC 5322), lines ended by CR LF.
  public var message: [UInt8]
  /// How the connection is made.
  public var connection: ConnectionOptions

  /// A mail from its parts.
  public init(
    url: String, requiresEncryption: Bool, username: String?, password: String?, sender: String,
    recipients: [String], message: [UInt8], connection: ConnectionOptions
  ) {
    self.url = url
    self.requiresEncryption = requiresEncryption
    self.username = username
    self.password = password
    self.sender = sender
    self.recipients = recipients
    self.message = message
    self.connection = connection
  }
}

/// Sends one mail on a thread of its own.
///
/// libcurl waits for the mail server's answer to QUIT inside its own function, which would hold up an event loop.
public final class MailThread: Sendable {
  private static let isLibraryReady = homeward_curl_prepare()

  private let prepare: @Sendable () throws(TransferFault) -> Mail
  private let completion: @LoopActor @Sendable (Result<Answer, TransferFault>) -> Void

  private init(
    prepare: @escaping @Sendable () throws(TransferFault) -> Mail,
    completion: @escaping @LoopActor @Sendable (Result<Answer, TransferFault>) -> Void
  ) {
    self.prepare = prepare
    self.completion = completion
  }

  /// Starts the thread.
  ///
  /// - Parameters:
  ///   - prepare: makes the mail, on the thread; may read files.
  ///   - completion: called once on the event loop, later.
  public static func start(
    prepare: @escaping @Sendable () throws(TransferFault) -> Mail,
    completion: @escaping @LoopActor @Sendable (Result<Answer, TransferFault>) -> Void
  ) {
    guard isLibraryReady else {
      return EventLoop.current.post { completion(.failure(Transfer.impossible)) }
    }
    let mail = MailThread(prepare: prepare, completion: completion)
    if !SystemThread.start(name: "homeward-mail", { mail.run() }) {
      EventLoop.current.post { completion(.failure(Transfer.impossible)) }
    }
  }

  private func run() {
    let outcome = result()
    let completion = completion
    EventLoop.current.post { completion(outcome) }
  }

  private func result() -> Result<Answer, TransferFault> {
    do throws(TransferFault) {
      let transfer = try Transfer.mail(try prepare())
      homeward_transfer_perform(transfer.handle)
      return transfer.outcome
    } catch { return .failure(error) }
  }
}

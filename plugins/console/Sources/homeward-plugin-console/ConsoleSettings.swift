import Bytes
import Care
import Certificates
import ConsoleRequests
import Glibc
import JSON
import PluginKit
import PluginProtocol
import WebServer

/// What the owner set of the pages.
struct ConsoleSettings: Hashable, Sendable {
  var listen: String
  var port: UInt16
  /// The names by which the pages are asked for.
  var names: Set<String>
  var certificateFile: String?
  var keyFile: String?
  /// The certificate of the home's own authority, for people to install.
  var authorityFile: String?
  /// The port without TLS that leads to the pages.
  var redirectPort: UInt16?
  /// The port on this machine alone, without TLS, for the screen that the gateway has itself.
  var screenPort: UInt16?
  /// The mail address at which the makers, or whoever set Homeward up, are told what should be better.
  var feedback: String?
  /// The addresses of reverse proxies, as the system writes them.
  var proxies: Set<String>
  private var isStrict: Bool

  /// Reads settings that were checked against the manifest.
  init(_ json: JSONValue) throws(RPCError) {
    do throws(DecodeError) {
      let reader = try JSONReader(json)
      listen = try reader.optionalString("listen") ?? "127.0.0.1"
      port = UInt16(try reader.optionalInteger("port") ?? 8474)
      names = Set(try reader.strings("names").map { $0.lowercased() })
      certificateFile = try reader.optionalString("certificateFile")
      keyFile = try reader.optionalString("keyFile")
      authorityFile = try reader.optionalString("authorityFile")
      redirectPort = try reader.optionalInteger("redirectPort").map { UInt16($0) }
      screenPort = try reader.optionalInteger("screenPort").map { UInt16($0) }
      feedback = try reader.optionalString("feedback")
      proxies = Set(try reader.strings("proxies").map(PeerAddress.normal))
      isStrict = try reader.optionalBool("strictTransport") ?? false
    } catch { throw .invalidParameters(error) }
    names.insert("localhost")
    guard (certificateFile == nil) == (keyFile == nil) else {
      throw Self.fault(gettext("certificateFile and keyFile belong together: set both or none"))
    }
    guard redirectPort == nil || isEncrypted else {
      throw Self.fault(gettext("redirectPort leads to TLS: set certificateFile and keyFile too"))
    }
    guard feedback.map({ EmailAddress($0) != nil }) ?? true else {
      throw Self.fault(
        gettext(
          "feedback is a mail address, such as “help@example.org”, and {text} is none",
          ["text": feedback ?? ""]))
    }
    guard isEncrypted || listen == "::1" || listen.hasPrefix("127.") else {
      throw Self.fault(
        gettext(
          "without a certificate passwords could be read on the way, so that listen can only be 127.0.0.1; set certificateFile and keyFile to be reached from other machines"
        ))
    }
  }

  /// The certificate of the home's authority, read from its file; nil where there is none.
  func authority() throws(RPCError) -> String? {
    guard let authorityFile else { return nil }
    let text = try Self.text(of: authorityFile)
    guard !text.contains("PRIVATE KEY") else {
      throw Self.fault(
        gettext(
          "authorityFile is handed out to everybody, and {path} has a private key in it",
          ["path": authorityFile]))
    }
    return text
  }

  /// Whether browsers talk to it by TLS.
  var isEncrypted: Bool { certificateFile != nil }

  /// What goes along with every answer, whatever it is.
  var headers: [WebAnswer.Header] { isEncrypted && isStrict ? [Headers.strictTransport] : [] }

  /// How the certificate was made; nil where it did not come from `homeward setup`.
  var certificateKind: CertificateKind? {
    certificateFile.flatMap { CertificateOrder.behind(identityFile: $0)?.kind }
  }

  /// Certificate and key, read from their files.
  func identity() throws(RPCError) -> HTTPServer.Identity? {
    guard let certificateFile, let keyFile else { return nil }
    return HTTPServer.Identity(
      certificate: try Self.text(of: certificateFile), key: try Self.text(of: keyFile))
  }

  private static func text(of path: String) throws(RPCError) -> String {
    guard let file = fopen(path, "re") else {
      throw fault(
        gettext(
          "{path} cannot be read: {reason}. The plugin needs the file among its readPaths",
          ["path": path, "reason": String(cString: strerror(errno))]))
    }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 18)
    let count = fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes.prefix(count), as: UTF8.self)
  }

  static func fault(_ words: String) -> RPCError {
    RPCError(code: RPCError.invalidParametersCode, message: words)
  }
}

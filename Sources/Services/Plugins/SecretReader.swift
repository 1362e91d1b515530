import Glibc
import PluginProtocol
import Texts

/// Why a secret could not be read.
struct SecretError: Error, Hashable, Sendable, CustomStringConvertible {
  var message: Message
  var description: String { message.description }
}

/// Reads secrets from files and systemd credentials.
enum SecretReader {
  static let maximumBytes = 64 << 10

  /// The secret's text without the newline at its end.
  static func read(_ reference: SecretReference) throws(SecretError) -> String {
    let path = try path(of: reference)
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      throw SecretError(
        message: Message(
          "{setting}: {path} cannot be read: {reason}",
          ["setting": reference.pathDescription, "path": path, "reason": reason(errno)]))
    }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: maximumBytes + 1)
    let count = Glibc.read(descriptor, &bytes, bytes.count)
    guard count >= 0, count <= maximumBytes else {
      throw SecretError(
        message: Message(
          "{setting}: {path} is no file of at most 64 KiB",
          ["setting": reference.pathDescription, "path": path]))
    }
    var text = bytes[..<count]
    while let last = text.last, last == 0x0A || last == 0x0D { text.removeLast() }
    guard !text.isEmpty, let secret = String(validating: text, as: UTF8.self) else {
      throw SecretError(
        message: Message(
          "{setting}: {path} is empty or no UTF-8 text",
          ["setting": reference.pathDescription, "path": path]))
    }
    return secret
  }

  private static func path(of reference: SecretReference) throws(SecretError) -> String {
    switch reference.source {
    case .file(let path): return path
    case .credential(let name):
      guard let directory = getenv("CREDENTIALS_DIRECTORY") else {
        throw SecretError(
          message:
            Message(
              "{setting}: credentials exist only under systemd with "
                + "LoadCredential={name}; use {example} otherwise",
              ["setting": reference.pathDescription, "name": name, "example": "{\"file\": …}"]))
      }
      return "\(String(cString: directory))/\(name)"
    }
  }

  private static func reason(_ number: Int32) -> Message {
    switch number {
    case ENOENT: Message("it does not exist")
    case EACCES, EPERM: Message("permission is missing")
    default: Message("error {number}", ["number": number])
    }
  }
}

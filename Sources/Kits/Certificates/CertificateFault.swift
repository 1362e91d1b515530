import Glibc
public import Texts

/// Why there is no certificate, and what to do.
public struct CertificateFault: Error, Hashable, Sendable {
  /// What is wrong, without a full stop where it ends in somebody else's words.
  public var reason: Message
  /// What to do next.
  public var advice: Message?

  /// A fault from its parts.
  public init(_ reason: Message, advice: Message? = nil) {
    self.reason = reason
    self.advice = advice
  }

  static func file(_ path: String, _ code: Int32) -> CertificateFault {
    CertificateFault(
      Message("{path}: {reason}", ["path": path, "reason": String(cString: strerror(code))]),
      advice: Message("Certificates are root's: run it with sudo."))
  }

  static func missing(_ program: String, package: String) -> CertificateFault {
    CertificateFault(
      Message("the program {program} is not installed", ["program": program]),
      advice: Message("Try: sudo apt install {package}", ["package": package]))
  }
}

public import Moments

/// What stands in a certificate.
public struct CertificateFacts: Hashable, Sendable {
  /// When it begins to count.
  public var begins: Timestamp
  /// When it counts no longer.
  public var ends: Timestamp
  /// Who vouches, as the certificate names them.
  public var issuer: String
  /// Names that it is for.
  public var names: [String] = []
  /// Addresses that it is for, as ``HomeNetwork`` writes them.
  public var addresses: [String] = []
  /// Of an authority: the only names that it can vouch for, with what lies below them.
  public var permittedNames: [String] = []
  /// The SHA-256 of the certificate, in hexadecimal; people compare it.
  public var fingerprint: String

  /// Reads what `certtool --certificate-info` prints in the locale C about the first certificate of a file; nil where
  /// that is something else.
  public init?(printed text: String) {
    let lines = text.split(separator: "\n").map(Self.trimmed)
    func value(_ label: String) -> String? {
      lines.first { $0.hasPrefix(label) }.map { Self.trimmed($0.dropFirst(label.count)) }
    }
    guard let begins = value("Not Before:").flatMap(Self.time),
      let ends = value("Not After:").flatMap(Self.time), let issuer = value("Issuer:"),
      let fingerprint = value("sha256:")
    else { return nil }
    (self.begins, self.ends, self.issuer, self.fingerprint) = (begins, ends, issuer, fingerprint)
    var isConstraint = false
    for line in lines {
      if line.hasPrefix("Signature Algorithm:") { break }
      if line.hasSuffix("critical):") { isConstraint = line.hasPrefix("Name Constraints") }
      if line.hasPrefix("DNSname: ") {
        let name = Self.trimmed(line.dropFirst("DNSname: ".count))
        if isConstraint { permittedNames.append(name) } else { names.append(name) }
      }
      if line.hasPrefix("IPAddress: "), !isConstraint {
        addresses.append(Self.trimmed(line.dropFirst("IPAddress: ".count)))
      }
    }
  }

  /// Whether it has to be renewed: a third of its time is left at most, or it does not count yet.
  ///
  /// A third is a month of the shortest that is in use; whoever renews tries every day until then.
  public func isDue(at now: Timestamp) -> Bool {
    let whole = ends.milliseconds(since: begins)
    return now < begins || ends.milliseconds(since: now) < whole / 3
  }

  /// Whether an authority can vouch for a name.
  public func permits(_ name: String) -> Bool {
    permittedNames.contains { name == $0 || name.hasSuffix("." + $0) }
  }

  private static func trimmed(_ text: Substring) -> String {
    var rest = text
    while rest.first?.isWhitespace ?? false { rest.removeFirst() }
    while rest.last?.isWhitespace ?? false { rest.removeLast() }
    return String(rest)
  }

  /// `Thu Nov 26 00:00:00 UTC 2026`.
  private static func time(_ text: String) -> Timestamp? {
    let words = text.split(separator: " ")
    let months = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(separator: " ")
    guard words.count == 6, words[4] == "UTC", let month = months.firstIndex(of: words[1]),
      let day = Int(words[2]), let year = Int(words[5])
    else { return nil }
    let clock = words[3].split(separator: ":").compactMap { Int($0) }
    guard clock.count == 3, (1...31).contains(day), (1970...9999).contains(year) else { return nil }
    return CivilDateTime(
      year: year, month: month + 1, day: day, hour: clock[0], minute: clock[1], second: clock[2]
    ).asUTC
  }
}

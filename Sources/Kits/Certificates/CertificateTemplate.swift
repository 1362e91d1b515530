import Moments

/// What `certtool` is told about a certificate.
///
/// - Source: certtool(1), "Template file".
enum CertificateTemplate {
  /// An authority lives ten years: whoever installed it on a telephone is not asked again soon.
  static let authorityDays: Int64 = 3650
  /// Half a year; browsers refuse more than 397 days.
  static let leafDays: Int64 = 180
  /// Certificates count from a day before, for devices whose clock is behind.
  private static let earlyMilliseconds: Int64 = 86_400_000

  /// Addresses that nobody has on the internet: what a home's authority can vouch for beside the home's names.
  static let homeRanges = [
    "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "100.64.0.0/10",
    "127.0.0.0/8", "fc00::/7", "fe80::/10", "::1/128",
  ]

  /// An authority that can vouch for nothing but these names, what lies below them, and addresses of a home.
  static func authority(for names: [String], now: Timestamp) -> String {
    let day = CivilDateTime(utc: now).iso8601Date
    let lines =
      ["cn = \"Homeward (\(names.first?.prefix(40) ?? "")) \(day)\""]
      + validity(authorityDays, now) + ["ca", "path_len = 0", "cert_signing_key"]
      + names.map { "nc_permit_dns = \"\($0)\"" }
      + homeRanges.map { "nc_permit_ip = \"\($0)\"" }
    return lines.map { $0 + "\n" }.joined()
  }

  /// The certificate of the pages.
  static func leaf(names: [String], addresses: [String], now: Timestamp) -> String {
    let lines =
      ["cn = \"\(names.first?.prefix(64) ?? "Homeward")\""] + validity(leafDays, now)
      + names.map { "dns_name = \"\($0)\"" } + addresses.map { "ip_address = \"\($0)\"" }
      + ["tls_www_server", "signing_key"]
    return lines.map { $0 + "\n" }.joined()
  }

  private static func validity(_ days: Int64, _ now: Timestamp) -> [String] {
    let begins = now.advanced(byMilliseconds: -earlyMilliseconds)
    let ends = begins.advanced(byMilliseconds: days * 86_400_000)
    return [("activation", begins), ("expiration", ends)].map { name, moment in
      let civil = CivilDateTime(utc: moment)
      return "\(name)_date = \"\(civil.iso8601Date) \(civil.iso8601Time) UTC\""
    }
  }
}

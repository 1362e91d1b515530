public import Bytes
public import Care
public import JSON
public import Moments
import Texts

/// Where a browser gets messages while no page is open: an address at its maker's push service, and its keys.
///
/// Whoever has them can make that browser show something. They belong to a session and go with it.
///
/// - Source: W3C Push API, RFC 8030 (the address), RFC 8291 (the keys).
public struct PushSubscription: Hashable, Sendable {
  /// Where messages go, by `https`; at most 1,000 characters.
  public var endpoint: String
  /// The browser's public key: a point of P-256, uncompressed, 65 bytes in Base64 for addresses.
  public var p256dh: String
  /// What both know beside it: 16 bytes in Base64 for addresses.
  public var auth: String
  /// Whether it is told of comings and goings as well, and not of alarms alone.
  public var wantsPlaces: Bool

  /// What of it whoever is logged in sees; its keys are nobody's business.
  var told: JSONValue { ["wantsPlaces": .bool(wantsPlaces)] }
}

extension PushSubscription: JSONCodable {
  /// Reads a subscription as browsers write it, `{endpoint, keys: {p256dh, auth}}`, with `wantsPlaces`; their other
  /// members are overlooked.
  public init(json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    endpoint = try reader.string("endpoint")
    let keys = try JSONReader(reader.required("keys"))
    p256dh = try keys.string("p256dh")
    auth = try keys.string("auth")
    wantsPlaces = try reader.optionalBool("wantsPlaces") ?? false
    guard endpoint.utf8.count <= 1000, endpoint.hasPrefix("https://"),
      endpoint.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    else { throw reader.error(.outOfRange, "endpoint") }
    guard let point = Self.bytes(p256dh), point.count == 65, point[0] == 4 else {
      throw keys.error(.outOfRange, "p256dh")
    }
    guard Self.bytes(auth)?.count == 16 else { throw keys.error(.outOfRange, "auth") }
  }

  /// What stands in Base64 for addresses, with or without its `=`.
  private static func bytes(_ text: String) -> [UInt8]? {
    guard text.utf8.count <= 100 else { return nil }
    let plain = text.replacing("-", with: "+").replacing("_", with: "/").filter { $0 != "=" }
    return Base64.decode(plain + String(repeating: "=", count: (4 - plain.count % 4) % 4))
  }

  /// The subscription as it is read.
  public var json: JSONValue {
    [
      "endpoint": .string(endpoint),
      "keys": ["p256dh": .string(p256dh), "auth": .string(auth)],
      "wantsPlaces": .bool(wantsPlaces),
    ]
  }
}

/// Which browsers are told while no page is open.
extension AccountEngine {
  /// The browsers that are told while no page is open, of those who care for somebody.
  ///
  /// - Parameters:
  ///   - resident: for whom they care; nil for anybody.
  ///   - session: the one that is asked for; nil for all.
  /// - Returns: `[{account, session, language?, push}]`, by session.
  public func pushes(
    for resident: ResidentID?, session: String?, at now: Moment
  ) -> [JSONValue] {
    sessions.told(session, at: now).compactMap { session, push -> JSONValue? in
      guard let account = accounts[session.account], account.role == .caregiver,
        resident.map(account.residents.contains) ?? true
      else { return nil }
      return .object([
        "account": .string(account.id.rawValue), "session": .string(session.id),
        "language": account.profile.language.map { .string($0) }, "push": push.json,
      ])
    }
  }
}

import JSON
import Moments

/// Everything that survives a restart of the plugin.
struct ModemState: Hashable, Sendable {
  var outbox = Outbox()
  var ledger = ReportLedger()
  var told = ToldNumbers()
  /// Fingerprint of the PIN that was tried without success; nil when none was.
  var spentPIN: String?

  /// Nothing happened yet.
  init() {}

  /// Reads what ``json(busy:)`` wrote; what cannot be read is left out.
  init(json: JSONValue, now: Timestamp, tick: Tick) {
    outbox = Outbox(json: json["outbox"] ?? .null, now: now, tick: tick)
    ledger = ReportLedger(json: json["sent"] ?? .null)
    told = ToldNumbers(json: json["told"] ?? .null, now: now)
    spentPIN = json["spentPIN"]?.stringContent
  }

  /// The newest time that something was noted under.
  var newestTime: Timestamp? { [told.newestTime, ledger.newestTime].compactMap { $0 }.max() }

  /// The content of the state file; `busy` is being sent now.
  func json(busy: [Outbox.Entry]) -> JSONValue {
    .object([
      "outbox": outbox.json(busy: busy), "sent": ledger.json, "told": told.json,
      "spentPIN": spentPIN.map { .string($0) },
    ])
  }

  /// A word for a text that does not show it: FNV-1a.
  static func fingerprint(_ text: String) -> String {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return String(hash, radix: 16)
  }
}

import Care
import JSON
import PluginProtocol

/// Which messages were taken, so that one that is asked for twice is sent once, also by the plugin's next run.
struct SentLedger: Hashable, Sendable {
  /// What makes two messages the same.
  struct Key: Hashable, Sendable {
    fileprivate let parts: [String]

    fileprivate init(parts: [String]) { self.parts = parts }

    /// The key of a message.
    init(_ message: AlarmMessage) {
      parts = [
        message.alarm.rawValue, message.guardian.rawValue, message.channel.rawValue,
        message.notice.rawValue, String(message.attempt),
      ]
    }
  }

  /// The most messages that are remembered.
  static let maximum = 200

  private var outcomes: [Key: DeliveryNotice?] = [:]
  private var order: [Key] = []

  /// An empty ledger.
  init() {}

  /// Notes that a message was taken; false when it had been before.
  mutating func take(_ key: Key) -> Bool {
    guard outcomes[key] == nil else { return false }
    outcomes[key] = .some(nil)
    order.append(key)
    if order.count > Self.maximum { outcomes[order.removeFirst()] = nil }
    return true
  }

  /// Notes what became of a message.
  mutating func settle(_ key: Key, _ notice: DeliveryNotice) {
    if outcomes[key] != nil { outcomes[key] = .some(notice) }
  }

  /// What became of a message; nil while it is not known.
  func outcome(of key: Key) -> DeliveryNotice? { outcomes[key] ?? nil }
}

extension SentLedger {
  /// The messages that were sent, as they are kept; what was on its way is sent again by the next run.
  var json: JSONValue {
    .array(
      order.compactMap { key in
        guard let notice = outcome(of: key), notice.outcome == .sent else { return nil }
        return ["key": .array(key.parts.map { .string($0) }), "notice": notice.json]
      })
  }

  /// A ledger from what was kept; parts that do not fit are left out.
  init(json: JSONValue) {
    for entry in (json.arrayContent ?? []).suffix(Self.maximum) {
      guard let parts = entry["key"]?.arrayContent?.compactMap(\.stringContent),
        let notice = entry["notice"].flatMap({ try? DeliveryNotice(json: $0) })
      else { continue }
      let key = Key(parts: parts)
      if take(key) { settle(key, notice) }
    }
  }
}

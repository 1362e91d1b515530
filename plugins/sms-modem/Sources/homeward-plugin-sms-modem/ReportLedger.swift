import Care
import JSON
import Moments
import PluginKit
import PluginProtocol
import ShortMessage

/// Which sent messages wait for a report of delivery, and what the reports say.
struct ReportLedger: Hashable, Sendable {
  /// The most messages that wait; the oldest is forgotten.
  static let capacity = 200
  /// How long a report is waited for.
  static let patienceMilliseconds: Int64 = 3 * 86_400_000

  private struct Sent: Hashable {
    var dispatch: Dispatch
    var total: Int
    var sentAt: Timestamp
    var open: [UInt8] = []
    var deliveredParts = 0
  }

  private var sent: [Sent] = []

  /// When the newest message was noted.
  var newestTime: Timestamp? { sent.map(\.sentAt).max() }

  /// How many messages wait for a report.
  var openCount: Int { sent.count }

  /// Notes that a part was taken by the network under a reference.
  mutating func note(
    _ reference: UInt8, of dispatch: Dispatch, total: Int, at now: Timestamp
  ) {
    if let index = sent.lastIndex(where: { $0.dispatch == dispatch }) {
      sent[index].open.append(reference)
    } else {
      sent.append(Sent(dispatch: dispatch, total: total, sentAt: now, open: [reference]))
    }
    sent.removeAll { now.milliseconds(since: $0.sentAt) > Self.patienceMilliseconds }
    if sent.count > Self.capacity { sent.removeFirst(sent.count - Self.capacity) }
  }

  /// Takes a report; gives the notice that it completes.
  mutating func take(
    reference: UInt8, recipient: PhoneAddress, outcome: StatusReportFrame.Outcome
  ) -> DeliveryNotice? {
    let index = sent.lastIndex {
      $0.open.contains(reference) && Self.isSame(recipient, $0.dispatch.number)
    }
    guard let index, outcome != .pending else { return nil }
    let dispatch = sent[index].dispatch
    if outcome == .failed {
      sent.remove(at: index)
      return dispatch.notice(
        .failed, gettext("the network could not deliver the message to the phone"))
    }
    sent[index].open.removeAll { $0 == reference }
    sent[index].deliveredParts += 1
    guard sent[index].deliveredParts >= sent[index].total else { return nil }
    sent.remove(at: index)
    return dispatch.notice(.delivered)
  }

  private static func isSame(_ address: PhoneAddress, _ number: String) -> Bool {
    address.isHolder(of: number) || address.description == number
  }
}

extension ReportLedger {
  /// Reads what ``json`` wrote; what cannot be read is left out.
  init(json: JSONValue) {
    for element in (json.arrayContent ?? []).suffix(Self.capacity) {
      guard let dispatch = try? Dispatch(json: element["dispatch"] ?? .null),
        let reader = try? JSONReader(element), let total = try? reader.integer("total"),
        let time = try? reader.integer("sentAt"), let open = try? reader.array("open"),
        let delivered = try? reader.integer("delivered")
      else { continue }
      sent.append(
        Sent(
          dispatch: dispatch, total: Int(clamping: total), sentAt: Timestamp(milliseconds: time),
          open: open.compactMap { $0.integerContent.flatMap { UInt8(exactly: $0) } },
          deliveredParts: Int(clamping: delivered)))
    }
  }

  /// What survives a restart.
  var json: JSONValue {
    .array(
      sent.map {
        [
          "dispatch": $0.dispatch.json, "total": .integer(Int64($0.total)),
          "sentAt": .integer($0.sentAt.milliseconds),
          "open": .array($0.open.map { .integer(Int64($0)) }),
          "delivered": .integer(Int64($0.deliveredParts)),
        ]
      })
  }
}

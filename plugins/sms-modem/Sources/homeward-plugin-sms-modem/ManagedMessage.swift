import DBus
import Moments
import ShortMessage

/// A message as ModemManager keeps it.
///
/// - Source: ModemManager 1.20, interface `Sms`, enumerations `MMSmsState`, `MMSmsPduType`, `MMSmsDeliveryState`.
struct ManagedMessage: Hashable, Sendable {
  enum Content: Hashable {
    case text(ReceivedText)
    case report(reference: UInt8, recipient: PhoneAddress, outcome: StatusReportFrame.Outcome)
    /// One that goes out, or went.
    case outgoing
    /// Parts are missing.
    case incomplete
    case unreadable
  }

  var content: Content
  /// Whether the network has it, of one that goes out.
  var isSent: Bool
  var isSending: Bool
  /// The reference of its last part that went out.
  var reference: UInt8?
  /// What a report said of it, where the modem's driver notes it at the message itself.
  var outcome: StatusReportFrame.Outcome?

  static let interface = "org.freedesktop.ModemManager1.Sms"

  /// Reads the properties.
  init(properties: BusValue) {
    let state = properties["State"]?.integer ?? 0
    let status = properties["DeliveryState"]?.integer
    let number = properties["Number"]?.text ?? ""
    let address = PhoneAddress(number: number) ?? PhoneAddress(kind: .name, text: number)
    (isSent, isSending) = (state == 5, state == 4)
    reference = properties["MessageReference"]?.integer.flatMap { UInt8(exactly: $0) }
    outcome = Self.outcome(status)
    switch (properties["PduType"]?.integer ?? 0, state) {
    case (3, _):
      content =
        reference.map {
          .report(reference: $0, recipient: address, outcome: Self.outcome(status) ?? .pending)
        } ?? .unreadable
    case (1, 2), (32, 2): content = .incomplete
    case (1, 3), (32, 3):
      content = .text(
        ReceivedText(
          sender: address, sentAt: properties["Timestamp"]?.text.flatMap(Self.moment),
          text: properties["Text"]?.text ?? "", places: []))
    default: content = .outgoing
    }
  }

  /// What a delivery state means: the status octet of a report, or 256 while there is none.
  static func outcome(_ state: Int64?) -> StatusReportFrame.Outcome? {
    state.flatMap { UInt8(exactly: $0) }.map { StatusReportFrame.outcome(of: $0) }
  }

  /// Reads a time such as `2026-11-20T14:32:05+01`: ModemManager leaves out what of the zone is zero.
  static func moment(_ text: String) -> Timestamp? {
    let zone = text.utf8.suffix(3)
    let isShort = zone.first == UInt8(ascii: "+") || zone.first == UInt8(ascii: "-")
    return try? Timestamp(iso8601: isShort ? "\(text):00" : text)
  }
}

import Bytes
import Care
import Core
import Door
import Loop
import Texts

/// Links in messages to guardians, by which one without an account sees an alarm until it is over.
///
/// A link's token is a keyed hash of the alarm and the guardian. So nothing has to be stored before a message goes out, the
/// link is the same after a restart, and whether it still opens anything is whether the alarm is open.
public struct GuardianLinks: Sendable {
  /// Where browsers find the pages, such as `https://home.example.org:8474`.
  let pages: String
  private let mark: @LoopActor @Sendable (String) -> [UInt8]

  /// Links to some pages.
  ///
  /// - Parameter mark: the keyed hash of a text, at least 16 bytes, which nobody makes without the key.
  public init(to pages: String, mark: @escaping @LoopActor @Sendable (String) -> [UInt8]) {
    self.pages = pages.hasSuffix("/") ? String(pages.dropLast()) : pages
    self.mark = mark
  }

  /// What stands behind the address: 32 hexadecimal digits.
  @LoopActor func token(_ alarm: AlarmID, _ guardian: GuardianID) -> String {
    Hexadecimal.text(Array(mark("\(alarm)/\(guardian)").prefix(16)))
  }

  /// The whole link.
  @LoopActor func link(_ alarm: AlarmID, _ guardian: GuardianID) -> String {
    "\(pages)/g/\(token(alarm, guardian))"
  }
}

/// Tells guardians of alarms, and who of them comes by a link in what they were told.
@LoopActor
struct LinkedAlarms {
  let view: CoreView
  /// Nil where nobody reaches the pages from outside.
  let links: GuardianLinks?
  let outward: OutwardCalls

  var handlings: [Handling] { [Handling(.alarmLinked, get)] }

  /// Answers with the alarm that a link opens, for whom the link is.
  private func get(_ asked: Asked, _ answer: @escaping Answer) {
    guard case .guardian = asked.asking.kind, let alarm = asked.asking.session,
      let guardian = guardian(asked.asking.principal.person),
      let seen = view.core.alarms.alarm(AlarmID(alarm), toldTo: guardian, in: asked.asking.language)
    else {
      return answer(
        .failure(
          CommandReply.Refusal(.unknownTarget, Message("This comes with the link in a message."))
        ))
    }
    answer(.success(seen))
  }

  private func guardian(_ id: String?) -> Guardian? {
    view.core.household.guardians(of: nil).first { $0.id.rawValue == id }
  }

  /// Who speaks by the token of a link; nil where the alarm is over, or there is no such link.
  func holder(by token: String) -> SessionHolder? {
    guard let links else { return nil }
    // Compared by their hashes, so that time tells nothing about how much of it was right.
    let wanted = SHA256.hash(Array(token.utf8))
    let core = view.core
    for guardian in core.household.guardians(of: nil) {
      for alarm in core.alarms.openAlarms(toldTo: guardian)
      where SHA256.hash(Array(links.token(alarm, guardian.id).utf8)) == wanted {
        return SessionHolder(guardian, told: alarm)
      }
    }
    return nil
  }

  /// Tells a guardian, with the link to the alarm where the pages can be reached.
  ///
  /// An e-mail or a push message has room for it. A text message stays as short as it is, for it has to arrive whole; the
  /// link follows in one of its own.
  func tell(_ message: AlarmMessage) {
    guard let links, message.notice == .alarm || message.notice == .duress,
      let guardian = guardian(message.guardian.rawValue),
      view.core.alarms.openAlarms(toldTo: guardian).contains(message.alarm)
    else { return outward.notify(message) }
    let link = links.link(message.alarm, message.guardian)
    let language = Language(tag: message.language) ?? .en
    switch message.channel {
    case .email, .push:
      var message = message
      message.text +=
        "\n\n"
        + gettext("Live, and to say that you are coming: {link}", ["link": link], in: language)
      outward.notify(message)
    case .sms:
      outward.notify(message)
      guard message.attempt == 1 else { return }
      let name = view.core.household.residents.first { $0.id == guardian.resident }?.name ?? ""
      outward.bring(
        following(
          message,
          gettext(
            "{name} live, until the alarm is over: {link}", ["name": name, "link": link],
            in: language))
      ) { _ in }
    case .voice: outward.notify(message)
    }
  }

  /// What follows a message, about which nobody has to hear whether it arrived.
  private func following(_ message: AlarmMessage, _ text: String) -> AlarmMessage {
    AlarmMessage(
      alarm: AlarmID("link-\(message.alarm)"), tag: message.tag, notice: .news,
      guardian: message.guardian, channel: message.channel, address: message.address, attempt: 1,
      text: text, spokenText: text, language: message.language, asksForAcknowledgement: false)
  }
}

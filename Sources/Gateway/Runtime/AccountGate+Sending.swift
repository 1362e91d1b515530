import Care
import JSON
import Loop
import Texts

/// How a code reaches somebody who forgot their password.
extension AccountGate {
  /// Has a code sent every way there is; the answer says how, and never to which address it went: whoever asks has shown
  /// nothing yet.
  func send(_ code: String, _ result: JSONValue, _ reply: @escaping Reply) {
    let messages = messages(with: code, result)
    var (open, sent): (Int, [JSONValue]) = (messages.count, [])
    func finish() {
      guard sent.isEmpty else { return reply(.done(["sent": .array(sent)])) }
      refuse(
        .notNow,
        Message(
          "No code could be sent. Answer the secret questions, or ask whoever keeps this gateway for a new password."
        ), reply)
    }
    guard !messages.isEmpty else { return finish() }
    for message in messages {
      notify(message) { isTaken in
        open -= 1
        if isTaken {
          sent.append([
            "channel": .string(message.channel.rawValue),
            "to": .string(Self.hint(message.address, message.channel)),
          ])
        }
        if open == 0 { finish() }
      }
    }
  }

  /// A message for each way that the engine named.
  private func messages(with code: String, _ result: JSONValue) -> [AlarmMessage] {
    let language = result["language"]?.stringContent.flatMap { Language(tag: $0) } ?? .en
    let text = Message(
      "Homeward: with {code} {name} sets a new password within ten minutes. Tell it to nobody else.",
      ["code": "\(code.prefix(4)) \(code.suffix(4))", "name": result["name"]?.stringContent ?? ""]
    ).text(in: language)
    let account = result["account"]?.stringContent ?? ""
    return (result["ways"]?.arrayContent ?? []).compactMap { way in
      guard let channel = way["channel"]?.stringContent.flatMap(Guardian.Channel.init),
        let address = way["address"]?.stringContent
      else { return nil }
      return AlarmMessage(
        alarm: AlarmID("code-\(account)"), tag: "", notice: .news, guardian: "account",
        channel: channel, address: address, attempt: 1, text: text, spokenText: text,
        language: language.rawValue, asksForAcknowledgement: false)
    }
  }

  /// Enough of an address for whoever knows it: `a…@example.org`, `…67`.
  static func hint(_ address: String, _ channel: Guardian.Channel) -> String {
    guard channel == .email, let at = address.lastIndex(of: "@") else {
      return "…\(address.suffix(2))"
    }
    return "\(address.prefix(1))…\(address[at...])"
  }
}

import CareModel
import Texts

/// Whether anything can be heard in the room, so that nobody is told that something was said when nothing was.
extension GatewayCore {
  private static let soundComponent: ComponentID = "sound"

  /// Remembers how the loudspeaker does.
  mutating func noteSound(_ report: HealthReport) {
    if report.component == Self.soundComponent { soundReport = report }
  }

  /// Why nothing can be heard now; nil when it can, or nobody has said otherwise.
  var silence: Message? {
    guard let soundReport, [.failed, .unused].contains(soundReport.state) else { return nil }
    return soundReport.detail
  }

  /// - Throws: that nothing can be heard, and why.
  func requireSound() throws(CommandReply.Refusal) {
    guard let silence else { return }
    throw CommandReply.Refusal(
      .conflict, Message("Nothing can be heard in the room. {reason}", ["reason": silence]))
  }

  /// Says of a reminder that it was not heard, where nothing can be.
  func heard(_ draft: EventDraft) -> EventDraft {
    guard draft.type == .reminderPrompted, silence != nil,
      draft.facts["isSilent"]?.boolContent != true
    else { return draft }
    var draft = draft
    let words = Message(
      "{title} is due, but nothing can be heard in the room: remind {name} yourself.",
      [
        "title": draft.facts["title"]?.stringContent ?? "",
        "name": draft.facts["residentName"]?.stringContent ?? "",
      ])
    let language = draft.resident.map { Language(self.language(of: $0)) }
    draft.facts = draft.facts.setting("isSilent", to: true).setting(
      "explanation", to: .string(words.text(in: language ?? configuration.language)))
    return draft
  }
}

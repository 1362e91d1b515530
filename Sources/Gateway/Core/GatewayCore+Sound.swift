import Care
import JSON
import Texts

/// Whether anything can be heard in the room, so that nobody is told that something was said when nothing was.
extension GatewayCore {
  private static let soundComponent: ComponentID = "sound"
  private static let speechComponent: ComponentID = "speech"

  /// Remembers how the loudspeaker and the voice do.
  mutating func noteSound(_ report: HealthReport) {
    if report.component == Self.soundComponent { soundReport = report }
    if report.component == Self.speechComponent { speechReport = report }
  }

  /// Why no new words can be spoken now, though tones are heard; nil when they can, or nobody has said otherwise.
  private var speechlessness: Message? {
    guard let ways else { return nil }
    guard let voice = ways.voice else {
      return Message("No plugin speaks. Enable the plugin speech.")
    }
    let isFailed = currentFaults.contains {
      $0.component.rawValue == "plugin/\(voice.plugin)" && $0.state == .failed
    }
    if !voice.isRunning || isFailed {
      return Message(
        "The plugin {plugin} does not work. See: homeward plugins", ["plugin": voice.plugin])
    }
    return speechReport?.state == .degraded ? speechReport?.detail : nil
  }

  /// What whoever asked for words in the room may expect to be heard.
  var spokenReply: JSONValue {
    guard let speechlessness else { return ["isSpoken": true] }
    let words = Message(
      "Only a tone is heard, unless these very words were spoken before. {reason}",
      ["reason": speechlessness])
    return [
      "isSpoken": false, "explanation": .string(words.text(in: configuration.language)),
    ]
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
    let language = draft.resident.map { self.language(of: $0) }
    draft.facts = draft.facts.setting("isSilent", to: true).setting(
      "explanation", to: .string(words.text(in: language ?? configuration.language)))
    return draft
  }
}

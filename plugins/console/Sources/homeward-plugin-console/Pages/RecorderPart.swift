import Care
import JSON
import Texts

/// Recorded messages on pages: what records them, and what plays them.
enum RecorderPart {
  static let scripts = ["record.js"]

  /// What is recorded is sent with these members, and the page goes where `then` leads.
  ///
  /// A script shows it; where there is none, or nothing can be recorded, a sentence stays in its place.
  static func recorder(
    of resident: JSONValue, _ members: JSONValue, then: String? = nil, _ visit: Visit, keys: HTML
  ) -> HTML {
    let words: JSONValue = [
      "asking": .string(visit.gettext("One moment.")),
      "recording": .string(visit.gettext("Recording…")),
      "recorded": .string(visit.gettext("Recorded:")),
      "sending": .string(visit.gettext("It is on its way.")),
      "short": .string(visit.gettext("That was too short. Please try again.")),
      "silent": .string(visit.gettext("I heard nothing. Is the microphone on?")),
      "failed": .string(visit.gettext("That did not work. Please try again.")),
      "unheard": .string(visit.gettext("This cannot be played, or not any more.")),
      "none": .string(visit.gettext("There is no microphone here.")),
      "refused": .string(visit.gettext("This browser does not let me hear you.")),
      "insecure": .string(
        visit.gettext("Your voice can be recorded where the address begins with https.")),
    ]
    return """
      <div class="recorder" data-records="\(resident["id"]?.stringContent ?? "")" data-members="\(members.serialized)"\(HTML.attribute("data-then", then)) data-words="\(words.serialized)" hidden>
      <p class="great"><span role="status"></span> <span data-time></span></p>
      <div class="loudness" aria-hidden="true" hidden><span></span></div>
      \(keys)
      </div>
      <p id="unrecorded">\(visit.gettext("Your voice cannot be recorded here."))</p>
      """
  }

  /// What is read of a message.
  static func words(_ message: JSONValue, _ visit: Visit) -> String {
    ChatMessage.words(
      message["text"]?.stringContent ?? "",
      recordedSeconds: message["recordingSeconds"]?.integerContent
    ).text(in: visit.visitor.language)
  }

  /// The browser's own player of what somebody said; nothing where nothing was recorded.
  static func player(_ message: JSONValue, _ visit: Visit) -> HTML {
    guard let id = message["recording"]?.stringContent else { return .nothing }
    return """
      <audio controls preload="none" src="/recording/\(id)" aria-label="\(words(message, visit))"></audio>
      """
  }

  /// A large key that plays it; nil where nothing was recorded.
  static func key(_ message: JSONValue, _ visit: Visit, kind: String = "") -> HTML {
    guard let id = message["recording"]?.stringContent else { return .nothing }
    return ResidentPart.deed(Icon.ear, visit.gettext("Listen"), "data-plays", id, kind: kind)
  }
}

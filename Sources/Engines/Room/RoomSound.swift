import Care
import Texts

/// Whether anything can be heard in the room, so that nobody is told that something was said when nothing was.
struct RoomSound: Hashable, Sendable {
  private static let soundComponent: ComponentID = "sound"
  private static let speechComponent: ComponentID = "speech"

  /// How the loudspeaker does; nil as long as nobody has said.
  private var loudspeaker: HealthReport?
  /// How the sentences do; nil as long as nobody has said.
  private var speech: HealthReport?
  /// What plugins offer; nil as long as nobody has said.
  var ways: WaysReport?

  /// Remembers how the loudspeaker and the voice do; false for a report of something else.
  mutating func takeReport(_ report: HealthReport) -> Bool {
    switch report.component {
    case Self.soundComponent: loudspeaker = report
    case Self.speechComponent: speech = report
    default: return false
    }
    return true
  }

  /// Why nothing can be heard now; nil when it can, or nobody has said otherwise.
  var silence: Message? {
    guard let loudspeaker, [.failed, .unused].contains(loudspeaker.state) else { return nil }
    return loudspeaker.detail
  }

  /// - Throws: that nothing can be heard, and why.
  func requireSound() throws(CommandReply.Refusal) {
    guard let silence else { return }
    throw CommandReply.Refusal(
      .conflict, Message("Nothing can be heard in the room. {reason}", ["reason": silence]))
  }

  /// Why no new words can be spoken now, though tones are heard; nil when they can, or nobody has said otherwise.
  func speechlessness(faults: [HealthReport]) -> Message? {
    guard let ways else { return nil }
    guard let voice = ways.voice else {
      return Message("No plugin speaks. Enable the plugin speech.")
    }
    let isFailed = faults.contains {
      $0.component.rawValue == "plugin/\(voice.plugin)" && $0.state == .failed
    }
    if !voice.isRunning || isFailed {
      return Message(
        "The plugin {plugin} does not work. See: homeward plugins", ["plugin": voice.plugin])
    }
    return speech?.state == .degraded ? speech?.detail : nil
  }
}

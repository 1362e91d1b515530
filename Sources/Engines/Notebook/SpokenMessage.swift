import Care
import Texts

/// What is heard of a message: who it is from, what it says, and the one thing to do.
struct SpokenMessage: Hashable, Sendable {
  /// The longest text that is spoken in one piece, in characters.
  static let pieceAtMost = 500

  let message: ChatMessage
  let language: Language
  /// Whether the recording that it carries is there to be played.
  var isKept = false

  private func sentence(_ text: Message) -> Sentence {
    Sentence(text.text(in: language), language: language.rawValue)
  }

  /// A chime, the message, what was recorded, and how to say that it was heard.
  var parts: [SoundPart] {
    let words = sentence(said)
    let pieces = Self.pieces(of: words.text).map {
      SoundPart.speech(Sentence($0, language: words.language))
    }
    return [.pattern("chime")] + pieces + played + [.pause(milliseconds: 500), .speech(heard)]
  }

  private var said: Message {
    guard message.text.isEmpty, message.recording != nil else {
      return Message(
        "Message from {sender}: {text}", ["sender": message.sender, "text": message.text])
    }
    return isKept
      ? Message("{sender} recorded a message for you.", ["sender": message.sender])
      : Message(
        "{sender} recorded a message for you. It is not kept any more.",
        ["sender": message.sender])
  }

  /// The voice itself.
  private var played: [SoundPart] {
    guard isKept, let recording = message.recording else { return [] }
    return [.pause(milliseconds: 500), .recording(recording.id)]
  }

  private var heard: Sentence {
    sentence(Message("Press the button if you heard this."))
  }

  /// The text in pieces of at most ``pieceAtMost`` characters, cut after a sentence where there is one, or a word.
  static func pieces(of text: String) -> [String] {
    var pieces: [String] = []
    var piece: [Character] = []
    var size = 0
    var lastEnd = 0
    var lastGap = 0
    for character in text {
      let length = character.unicodeScalars.count
      if size + length > pieceAtMost, !piece.isEmpty {
        let cut = lastEnd > 0 ? lastEnd : lastGap > 0 ? lastGap : piece.count
        pieces.append(String(piece[..<cut]))
        piece.removeFirst(cut)
        size = piece.reduce(0) { $0 + $1.unicodeScalars.count }
        (lastEnd, lastGap) = (0, 0)
      }
      piece.append(character)
      size += length
      if ends.contains(character) { lastEnd = piece.count }
      if character.isWhitespace || gaps.contains(character) { lastGap = piece.count }
    }
    pieces.append(String(piece))
    return pieces.filter { $0.contains { !$0.isWhitespace } }
  }

  private static let ends: [Character] = [".", "!", "?", "。", "！", "？", "\n", "؟", "।"]
  private static let gaps: [Character] = [",", ";", ":", "，", "；", "、", "："]
}

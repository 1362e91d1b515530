import Care
import Moments
import Testing
import Texts

@Suite("Messages and recordings") struct ChatMessageTests {
  @Test(
    "A recording lasts whole seconds, one at least, whatever a damaged file says",
    arguments: [
      (0, 1), (1, 1), (499, 1), (1499, 1), (1500, 2), (59_500, 60), (-5000, 1), (.min, 1),
      (.max, 9_223_372_036_854_776),
    ] as [(Int64, Int64)])
  func seconds(milliseconds: Int64, seconds: Int64) {
    let recording = Recording(
      id: "rr", resident: "mary", bytes: 1, milliseconds: milliseconds,
      keptAt: .seconds(0))
    #expect(recording.attachment == ChatMessage.Attachment(id: "rr", seconds: seconds))
  }

  @Test(
    "Where a message stands its words are read, and that there is a recording",
    arguments: [
      ("hi", nil, "hi"), ("", nil, ""), ("", 1, "Recorded message, 1 second"),
      ("", 75, "Recorded message, 75 seconds"), ("hi", 2, "hi (Recorded message, 2 seconds)"),
      ("{recorded}", 2, "{recorded} (Recorded message, 2 seconds)"),
    ] as [(String, Int64?, String)])
  func words(text: String, seconds: Int64?, expected: String) {
    let recording = seconds.map { ChatMessage.Attachment(id: "rr", seconds: $0) }
    var message = RequestSamples.message
    (message.text, message.recording) = (text, recording)
    #expect(message.words.text(in: .en) == expected)
    #expect((message.words.text(in: .zh) == expected) == (seconds == nil))
  }
}

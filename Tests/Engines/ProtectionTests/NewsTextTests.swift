import Care
import Testing
import Texts

@testable import Protection

@Suite("News in words")
struct NewsTextTests {
  @Test(
    "News are one plain sentence, with their numbers in the right form",
    arguments: [
      (.message(sender: "Mary", text: "Hi"), "Mary wrote: Hi"),
      (.message(sender: "Ole", text: "Hi"), "Ole wrote for Mary: Hi"),
      (
        .message(sender: "Mary", text: "", recordedSeconds: 1),
        "Mary recorded a message of 1 second."
      ),
      (
        .message(sender: "Ole", text: "", recordedSeconds: 12),
        "Ole recorded a message of 12 seconds for Mary."
      ),
      (
        .message(sender: "Ole", text: "Hi", recordedSeconds: 2),
        "Ole wrote for Mary: Hi (Recorded message, 2 seconds)"
      ),
      (.receipt(sender: "Ole"), "Mary heard the message of Ole."),
      (.unanswered(title: "Tea"), "Mary has not answered the reminder: Tea."),
      (
        .stock(title: "Pills", daysLeft: 1),
        "Mary: Pills will be used up in 1 day. Please see to a new pack."
      ),
      (
        .stock(title: "Pills", daysLeft: 3),
        "Mary: Pills will be used up in 3 days. Please see to a new pack."
      ),
      (
        .stock(title: "Pills", daysLeft: nil),
        "Mary: Pills will be used up soon. Please see to a new pack."
      ), (.tag(sentence: "The keys stay."), "The keys stay."),
    ] as [(Signal.News, String)])
  func sentences(news: Signal.News, words: String) {
    #expect(NewsText(name: "Mary", news: news).text(in: .en) == words)
  }

  @Test(
    "A text message has 160 characters where all are plain, else 70, and no letter is cut",
    arguments: [
      (String(repeating: "a", count: 160), nil),
      (String(repeating: "a", count: 161), String(repeating: "a", count: 157) + "..."),
      (String(repeating: "é", count: 70), nil),
      (String(repeating: "é", count: 71), String(repeating: "é", count: 67) + "..."),
      // What is not on one line is not plain.
      (
        String(repeating: "a", count: 70) + "\nb", String(repeating: "a", count: 67) + "..."
      ),
      (String(repeating: "🙂", count: 35), nil),
      (String(repeating: "🙂", count: 36), String(repeating: "🙂", count: 33) + "..."),
      ("王" + String(repeating: "👨‍👩‍👧", count: 9), "王" + String(repeating: "👨‍👩‍👧", count: 8) + "..."),
      ("", nil),
    ] as [(String, String?)])
  func shortened(text: String, expected: String?) {
    #expect(NewsText.shortened(text) == expected ?? text)
  }

  @Test(
    "News go by push, else by mail, else as a text, and by no way that is not wanted",
    arguments: [
      ([], .push, "p"), ([.push], .email, "e@example.org"), ([.push, .email], .sms, "+4791234567"),
      ([.push, .email, .sms], nil, nil), ([.voice], .push, "p"),
    ] as [(Set<Guardian.Channel>, Guardian.Channel?, String?)])
  func addresses(without: Set<Guardian.Channel>, channel: Guardian.Channel?, address: String?) {
    let guardian = Guardian(
      id: "ada", resident: "mary", name: "Ada", phone: "+4791234567", email: "e@example.org",
      push: "p", withoutChannels: without)
    #expect(guardian.newsAddress?.channel == channel && guardian.newsAddress?.address == address)
  }

  @Test(
    "A guardian hears news in their own language, but for a sentence that came in the resident's",
    arguments: [
      (.receipt(sender: "Ole"), nil, .en), (.receipt(sender: "Ole"), "zh", .zh),
      (.receipt(sender: "Ole"), "tlh", .en), (.arrival(sentence: "Here."), "zh", .en),
    ] as [(Signal.News, String?, Language)])
  func languages(news: Signal.News, own: String?, heard: Language) {
    let guardian = Guardian(id: "ada", resident: "mary", name: "Ada", language: own)
    #expect(NewsText(name: "Mary", news: news).language(for: guardian, of: .en) == heard)
  }
}

public import Texts

/// What a friend says in a fake call, one sentence at a time, with time to answer in between: in the room by the gateway, on a
/// telephone by its own page.
public enum FakeCallLines {
  /// The sentences, in their order.
  public static let all = [
    Message("Hello, it is me. Can you hear me all right?"),
    Message("Good. I am nearly at your house now."),
    Message("Did you remember that we have to leave soon?"),
    Message("They have moved our appointment. We are expected there earlier than we thought."),
    Message("Is somebody with you just now?"),
    Message("Then please tell them that you have to get ready. They will understand."),
    Message("Do not forget your keys and your coat."),
    Message("I will wait for you at the front door. See you in a minute."),
  ]

  /// The pause after the sentence of an index, in milliseconds.
  public static func pauseMilliseconds(after index: Int) -> Int64 {
    let pauses: [Int64] = [2000, 3000, 4000, 2500]
    return pauses[index % pauses.count]
  }
}

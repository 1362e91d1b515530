public import Care
import JSON

extension RoomEngine {
  /// What is told of the room.
  public static let events: [EventDeclaration] = [
    EventDeclaration(
      .fakeCallChanged, [.record], about: .either,
      "A call that looks real was planned, rang, was answered or ended.",
      [
        .word("stage", of: FakeCall.Stage.self, "How far it is."),
        .text("reason", "What made it so, as a word."), .explanation,
      ])
  ]
}

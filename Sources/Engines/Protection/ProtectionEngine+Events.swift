public import Care
import JSON

extension ProtectionEngine {
  /// What is told of what protects somebody.
  public static let events: [EventDeclaration] = [
    EventDeclaration(
      .protectionChanged, [.alarm, .record],
      "Somebody took away, changed or gave back what protects a resident; in the lane of alarms when it is less.",
      [
        .text(
          "protection",
          "Which: `tracking`, `receiver`, `sos-alarm` and its like, `sound`, `guardians`, `zones`, `pin`, `resident`, or `zone:` and `way:` with an id."
        ), .flag("isOn", "Whether it protects now."),
        .text("undo", "How it is undone, in words.").optional,
      ], .contacts([.by]), .kinds([.places, .contacts], [.explanation]))
  ]
}

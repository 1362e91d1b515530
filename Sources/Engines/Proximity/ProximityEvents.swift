public import Care

extension EventType {
  /// A time in somebody's company is over.
  public static let encounterEnded: EventType = "encounter.ended"
}

extension ProximityEngine {
  /// What nobody else has to know.
  public static let events: [EventDeclaration] = [
    EventDeclaration(
      .encounterEnded,
      .plain([
        "tag", "kind", "isHeardByResident", "began", "ended", "timeQuality", "surelySeconds",
        "likelySeconds", "possiblySeconds", "strongestDBm",
      ]) + .places(["tagName", "explanation"]))
  ]
}

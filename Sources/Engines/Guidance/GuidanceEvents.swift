public import Care
import JSON

extension EventType {
  /// A resident keeps a place in an address book of their own.
  public static let placeKept: EventType = "guidance.place-kept"
  /// A resident keeps a place no longer.
  public static let placeForgotten: EventType = "guidance.place-forgotten"
  /// Somebody is shown a way.
  public static let guidanceBegan: EventType = "guidance.began"
  /// Something was said on the way.
  public static let guidanceSaid: EventType = "guidance.said"
  /// Somebody is on another way than the one shown, and a new one was found.
  public static let guidanceRerouted: EventType = "guidance.rerouted"
  /// Somebody on the way was asked whether all is well.
  public static let guidanceWorried: EventType = "guidance.worried"
  /// Guardians are told that somebody on the way needs a person.
  public static let guidanceTold: EventType = "guidance.told"
  /// Somebody has arrived.
  public static let guidanceArrived: EventType = "guidance.arrived"
  /// A way is shown no longer, and nobody arrived.
  public static let guidanceEnded: EventType = "guidance.ended"
}

extension GuidanceEngine {
  /// What is told of ways that are shown, and of places that a resident keeps.
  public static let events: [EventDeclaration] = [
    EventDeclaration(.guidanceBegan, [.record], "Somebody is shown a way.", journey),
    EventDeclaration(
      .guidanceSaid, [.trace], "Something was said on the way.",
      [
        .word(
          "cue", ["depart", "soon", "now", "along", "reassure", "near", "arrived"],
          "What it was about.")
      ],
      .places([.text("text", "What was said.")]),
      .exact([
        .whole("alongMeters", "How far they have come."),
        .whole("leftMeters", "How far it still is."),
      ])),
    EventDeclaration(
      .guidanceRerouted, [.record],
      "Somebody is on another way than the one shown; a new one was found.",
      journey),
    EventDeclaration(
      .guidanceWorried, [.record], "Somebody on the way was asked whether all is well.", journey),
    EventDeclaration(
      .guidanceTold, [.record], "Guardians are told that somebody on the way needs a person.",
      journey),
    EventDeclaration(.guidanceArrived, [.record], "Somebody has arrived.", journey),
    EventDeclaration(
      .guidanceEnded, [.record], "A way is shown no longer, and nobody arrived.", journey,
      [.text("reason", "Why, as a word.")]),
    EventDeclaration(
      .placeKept, [.record], "A resident keeps a place in an address book of their own.", place),
    EventDeclaration(.placeForgotten, [.record], "A resident keeps a place no longer.", place),
  ]

  private static let journey: [EventFact] =
    [
      .flag("isHome", "Whether it leads home."),
      .word("trouble", of: Trouble.Kind.self, "What is wrong.").optional,
      .whole("reroutes", "How often another way was found."),
    ] + .places([.text("destination", "Where it leads."), .explanation])
    + .exact([.whole("leftMeters", "How far it still is.").optional])

  private static let place: [EventFact] =
    [.text("place", "The id of the place.")] + .places([.text("name", "What they call it.")])
    + .position
}

extension Journey {
  /// An event about it.
  func event(
    _ type: EventType, of id: ResidentID, _ explanation: String, _ trouble: Trouble.Kind? = nil
  ) -> EventDraft {
    let left = follower.map { JSONValue.integer(Int64($0.metersLeft.rounded())) }
    return EventDraft(
      type: type, lane: .record, resident: id,
      facts: .object([
        "destination": .string(destination.name), "isHome": .bool(destination.isHome),
        "trouble": trouble.map { .string($0.rawValue) }, "leftMeters": left,
        "reroutes": .integer(Int64(reroutes)), "explanation": .string(explanation),
      ]))
  }
}

extension Follower {
  /// That something was said on the way.
  func said(_ cue: Cue, _ text: String, to id: ResidentID) -> EventDraft {
    EventDraft(
      type: .guidanceSaid, lane: .trace, resident: id,
      facts: [
        "cue": .string(cue.word), "text": .string(text),
        "alongMeters": .integer(Int64(along.rounded())),
        "leftMeters": .integer(Int64(metersLeft.rounded())),
      ])
  }
}

extension Follower.Cue {
  /// The cue as a word.
  var word: String {
    switch self {
    case .depart: "depart"
    case .soon: "soon"
    case .now: "now"
    case .along: "along"
    case .reassure: "reassure"
    case .near: "near"
    case .arrived: "arrived"
    }
  }
}

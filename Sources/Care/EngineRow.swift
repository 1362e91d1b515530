public import JSON
public import Texts

/// One named row of an engine's state, so that a restart swallows and invents nothing.
public struct EngineRow: Hashable, Sendable {
  /// The engine (`tracking`).
  public var engine: String
  /// Whose state it is: a resident id, or `gateway`.
  public var subject: String
  /// What the row is about (`fix`, `record`, `zone:home`).
  public var name: String
  /// A small object of scalars.
  public var content: JSONValue

  /// A row from its parts.
  public init(engine: String, subject: String, name: String, content: JSONValue) {
    self.engine = engine
    self.subject = subject
    self.name = name
    self.content = content
  }

  /// A row with ticks in it, which mean something to the boot alone that it names as `boot`.
  public init(
    engine: String, subject: String, name: String, content: JSONValue, boot: BootID
  ) {
    self.init(
      engine: engine, subject: subject, name: name,
      content: content.setting("boot", to: .string(boot.rawValue)))
  }

  /// The change that removes it.
  public var removal: StateChange {
    .removeEngineRow(engine: engine, subject: subject, name: name)
  }
}

extension EventDraft {
  /// That rows about a resident could not be read, which their engine starts anew.
  ///
  /// - Parameters:
  ///   - names: the rows.
  ///   - engine: whose they are, as in ``EngineRow/engine``.
  public static func unreadableRows(
    _ names: [String], of engine: String, about resident: Resident, in language: Language
  ) -> EventDraft {
    let detail =
      Message(
        "What was stored about {parts} could not be read and starts anew.",
        ["parts": names.sorted().joined(separator: ", ")])
    let explanation = Message("{name}: {detail}", ["name": resident.name, "detail": detail])
    return EventDraft(
      type: .faultRaised, lane: .record, resident: resident.id,
      facts: [
        "component": .string("\(engine)/\(resident.id)"), "code": "state-unreadable",
        "state": .string(HealthState.degraded.rawValue),
        "detail": .string(detail.text(in: language)),
        "explanation": .string(explanation.text(in: language)),
      ])
  }
}

public import JSON

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
}

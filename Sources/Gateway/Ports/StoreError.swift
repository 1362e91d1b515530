public import Texts

/// Why the store could not do something.
public struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Kinds of failure.
  public enum Code: String, Hashable, Sendable {
    /// No space is left.
    case full
    /// The disk answers with errors.
    case inputOutput = "input-output"
    /// The database cannot be written.
    case readOnly = "read-only"
    /// Another process holds the database.
    case locked
    /// The database is damaged.
    case corrupt
    /// The database was written by a newer version.
    case newerVersion = "newer-version"
    /// It is not a Homeward database.
    case notOurs = "not-ours"
    /// What was asked for does not exist.
    case missing
    /// The store is closed.
    case closed
    /// Anything else.
    case other
  }

  /// The kind.
  public var code: Code
  /// One plain sentence that says what to do next.
  public var message: Message

  /// A failure with its sentence.
  public init(_ code: Code, _ message: Message) {
    self.code = code
    self.message = message
  }

  /// The sentence.
  public var description: String { message.description }
}

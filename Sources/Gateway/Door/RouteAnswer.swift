public import JSON

/// What a question is answered with.
public struct RouteAnswer: Hashable, Sendable {
  /// What was asked for.
  public var content: JSONValue
  /// The cursor of what follows, of a list of which only a part was answered; nil when there is no more.
  ///
  /// Whoever asks the same once more with it as the parameter `cursor` is answered the next part. A part may hold fewer
  /// elements than the limit, or none: the list ends where no cursor is told.
  public var next: String?

  /// An answer from its parts.
  public init(_ content: JSONValue, next: String? = nil) {
    self.content = content
    self.next = next
  }
}

extension Result where Success == RouteAnswer {
  /// An answer that is whole.
  public static func success(_ content: JSONValue) -> Self { .success(RouteAnswer(content)) }
}

public import JSON

/// What somebody sent to have something done.
public struct SentCommand: Hashable, Sendable {
  /// The members of the request, with its `action`.
  public var request: JSONValue
  /// By which a repetition is known; nil where the sender gave none.
  public var key: String?
  /// Whether whoever sends it was told what it takes away, and says it once more.
  public var confirms: Bool

  /// Why what was sent is no command.
  public enum Fault: Error, Hashable, Sendable {
    /// The body is no JSON object, or the key is none.
    case unreadable
    /// `confirms` is neither true nor false.
    case unclear
  }

  private static let longestKey = 100

  /// Reads the body of a request.
  ///
  /// - Parameters:
  ///   - action: what the address says is to be done; the body cannot say otherwise.
  ///   - label: the member `label` where the body has none.
  ///   - redirect: the member `redirect`, whatever the body has; nil for none of its own.
  public init(
    _ incoming: Incoming, as action: String, label: String? = nil, redirect: String? = nil
  ) throws(Fault) {
    guard let sent = try? JSONValue(parsing: incoming.body), let members = sent.objectContent,
      (1...Self.longestKey).contains((incoming.idempotencyKey ?? "1").count)
    else { throw .unreadable }
    let means = sent["confirms"] ?? false
    guard let confirms = means.boolContent else { throw .unclear }
    let own = members.filter { $0.key != "action" && $0.key != "confirms" }
    request = JSONValue.object(own).setting("action", to: .string(action))
    if let label, request["label"] == nil {
      request = request.setting("label", to: .string(label))
    }
    if let redirect { request = request.setting("redirect", to: .string(redirect)) }
    key = incoming.idempotencyKey
    self.confirms = confirms
  }
}

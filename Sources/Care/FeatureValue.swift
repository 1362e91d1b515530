public import Bytes
public import JSON

/// A value of a feature, as what hands it on sees it: not at all.
///
/// Where the feature made it, it is the feature's own; where it was read, it is JSON that nobody has looked into yet. So
/// what a feature measures, and how, is known to those alone who ask for it by its type.
public struct FeatureValue: Hashable, Sendable {
  /// Where a value stands that a feature knows, which says whose it is and what.
  public enum Place: Hashable, Sendable {
    /// It is what a request of this action asks.
    case request(action: String)
    /// It was fetched from a meter.
    case meter
    /// It is what became of a question to the map.
    case map
    /// It is a reading that the store holds.
    case reading
  }

  private enum Content: Sendable {
    case made(any JSONCodable)
    case read(JSONValue)
  }

  private let content: Content

  /// A value as its feature made it.
  public init(_ value: some JSONCodable) { content = .made(value) }

  /// A value that was read and that nobody has looked into.
  public init(json: JSONValue) { content = .read(json) }

  /// The value as its feature knows it.
  ///
  /// - Throws: ``DecodeError`` naming the member that does not fit.
  public func value<Value: JSONCodable>(as type: Value.Type = Value.self) throws(DecodeError)
    -> Value
  {
    if case .made(let value as Value) = content { return value }
    return try Value(json: json)
  }

  /// The JSON form.
  public var json: JSONValue {
    switch content {
    case .made(let value): value.json
    case .read(let json): json
    }
  }

  /// Whether both have one JSON form.
  public static func == (left: FeatureValue, right: FeatureValue) -> Bool {
    left.json == right.json
  }

  /// As ``==``.
  public func hash(into hasher: inout Hasher) { hasher.combine(json) }
}

/// What people ask of a feature whose values `Care` does not know.
public struct FeatureRequest: Hashable, Sendable {
  /// The request's word, such as `glucose.put`; before its dot stands the feature.
  public let action: String
  /// The id of what the request acts on.
  public private(set) var target: String
  /// What is asked; its JSON form has the word as `action`.
  public private(set) var content: FeatureValue
  /// The time zone that is spoken of; nil for none.
  public let timeZone: String?

  /// Features that read their requests themselves.
  static let features: Set<Substring> = ["account", "glucose", "guidance", "profile", "report"]

  /// A request as its feature made it.
  public init(
    _ action: String, of target: String, _ content: some JSONCodable, timeZone: String? = nil
  ) {
    self.timeZone = timeZone
    self.action = action
    self.target = target
    self.content = FeatureValue(content)
  }

  /// A request that was read, and that its feature has not looked into; nil when it is of none of ``features``.
  ///
  /// It acts on its `target`, or on the thing that it brings.
  init?(_ action: String, _ json: JSONValue) {
    guard Self.features.contains(action.prefix { $0 != "." }) else { return nil }
    self.action = action
    timeZone = json["timeZone"]?.stringContent
    target = Self.target(in: json)
    content = FeatureValue(json: json)
  }

  private static func target(in json: JSONValue) -> String {
    let brought = json.objectContent?.lazy.compactMap { $0.value["id"] }.first
    return (json["target"] ?? brought)?.stringContent ?? ""
  }

  /// The request with its content as the feature knows it.
  public func with(_ content: FeatureValue) -> FeatureRequest {
    var request = self
    request.target = Self.target(in: content.json)
    request.content = content
    return request
  }

  /// The request as an object with `action`.
  public var json: JSONValue { content.json }
}

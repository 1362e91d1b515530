public import Care

/// Which events somebody watches for.
public struct EventSelection: Hashable, Sendable {
  /// Whole types, or everything below a word, or `*`; without any, the lanes of alarms and of records.
  public var types: [String]

  /// A selection by its words.
  public init(types: [String]) { self.types = types }

  /// Whether an event is among them.
  public func wants(_ event: EncodedEvent) -> Bool {
    if types.isEmpty { return event.lane != .trace }
    let type = event.type.rawValue
    return types.contains { $0 == "*" || $0 == type || type.hasPrefix("\($0).") }
  }
}

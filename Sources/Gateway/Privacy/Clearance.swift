public import Care

/// What a plugin may see beyond what every plugin may.
public struct Clearance: Hashable, Sendable {
  /// The kinds that may be seen.
  public let kinds: Set<DataKind>

  /// A clearance by what may be seen; exact positions include the names of places.
  public init(_ kinds: Set<DataKind> = []) {
    self.kinds = kinds.contains(.position) ? kinds.union([.places]) : kinds
  }

  /// Whether there is nothing that may not be seen.
  var isWhole: Bool { kinds.count == DataKind.allCases.count }

  func allows(_ needed: Set<DataKind>) -> Bool { needed.isSubset(of: kinds) }
}

public import JSON

extension JSONValue {
  /// Where this says something else than is expected, and what; nil where it says all of it.
  ///
  /// Members that nothing is expected of are free, and `null` is expected of one that is absent.
  public func difference(from expected: JSONValue, at place: String = "") -> String? {
    switch (self, expected) {
    case (.object, .object(let members)):
      members.lazy.compactMap { member in
        (self[member.key] ?? .null).difference(from: member.value, at: "\(place).\(member.key)")
      }.first
    case (.array(let ours), .array(let theirs)) where ours.count == theirs.count:
      zip(ours, theirs).enumerated().lazy.compactMap { index, pair in
        pair.0.difference(from: pair.1, at: "\(place)[\(index)]")
      }.first
    case (.integer, .number), (.number, .integer):
      doubleContent == expected.doubleContent ? nil : "\(place): \(self), not \(expected)"
    default: self == expected ? nil : "\(place): \(self), not \(expected)"
    }
  }
}

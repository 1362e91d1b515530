/// Something that somebody needs to know of the map.
public struct MapQuery: Hashable, Sendable {
  /// What is asked.
  public enum Subject: Hashable, Sendable {
    /// The way on foot from one place to another.
    case way(from: Coordinate, to: Coordinate)
    /// The address of a place.
    case address(Coordinate)
  }

  /// Names the question; what becomes of it is told under the same name.
  public var id: String
  /// For whom.
  public var resident: ResidentID
  /// What is asked.
  public var subject: Subject

  /// A question from its parts.
  public init(id: String, resident: ResidentID, _ subject: Subject) {
    self.id = id
    self.resident = resident
    self.subject = subject
  }
}

import Care

/// A maneuver of Valhalla's with the directions before and after it, in degrees clockwise from north.
///
/// Where a path leaves the middle of a street, or crosses one that is mapped as two, Valhalla turns left and right within a few
/// steps. A person sees one corner, or none.
struct Bend {
  private(set) var maneuver: Maneuver
  private let before: Double?
  private var after: Double?
  /// Whether it is nothing but a change of direction.
  private let isBend: Bool
  private var isJoined = false

  /// Corners nearer to each other than this are one, in metres.
  private static let jogMeters = 6.0
  /// Of what turns back by more than this every part is told, in degrees.
  private static let mostDegrees = 150.0

  /// The maneuvers of a way, with corners that lie a few steps apart made one, and those left out that come to nothing.
  static func joined(_ bends: [Bend], along line: [Coordinate]) -> [Maneuver] {
    var joined: [Bend] = []
    var lastPoint = 0
    for bend in bends {
      defer { lastPoint = bend.maneuver.point }
      if let last = joined.last, isStep(from: lastPoint, to: bend.maneuver.point, line),
        let both = last.followed(by: bend)
      {
        joined[joined.count - 1] = both
      } else {
        joined.append(bend)
      }
    }
    var maneuvers: [Maneuver] = []
    for bend in joined {
      let isNothing = bend.isJoined && bend.maneuver.turn == .straight
      if isNothing, bend.maneuver.street == nil || bend.maneuver.street == maneuvers.last?.street {
        continue
      }
      maneuvers.append(bend.maneuver)
    }
    return maneuvers
  }

  init(maneuver: Maneuver, before: Double?, after: Double?, isBend: Bool) {
    (self.maneuver, self.before, self.after, self.isBend) = (maneuver, before, after, isBend)
  }

  /// This and the next as one; nil where they are two.
  private func followed(by next: Bend) -> Bend? {
    // At the end it is said on which side the place is.
    if next.maneuver.turn.isArrival { return isBend ? next : nil }
    guard next.isBend, let after = next.after else { return nil }
    var both = self
    both.maneuver.street = next.maneuver.street
    both.after = after
    if maneuver.turn == .start { return both }
    guard isBend, let before else { return nil }
    let angle = Angle.turn(from: before, to: after)
    guard abs(angle) <= Self.mostDegrees else { return nil }
    both.maneuver.turn = Maneuver.Turn(angleDegrees: angle)
    both.isJoined = true
    return both
  }

  /// Whether it is but a step from one point of a line to another; not where there is no such point, which is refused later.
  private static func isStep(from start: Int, to end: Int, _ line: [Coordinate]) -> Bool {
    guard 0 <= start, start <= end, end < line.count else { return false }
    var meters = 0.0
    for point in start..<end {
      meters += line[point].distanceMeters(to: line[point + 1])
      if meters >= jogMeters { return false }
    }
    return true
  }
}

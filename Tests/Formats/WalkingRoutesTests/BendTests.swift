import Care
import Testing

@testable import WalkingRoutes

@Suite("Corners a few steps apart")
struct BendTests {
  private struct Corner {
    /// Metres from the corner before it.
    var meters: Double
    var before: Double
    var after: Double
    var street: String?
    var isBend = true
  }

  private static let start = Coordinate(latitudeDegrees: 48.41, longitudeDegrees: 15.6)

  /// The maneuvers of a way that sets out to the north, turns at the corners, and ends 100 m behind the last unless it is said otherwise.
  private static func maneuvers(
    _ corners: [Corner], endMeters: Double = 100
  ) throws -> [Maneuver] {
    var line = [try #require(start)]
    var bends = [
      Bend(
        maneuver: Maneuver(.start, at: 0, street: "Mill Lane"), before: nil, after: 0,
        isBend: false)
    ]
    for corner in corners {
      line.append(line[line.count - 1].moved(meters: corner.meters, bearingDegrees: corner.before))
      let turn =
        corner.isBend
        ? Maneuver.Turn(angleDegrees: Angle.turn(from: corner.before, to: corner.after)) : .steps
      bends.append(
        Bend(
          maneuver: Maneuver(turn, at: line.count - 1, street: corner.street),
          before: corner.before, after: corner.after, isBend: corner.isBend))
    }
    let last = line[line.count - 1]
    line.append(last.moved(meters: endMeters, bearingDegrees: corners.last?.after ?? 0))
    bends.append(
      Bend(maneuver: Maneuver(.arrive, at: line.count - 1), before: nil, after: nil, isBend: false))
    return Bend.joined(bends, along: line)
  }

  @Test("Left and right within a few steps, as at a crossing of two carriageways: nothing is said")
  func jog() throws {
    let corners = [
      Corner(meters: 50, before: 0, after: 270), Corner(meters: 3, before: 270, after: 5),
    ]
    #expect(try Self.maneuvers(corners).map(\.turn) == [.start, .arrive])
  }

  @Test("The same into another street is straight on, and says so")
  func jogIntoAnother() throws {
    let corners = [
      Corner(meters: 50, before: 0, after: 270),
      Corner(meters: 3, before: 270, after: 5, street: "Market Street"),
    ]
    let maneuvers = try Self.maneuvers(corners)
    #expect(maneuvers.map(\.turn) == [.start, .straight, .arrive])
    #expect(maneuvers.map(\.street) == ["Mill Lane", "Market Street", nil])
    #expect(maneuvers.map(\.point) == [0, 1, 3])
  }

  @Test("Two halves of a corner are one, and right, left and right is to the right")
  func halves() throws {
    let halves = [
      Corner(meters: 50, before: 0, after: 45),
      Corner(meters: 4, before: 45, after: 90, street: "Market Street"),
    ]
    #expect(try Self.maneuvers(halves).map(\.turn) == [.start, .right, .arrive])
    let three = [
      Corner(meters: 15, before: 0, after: 93), Corner(meters: 3, before: 93, after: 10),
      Corner(meters: 2, before: 10, after: 94),
    ]
    #expect(try Self.maneuvers(three).map(\.turn) == [.start, .right, .arrive])
  }

  @Test("Corners further apart, what turns back, and stairs stay as they are")
  func apart() throws {
    let far = [
      Corner(meters: 50, before: 0, after: 270), Corner(meters: 8, before: 270, after: 0),
    ]
    #expect(try Self.maneuvers(far).map(\.turn) == [.start, .left, .right, .arrive])
    let back = [
      Corner(meters: 50, before: 0, after: 90), Corner(meters: 3, before: 90, after: 178),
    ]
    #expect(try Self.maneuvers(back).map(\.turn) == [.start, .right, .right, .arrive])
    let stairs = [
      Corner(meters: 50, before: 0, after: 90),
      Corner(meters: 3, before: 90, after: 0, isBend: false),
    ]
    #expect(try Self.maneuvers(stairs).map(\.turn) == [.start, .right, .steps, .arrive])
  }

  @Test("A corner within a few steps of the end is part of it")
  func end() throws {
    let corners = [
      Corner(meters: 50, before: 0, after: 90), Corner(meters: 60, before: 90, after: 0),
    ]
    #expect(
      try Self.maneuvers(corners, endMeters: 2).map(\.turn) == [.start, .right, .arrive])
    #expect(try Self.maneuvers([], endMeters: 2).map(\.turn) == [.start, .arrive])
  }

  @Test("A corner within a few steps of the beginning is how the way begins")
  func beginning() throws {
    let maneuvers = try Self.maneuvers([
      Corner(meters: 3, before: 0, after: 90, street: "Market Street")
    ])
    #expect(maneuvers.map(\.turn) == [.start, .arrive])
    #expect(maneuvers.first?.street == "Market Street")
  }
}

import Bytes
import Care
import JSON
import Testing
import WalkingRoutes

@Suite("Valhalla's answers")
struct ValhallaAnswerTests {
  /// Made by valhalla_service 3.9.1, shortened to its first and last steps.
  static let answer = #"""
    {"trip":{"legs":[{"maneuvers":[
    {"type":1,"instruction":"Walk south.","street_names":["Dachsberggasse"],"bearing_after":168,"length":0.05,"begin_shape_index":0,"end_shape_index":3},
    {"type":15,"street_names":["Herzogstraße"],"bearing_before":147,"bearing_after":60,"length":0.062,"begin_shape_index":3,"end_shape_index":4},
    {"type":10,"street_names":["B35"," Ringstraße"],"bearing_before":60,"bearing_after":151,"length":0.103,"begin_shape_index":4,"end_shape_index":9},
    {"type":23,"street_names":["Ringstraße"],"bearing_before":62,"bearing_after":63,"length":0.05,"begin_shape_index":7,"end_shape_index":9},
    {"type":5,"bearing_before":181,"length":0.0,"begin_shape_index":9,"end_shape_index":9}],
    "summary":{"time":222.0,"length":0.215},"shape":"_evi{A}zcw\\xE{@jJmE|FwFsPol@rXqTvE{GlKyHjAuAbAiA"}],
    "status":0}}
    """#

  @Test("A way with its turns, its streets, and no number of a road where there is a name")
  func route() throws {
    let json = try JSONValue(parsing: Self.answer)
    guard case .route(let route) = try ValhallaAnswer(json: json) else {
      Issue.record("no route")
      return
    }
    #expect(route.maneuvers.map(\.turn) == [.start, .left, .right, .keepRight, .arriveRight])
    #expect(
      route.maneuvers.map(\.street)
        == ["Dachsberggasse", "Herzogstraße", "Ringstraße", "Ringstraße", nil])
    #expect(route.maneuvers.map(\.point) == [0, 3, 4, 7, 9])
    #expect(route.seconds == 222 && route.line.count == 10)
    #expect(try WalkingRoute(json: route.json) == route)
  }

  @Test("Where the angle and the word differ, the angle counts: a person sees the street")
  func angle() throws {
    let json = try JSONValue(
      parsing: Self.answer.replacing(#""type":15"#, with: #""type":10"#))
    guard case .route(let route) = try ValhallaAnswer(json: json) else { return }
    #expect(route.maneuvers[1].turn == .left)
  }

  @Test("No way, no streets, and an error that nobody knows")
  func errors() throws {
    #expect(try ValhallaAnswer(json: ["error_code": 442, "error": "No path"]) == .noWay)
    #expect(try ValhallaAnswer(json: ["error_code": 171, "error": "No edges"]) == .noStreets)
    #expect(throws: DecodeError.self) { try ValhallaAnswer(json: ["error_code": 1]) }
    #expect(throws: DecodeError.self) { try ValhallaAnswer(json: ["trip": ["legs": []]]) }
    #expect(throws: DecodeError.self) { try ValhallaAnswer(json: "route") }
  }

  @Test("Every byte missing or changed gives an answer or an error, and never a trap")
  func damaged() throws {
    let bytes = Array(Self.answer.utf8)
    for index in bytes.indices {
      var changed = bytes
      changed[index] = UInt8(truncatingIfNeeded: index &* 31 &+ 7)
      for damaged in [Array(bytes[..<index]), changed] {
        guard let json = try? JSONValue(parsing: damaged) else { continue }
        _ = try? ValhallaAnswer(json: json)
      }
    }
  }

  @Test("A way that leads nowhere: two points at one place")
  func nowhere() throws {
    let json = try JSONValue(
      parsing: #"""
        {"trip":{"legs":[{"maneuvers":[{"type":1,"begin_shape_index":0},{"type":4,"begin_shape_index":0}],
        "summary":{"time":0},"shape":"_evi{A}zcw\\"}]}}
        """#)
    guard case .route(let route) = try ValhallaAnswer(json: json) else {
      Issue.record("no route")
      return
    }
    #expect(route.lengthMeters == 0 && route.maneuvers.count == 2)
  }
}

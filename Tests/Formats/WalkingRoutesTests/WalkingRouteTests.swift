import Bytes
import Care
import JSON
import Testing
import WalkingRoutes

@Suite("Ways on foot")
struct WalkingRouteTests {
  private func place(_ latitude: Double, _ longitude: Double) throws -> Coordinate {
    try #require(Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude))
  }

  @Test("A line as text and back, at the ends of the Earth too")
  func polyline() throws {
    let points = try [
      place(48.410168, 15.600062), place(48.4, 15.7), place(-90, -180), place(90, 180),
      place(0, 0), place(-0.000001, 0.000001),
    ]
    let text = EncodedPolyline.text(of: points)
    #expect(try EncodedPolyline.points(of: text, atMost: 6) == points)
    #expect(try EncodedPolyline.points(of: "", atMost: 0).isEmpty)
    #expect(throws: DecodeError.self) { try EncodedPolyline.points(of: text, atMost: 5) }
  }

  @Test("The example of the format's own description, with five digits read as six")
  func published() throws {
    // (38.5, -120.2), (40.7, -120.95), (43.252, -126.453) times ten.
    let points = try EncodedPolyline.points(of: "_p~iF~ps|U_ulLnnqC_mqNvxq`@", atMost: 3)
    #expect(points == (try [place(3.85, -12.02), place(4.07, -12.095), place(4.3252, -12.6453)]))
  }

  @Test("A text that is no line is refused with the byte, whatever stands there")
  func damagedLine() throws {
    for (text, code) in [
      ("_p~iF", DecodeError.Code.truncated), ("_p~i", .truncated), (" ", .unexpectedByte),
      ("~~~~~~~~~~", .tooLarge), ("\u{e9}", .unexpectedByte), ("_{ietD?", .outOfRange),
    ] {
      let error = #expect(throws: DecodeError.self) {
        try EncodedPolyline.points(of: text, atMost: 10)
      }
      #expect(error?.code == code, "\(text)")
    }
  }

  @Test("Maneuvers that do not fit the line make no way")
  func unfit() throws {
    let line = try [place(1, 1), place(1, 1.001), place(1.001, 1.001)]
    func fits(_ maneuvers: [Maneuver], seconds: Double = 1) -> Bool {
      WalkingRoute(line: line, maneuvers: maneuvers, seconds: seconds) != nil
    }
    #expect(fits([Maneuver(.start, at: 0), Maneuver(.left, at: 1), Maneuver(.arrive, at: 2)]))
    #expect(!fits([Maneuver(.start, at: 0)]))
    #expect(!fits([Maneuver(.start, at: 1), Maneuver(.arrive, at: 2)]))
    #expect(!fits([Maneuver(.start, at: 0), Maneuver(.arrive, at: 1)]))
    #expect(
      !fits([
        Maneuver(.start, at: 0), Maneuver(.left, at: 2), Maneuver(.left, at: 1),
        Maneuver(.arrive, at: 2),
      ]))
    #expect(!fits([Maneuver(.start, at: 0), Maneuver(.arrive, at: 2)], seconds: .nan))
  }

  @Test("What a plugin answers is read with its mistakes named")
  func json() throws {
    for (text, field) in [
      (#"{"line":"?","maneuvers":[],"seconds":1}"#, "line"),
      (
        #"{"line":"????","maneuvers":[{"turn":"start","at":0},{"turn":"arrive","at":9}],"seconds":1}"#,
        "maneuvers"
      ),
      (#"{"line":"????","maneuvers":[{"turn":"upwards","at":0}],"seconds":1}"#, "turn"),
      (#"{"line":"????","maneuvers":[{"turn":"start","at":-1}],"seconds":1}"#, "at"),
      (#"{"line":"????","maneuvers":[{"turn":"start","at":0,"street":""}],"seconds":1}"#, "street"),
    ] {
      let json = try JSONValue(parsing: text)
      let error = #expect(throws: DecodeError.self) { try WalkingRoute(json: json) }
      #expect(error?.field?.hasSuffix(field) == true, "\(text): \(String(describing: error))")
    }
  }

  @Test("Turns by their angle")
  func turns() {
    let table: [(Double, Maneuver.Turn)] = [
      (0, .straight), (19, .straight), (-30, .slightLeft), (30, .slightRight), (-90, .left),
      (90, .right), (-150, .sharpLeft), (150, .sharpRight), (180, .around), (-175, .around),
    ]
    for (angle, turn) in table { #expect(Maneuver.Turn(angleDegrees: angle) == turn) }
    #expect(Angle.turn(from: 350, to: 10) == 20)
    #expect(Angle.turn(from: 10, to: 350) == -20)
    #expect(Angle.turn(from: 0, to: 180) == 180 && Angle.turn(from: 180, to: 0) == 180)
  }

  @Test("A report whose way is nonsense is a failure of whoever found it")
  func reports() throws {
    let query: JSONValue = ["query": "q", "resident": "mary"]
    #expect(try MapReport(json: query).outcome == .missing(.failed))
    #expect(
      try MapReport(json: query.setting("failure", to: "no-way")).outcome == .missing(.noWay))
    #expect(
      try MapReport(json: query.setting("failure", to: "who knows")).outcome
        == .missing(.failed))
    #expect(
      try MapReport(json: query.setting("route", to: ["line": 1])).outcome == .missing(.failed))
    #expect(throws: DecodeError.self) { try MapReport(json: ["query": "q"]) }
  }
}

import Care
import JSON
import Moments
import Testing

@Suite struct RoomReportTests {
  private static let now = Moment(
    tick: .seconds(1), utc: .seconds(1_795_000_000), quality: .synchronised)
  private static let report = RoomReport(
    device: "iBeacon:e5ca-1-2", room: "厨房", name: "Keys", strengthDBm: -62.4,
    distanceFigure: 1.42, batteryPercent: 87)

  @Test func strengthAndFigureAreTheSameThingSaidTwice() {
    for strength in stride(from: -110.0, through: -20, by: 1) {
      let figure = RoomReport.figure(ofStrength: strength)
      #expect(abs(RoomReport.strength(ofFigure: figure) - strength) < 0.001)
    }
    #expect(RoomReport.strength(ofFigure: 0) == 22)
  }

  @Test func aReportIsASightingByItsStrengthElseByItsFigure() throws {
    let strong = try #require(Self.report.sighting(of: "keys", by: "kitchen", at: Self.now))
    #expect(strong.strengthDBm == -62 && strong.batteryPercent == 87)
    let figure = RoomReport(device: "a", room: "b", distanceFigure: 5.678)
    #expect(figure.sighting(of: "a", by: "b", at: Self.now)?.strengthDBm == -79)
    #expect(RoomReport(device: "a", room: "b").sighting(of: "a", by: "b", at: Self.now) == nil)
    let near = RoomReport(device: "a", room: "b", distanceFigure: 0)
    #expect(near.sighting(of: "a", by: "b", at: Self.now)?.strengthDBm == 20)
  }

  @Test func messagesComeBackTheSame() throws {
    let messages: [RoomMessage] = [
      .report(Self.report), .report(RoomReport(device: "a", room: "b", distanceFigure: 0)),
      .status(room: "Kitchen", isOnline: true), .status(room: "Kitchen", isOnline: false),
    ]
    for message in messages {
      #expect(try RoomMessage(json: JSONValue(parsing: message.json.serialized)) == message)
      #expect(RoomMessage.kinds.contains(message.kind))
    }
  }

  @Test func whatDoesNotFitIsRefusedByItsName() {
    let good = RoomMessage.report(Self.report).json
    let status = RoomMessage.status(room: "Kitchen", isOnline: true).json
    let long = JSONValue.string(String(repeating: "x", count: 129))
    let cases: [(JSONValue, String)] = [
      (5, "wrong type at byte 0"), (good.setting("kind", to: "fix"), "unknown word \"kind\""),
      (good.setting("device", to: ""), "out of range \"device\""),
      (good.setting("device", to: long), "out of range \"device\""),
      (good.setting("room", to: "a\nb"), "invalid text \"room\""),
      (good.setting("strengthDBm", to: 21), "out of range \"strengthDBm\""),
      (good.setting("strengthDBm", to: "loud"), "wrong type \"strengthDBm\""),
      (good.setting("distanceFigure", to: -1), "out of range \"distanceFigure\""),
      (good.setting("batteryPercent", to: 101), "out of range \"batteryPercent\""),
      (
        ["kind": "room-report", "device": "a", "room": "b"], "missing field \"strengthDBm\""
      ),
      (status.setting("isOnline", to: "yes"), "wrong type \"isOnline\""),
      (status.setting("room", to: .null), "missing field \"room\""),
    ]
    for (json, words) in cases {
      do {
        _ = try RoomMessage(json: json)
        Issue.record("\(json.serialized) was taken")
      } catch { #expect("\(error)".hasPrefix(words), "\(error)") }
    }
  }

  @Test func aLongNameIsCut() throws {
    let named = RoomMessage.report(Self.report).json.setting(
      "name", to: .string(String(repeating: "陳", count: 300)))
    guard case .report(let report) = try RoomMessage(json: named) else {
      Issue.record("no report")
      return
    }
    #expect(report.name?.count == RoomReport.titleLimit)
  }
}

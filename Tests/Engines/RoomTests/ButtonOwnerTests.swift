import Care
import Moments
import Room
import Testing
import Texts

@Suite("Whose the buttons are")
struct ButtonOwnerTests {
  private static let asked = Command(
    id: "c", principal: Principal(channel: .local, name: "anna"), request: .room(.endFakeCall))

  /// What is told of the owners; nil when nothing is.
  private func told(_ outcome: Outcome?) -> (report: HealthReport, isCertain: Bool)? {
    guard case .health(let report, let isCertain)? = outcome?.signals.first else { return nil }
    #expect(outcome?.signals.count == 1 && report.component == RoomEngine.ownersComponent)
    return (report, isCertain)
  }

  @Test("A button of somebody who is not there is a fault until they are")
  func fault() throws {
    var room = RoomScene(
      [RoomScene.mary], buttons: [ButtonBinding(button: "hall", resident: "john")])
    #expect(room.engine.health.isEmpty)
    let found = try #require(told(try room.hear(.settled(after: .start))))
    #expect(found.report.state == .degraded && found.report.code == "of-nobody")
    #expect(found.report.detail.description.contains("hall") && !found.isCertain)
    #expect(room.engine.health == [found.report])
    #expect(try room.hear(.settled(after: .command(Self.asked))) == nil)
    room.house.residents["john"] = RoomScene.john
    let clock = Observation.clock(ClockReport(quality: .synchronised))
    #expect(try room.hear(.settled(after: .observation(clock))) == nil)
    #expect(try room.hear(.settled(after: .wake)) == nil)
    let known = try #require(told(try room.hear(.settled(after: .command(Self.asked)))))
    #expect(known.report.state == .working && room.engine.health == [known.report])
  }

  @Test("Without buttons, or without residents, there is nothing to know")
  func unused() throws {
    var bare = RoomScene()
    #expect(told(try bare.hear(.settled(after: .start)))?.report.state == .unused)
    var empty = RoomScene([], buttons: [ButtonBinding(button: "hall", resident: "john")])
    #expect(told(try empty.hear(.settled(after: .start)))?.report.state == .unused)
  }

  @Test("A button that was held and is nobody's is a fault at once, each time anew")
  func held() throws {
    var room = RoomScene([RoomScene.mary, RoomScene.john])
    #expect(told(try room.hear(.settled(after: .start)))?.report.state == .unused)
    for _ in 0..<2 {
      let held = try #require(told(try room.hear(.signalled(.calledForNobody("mqtt-hall")))))
      #expect(held.isCertain && held.report.state == .degraded)
      #expect(held.report.detail.description.contains("mqtt-hall"))
    }
    #expect(try room.hear(.settled(after: .command(Self.asked))) == nil)
    // The only one's button is theirs.
    room.house.residents["john"] = nil
    let known = told(try room.hear(.settled(after: .command(Self.asked))))
    #expect(known?.report.state == .working)
  }

  @Test("A button of the configuration is named once, and of plugins' buttons sixteen")
  func limit() throws {
    var room = RoomScene(
      [RoomScene.mary, RoomScene.john], buttons: [ButtonBinding(button: "hall")])
    for button in ["hall"] + (1...20).map({ "mqtt-\($0)" }) {
      #expect(told(try room.hear(.signalled(.calledForNobody(SourceID(button))))) != nil)
    }
    let detail = room.engine.health.first?.detail.description ?? ""
    #expect(detail.split(separator: "hall").count == 2)
    #expect(detail.split(separator: "mqtt-").count == 17)
    #expect(detail.contains("mqtt-16") && !detail.contains("mqtt-17"))
  }

  @Test("The fault is told in the gateway's language")
  func language() throws {
    var room = RoomScene([RoomScene.mary, RoomScene.john])
    room.house.language = .zh
    let detail = told(try room.hear(.signalled(.calledForNobody("x"))))?.report.detail.description
    #expect(detail?.unicodeScalars.contains { $0.value >= 0x4E00 } == true)
  }
}

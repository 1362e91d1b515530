import Care
import ControlSocket
import Door
import Foundation
import JSON
import TestSupport
import Testing

/// The real daemon, whose log nobody takes: everybody else is served all the same.
@Suite(.serialized) struct DeafLogTests {
  @Test(
    "With nobody to take its log the gateway answers, and an SOS reaches the guardian",
    .timeLimit(.minutes(2)), arguments: DeafEnd.Kind.allCases)
  func anSOSGoesOut(sink: DeafEnd.Kind) throws {
    let end = try DeafEnd(sink)
    let house = try House(RunningGateway(broker: nil, phone: true, phoneLogLines: 500))
    try house.gateway.start(error: end.descriptor)
    let isUp = Eventually.holds(withinSeconds: 20) {
      (try? ControlClient(connectingTo: house.gateway.socketPath)) != nil
    }
    try #require(isUp)
    try house.perform(
      .putResident(Resident(id: "mary", name: "Mary", timeZone: "Europe/Oslo")))
    try house.perform(
      .putGuardian(Guardian(id: "anna", resident: "mary", name: "Anna", phone: "+4791234567")))
    try house.perform(.putSetting(resident: "mary", name: "prealarmSeconds", value: 0))
    let isLosing = Eventually.holds(withinSeconds: 30) { (try? house.droppedLines()) ?? 0 > 100 }
    try #require(isLosing)

    try house.perform(
      .alarm(.raise(resident: "mary", kind: .sos, trigger: .commandLine, text: "")))
    let isTold = Eventually.holds(withinSeconds: 20) {
      house.gateway.texts().contains { $0.contains(#""notice": "alarm""#) }
    }
    #expect(isTold)
    let code = sink == .fullDisk ? "unwritable" : "stuck"
    let isFault = Eventually.holds(withinSeconds: 40) {
      (try? house.faults()).map { $0.contains("log \(code)") } ?? false
    }
    #expect(isFault)
    #expect(try house.call(.health, .object([]))["healthy"] != nil)

    if let lines = end.listen() { try expectAccount(of: house, lines) }
    #expect(house.gateway.stop() == 0)
  }

  /// Reads what waits, and wants each line told or counted, and the fault to be over.
  private func expectAccount(of house: House, _ lines: Inbox<String>) throws {
    let notice = try lines.take("the count of what was dropped") {
      $0.hasSuffix("lines were dropped here: nobody took them in time")
    }
    let count = notice.split(separator: " ").compactMap { Int($0) }.first ?? 0
    #expect(count > 100)
    let isOver = Eventually.holds(withinSeconds: 40) {
      (try? house.faults()).map { !$0.contains { $0.hasPrefix("log ") } } ?? false
    }
    #expect(isOver)
    let seen = lines.remaining.count { $0.contains("phone: ") }
    #expect(seen + count >= 400)
  }

  private struct House: GatewayKeeper {
    let gateway: RunningGateway
    init(_ gateway: RunningGateway) { self.gateway = gateway }

    func droppedLines() throws -> Int {
      let text = try call(.metrics, .object([]))["text"]?.stringContent ?? ""
      let line = text.split(separator: "\n").first {
        $0.hasPrefix("homeward_log_dropped_lines_total ")
      }
      return line.flatMap { Int($0.split(separator: " ")[1]) } ?? 0
    }

    func faults() throws -> [String] {
      (try call(.status, .object([]))["faults"]?.arrayContent ?? []).map {
        "\($0["component"]?.stringContent ?? "") \($0["code"]?.stringContent ?? "")"
      }
    }
  }
}

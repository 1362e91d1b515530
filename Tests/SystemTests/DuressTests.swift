import Care
import ControlSocket
import Door
import Foundation
import JSON
import TestSupport
import Testing

/// What can be seen from outside when a resident ends an SOS, of their own will and forced to.
@Suite(.serialized) struct DuressTests {
  /// Everything that somebody sees who has the broker, the status and the events before them.
  private struct View: Hashable {
    /// What was published from the end of the SOS on, by topic.
    var published: [String: [String]]
    var answers: [String]
  }

  @Test(
    "The duress PIN and the true one look the same at the broker, in the status and in the events",
    .timeLimit(.minutes(2)))
  func same() throws {
    let real = try view(after: "2468", telling: "cancelled")
    let forced = try view(after: "1357", telling: "duress")
    #expect(real.published.keys.sorted() == forced.published.keys.sorted())
    for (topic, lines) in real.published {
      #expect(lines == forced.published[topic], "\(topic)")
    }
    #expect(real.answers == forced.answers)
    #expect(real.published["siren"] == ["OFF"])
    #expect(real.published["event/alarm"]?.contains { $0.contains("alarm.cancelled") } == true)
  }

  private func view(after pin: String, telling notice: String) throws -> View {
    let logs = try TemporaryDirectory()
    let broker = try Broker()
    try broker.start()
    let hub = try TalkingGateway(broker: broker.port, phone: true)
    let log = try ChildProcess(
      "mosquitto_sub",
      [
        "-h", "127.0.0.1", "-p", "\(broker.port)", "-t", "homeward/\(RunningGateway.name)/#", "-F",
        "%t %p",
      ], log: logs.path(of: "topics"))
    try hub.perform(
      .putGuardian(
        Guardian(
          id: "anna", resident: "mary", name: "Anna", phone: "+4791234567", isCaregiver: true)))
    try hub.perform(.putSetting(resident: "mary", name: "prealarmSeconds", value: 0))
    try hub.perform(.alarm(.setPIN(resident: "mary", kind: .okay, pin: "2468")))
    try hub.perform(.alarm(.setPIN(resident: "mary", kind: .duress, pin: "1357")))
    // That a PIN was changed is told as well, seconds later.
    let isNoticed = Eventually.holds(withinSeconds: 20) {
      log.log.split(separator: "\n").contains {
        $0.contains(#""notice":"news""#) && $0.contains(#""outcome":"delivered""#)
      }
    }
    try #require(isNoticed, "\(hub.gateway.log)\n\(log.log)")
    try hub.perform(
      .alarm(.raise(resident: "mary", kind: .sos, trigger: .commandLine, text: "")))
    let isTold = Eventually.holds(withinSeconds: 20) {
      hub.gateway.texts().contains { $0.contains(#""notice": "alarm""#) }
        && log.log.split(separator: "\n").contains {
          $0.contains(#""type":"delivery.reported""#) && $0.contains(#""notice":"alarm""#)
        } && log.log.contains(#""type":"alarm.delivery""#) && log.log.contains("siren ON")
    }
    try #require(isTold, "\(hub.gateway.log)\n\(log.log)")
    // The lane of records comes after that of alarms: what belongs before the end must not be counted behind it.
    let isSettled = Eventually.holds(withinSeconds: 20) {
      let newest = try? hub.call(.eventsQuery, ["lanes": ["record"], "limit": 1])
      let id = newest?.arrayContent?.first?["id"]?.stringContent
      return id.map { log.log.contains($0) } ?? false
    }
    try #require(isSettled, "\(log.log)")
    let before = log.log.split(separator: "\n").count
    try hub.perform(.alarm(.cancel(resident: "mary", pin: pin, message: nil)))
    let isKnown = Eventually.holds(withinSeconds: 20) {
      hub.gateway.texts().contains { $0.contains(#""notice": "\#(notice)""#) }
    }
    try #require(isKnown, "\(hub.gateway.texts())")
    // What the phone reports of that message is in; a record behind it shows that no more is on its way.
    try hub.perform(
      .putResident(Resident(id: "mary", name: "Mary M", timeZone: "Europe/Oslo")))
    let isThrough = Eventually.holds(withinSeconds: 20) { log.log.contains("Mary M") }
    try #require(isThrough)
    let answers: [String] = try [
      hub.call(.alarmsList, [:]), hub.call(.eventsQuery, ["limit": 50]),
      hub.call(.eventsQuery, ["types": ["alarm"], "limit": 5]),
      hub.call(.status, [:])["alarms"] ?? .null,
      hub.refusal(.alarm(.cancel(resident: "mary", pin: "1357", message: nil))),
      hub.refusal(.alarm(.acknowledge(alarm: nil, by: "anna"))),
      hub.refusal(.alarm(.resolve(alarm: nil, by: "anna", reason: "over"))),
    ].map { Self.withoutIdentity($0.serialized) }
    return View(published: Self.published(log.log, after: before), answers: answers)
  }

  private static func published(_ log: String, after count: Int) -> [String: [String]] {
    var found: [String: [String]] = [:]
    for line in log.split(separator: "\n").dropFirst(count) {
      guard let space = line.firstIndex(of: " ") else { continue }
      let topic = line[..<space].dropFirst("homeward/\(RunningGateway.name)/".count)
      found[String(topic), default: []].append(
        withoutIdentity(String(line[line.index(after: space)...])))
    }
    return found
  }

  /// The same text with names of events, alarms and boots, and all times, taken out.
  private static func withoutIdentity(_ text: String) -> String {
    let members = "id|time|tick|bootid|alarm|event|tag|boot|raisedAt|version|utc"
    guard let pattern = try? Regex(#""(\#(members))":"[^"]*""#),
      let times = try? Regex(#"\d{4}-\d\d-\d\dT[0-9:.]+Z"#),
      let sequences = try? Regex(#""sequence":\d+"#), let tags = try? Regex(#"[A-Z2-9]{4}\b"#)
    else { return text }
    return text.replacing(pattern, with: "-").replacing(times, with: "-")
      .replacing(sequences, with: "-").replacing(tags, with: "-")
  }
}

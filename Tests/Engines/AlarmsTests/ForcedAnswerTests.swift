import Care
import Testing
import Texts

@testable import Alarms

/// Who may answer an SOS that the resident was forced to end: it looks over to everybody but a guardian who answers by the
/// way that guardians are told by.
@Suite("Answers to a forced SOS")
struct ForcedAnswerTests {
  private static let bo = Guardian(
    id: "bo", resident: "mary", name: "Bo", phone: "+4790000001", isCaregiver: true)
  /// Has no telephone.
  private static let pia = Guardian(
    id: "pia", resident: "mary", name: "Pia", email: "pia@example.org", push: "ntfys://n/pia",
    isCaregiver: true)

  /// A dispatched SOS, ended with one of the PINs; sms-modem carries texts and calls, push carries push messages.
  private func house(_ verdict: PINVerdict) throws -> House {
    var house = House(guardians: [House.anna, Self.bo, Self.pia])
    house.handle(
      .ways(
        WaysReport(offers: [
          WaysReport.Offer(channel: .sms, plugin: "sms-modem", isRunning: true),
          WaysReport.Offer(channel: .voice, plugin: "sms-modem", isRunning: true),
          WaysReport.Offer(channel: .push, plugin: "push", isRunning: true),
        ])))
    try house.press()
    house.wait(until: 15)
    try house.ask(.cancel(resident: "mary", pin: nil, message: nil), as: .local, .verdict(verdict))
    house.wait(until: 20)
    return house
  }

  private func plugin(_ name: String) -> Principal { Principal(channel: .plugin, name: name) }

  @Test(
    "A guardian answers by the plugin that tells them, by name or number: others are told, and it ends",
    arguments: [
      ("sms-modem/bo", "Bo"), ("sms-modem/+4790000001", "Bo"), ("push/pia", "Pia"),
    ])
  func ownWay(principal: String, name: String) throws {
    var house = try house(.duress)
    try house.ask(.acknowledge(alarm: nil, by: nil), as: plugin(principal))
    let told = house.messages.last { $0.message.guardian == "anna" }?.message
    #expect(told?.notice == .acknowledged)
    #expect(told?.text.contains("\(name) takes charge") == true, "\(told?.text ?? "")")
    try house.ask(.resolve(alarm: nil, by: nil, reason: "Police came"), as: plugin(principal))
    #expect(house.messages.contains { $0.message.notice == .cancelled })
    #expect(house.engine.summaries().isEmpty)
  }

  @Test(
    "Everybody else hears what they would hear if it were truly over",
    arguments: [
      Principal(channel: .plugin, name: "mqtt/anna"),
      // A number is no proof where the plugin carries no messages.
      Principal(channel: .plugin, name: "mqtt/+4791234567"),
      // Nobody is told by push who has no push address.
      Principal(channel: .plugin, name: "push/bo"),
      Principal(channel: .plugin, name: "sms-modem/pia"),
      Principal(channel: .plugin, name: "sms-modem"),
      Principal(channel: .local, name: "anna"), Principal(channel: .gateway, name: "button/b"),
    ])
  func others(principal: Principal) throws {
    var (real, forced) = (try house(.correct), try house(.duress))
    let tags = try [real, forced].map {
      try #require($0.all(.alarmRaised).first?.draft.text("tag"))
    }
    let by = principal.channel == .local ? "anna" : nil
    let requests: [(String?) -> AlarmRequest] = [
      { .acknowledge(alarm: $0, by: by) }, { .resolve(alarm: $0, by: by, reason: "It is over") },
    ]
    for request in requests {
      for isNamed in [false, true] {
        let answers = [
          real.refusal(request(isNamed ? tags[0] : nil), as: principal),
          forced.refusal(request(isNamed ? tags[1] : nil), as: principal),
        ]
        let words = zip(answers, tags).map {
          $0?.message.description.replacing($1, with: "TAG") ?? "done"
        }
        #expect(words[0] == words[1] && words[0] != "done", "\(words)")
      }
    }
    #expect(!forced.messages.contains { $0.message.notice == .acknowledged })
  }
}

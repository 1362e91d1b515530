import Care
import JSON
import PluginProtocol
import TestSupport
import Testing

/// The plugin with a modem that speaks PDU mode and reads it with an independent codec.
@Suite(.serialized, .enabled(if: ModemUnderTest.isPossible, "socat is not installed"))
struct SendingTests {
  @Test func textsOfEveryKindArriveAsTheyWereAndAreTold() throws {
    let plugin = try ModemUnderTest()
    let texts = [
      "SOS Mary Smith 14:32 needs help. Reply 1 = I am going #A7K2", "a[b]{c}~^|\\€ @£Ω",
      String(repeating: "0123456789", count: 16), String(repeating: "x[", count: 120),
      "老王需要帮助 😀", String(repeating: "帮助😀", count: 60),
    ]
    for (index, text) in texts.enumerated() {
      #expect(try plugin.notify(text, attempt: Int64(index + 1)) == "taken")
      #expect(try plugin.delivery().outcome == .sent)
      let notice = try plugin.delivery()
      #expect(notice.outcome == .delivered && notice.recipient == "anna")
      #expect(notice.event == "alarm-1" && notice.notice == .alarm && notice.channel == "sms")
    }
    #expect(try plugin.sent().map(\.text) == texts)
    // The same attempt once more is taken and not sent again.
    #expect(try plugin.notify(texts[0]) == "taken")
    #expect(try plugin.notify("end", attempt: 9) == "taken")
    #expect(try plugin.delivery().outcome == .sent)
    #expect(try plugin.sent().map(\.text) == texts + ["end"])
  }

  @Test func aMessageThatIsNotDeliveredIsToldSo() throws {
    let plugin = try ModemUnderTest(prepare: [["do": "reports", "outcome": "failed"]])
    #expect(try plugin.notify("help") == "taken")
    #expect(try plugin.delivery().outcome == .sent)
    #expect(try plugin.delivery().outcome == .failed)
  }

  @Test func aRefusalIsTriedAgainAndThenToldWithItsReason() throws {
    let plugin = try ModemUnderTest(prepare: [["do": "fail", "code": 38, "times": 1]])
    #expect(try plugin.notify("help") == "taken")
    #expect(try plugin.delivery().outcome == .sent)
    try plugin.control(["do": "fail", "code": 38])
    #expect(try plugin.notify("help", attempt: 2) == "taken")
    _ = try plugin.delivery()
    let notice = try plugin.delivery()
    #expect(notice.outcome == .failed && notice.detail == "the network is out of order")
  }

  @Test func aMessageWaitsForTheNetwork() throws {
    let plugin = try ModemUnderTest(
      prepare: [["do": "network", "state": "searching"]], expecting: "no-network")
    #expect(try plugin.notify("help") == "taken")
    try plugin.control(["do": "network", "state": "home"])
    _ = try plugin.health("")
    #expect(try plugin.delivery().outcome == .sent)
  }

  @Test func theCardIsUnlockedWithItsPINAndAWrongOneIsTriedOnce() throws {
    let lock: [[String: Any]] = [["do": "lock", "pin": "1234"]]
    let right = try ModemUnderTest(settings: ["pin": "1234"], prepare: lock)
    #expect(try right.notify("help") == "taken")
    #expect(try right.delivery().outcome == .sent)
    let wrong = try ModemUnderTest(settings: ["pin": "9999"], prepare: lock, expecting: "sim")
    #expect(try wrong.logged("not tried again").contains("correct it"))
  }

  @Test func numbersThatAreNoneAndEmergenciesThatAreOffAreRefusedInWords() throws {
    let plugin = try ModemUnderTest()
    for number in [
      "", "112", "0612345678", "+", "+47abc", "+47 912", "Mary", "+123456789012345678901",
    ] {
      #expect(try plugin.notify("help", to: number).contains("country"), "\(number)")
    }
    let contact: JSONValue = [
      "id": "e-1", "resident": "mary", "mode": "text", "number": "112", "text": "help",
    ]
    let refusal = try plugin.outcome(plugin.call("service.emergency", contact))
    #expect(refusal.contains("switched off"))
    #expect(try plugin.sent().isEmpty)
  }

  @Test func anEmergencyTextGoesToAShortNumberOnlyWhenAllowed() throws {
    let plugin = try ModemUnderTest(settings: ["emergency": true])
    func contact(_ number: String, _ mode: String = "text") throws -> String {
      let params: JSONValue = [
        "id": .string("e-\(number)"), "resident": "mary", "mode": .string(mode),
        "number": .string(number), "text": "help",
      ]
      return try plugin.outcome(plugin.call("service.emergency", params))
    }
    for number in ["1", "11212", "+112", "11a", ""] {
      #expect(try contact(number).contains("2 through 4 digits"), "\(number)")
    }
    #expect(try contact("112", "call").contains("grant service:speech"))
    #expect(try contact("112") == "taken")
    let notice = try plugin.delivery()
    #expect(notice.outcome == .sent && notice.recipient == "emergency")
    #expect(try plugin.sent().map(\.number) == ["112"])
  }

  @Test func aModemThatHangsIsLedBackAndTheMessageGoesOut() throws {
    let plugin = try ModemUnderTest()
    try plugin.control(["do": "hang"])
    #expect(try plugin.notify("help") == "taken")
    _ = try plugin.logged("no answer")
    try plugin.control(["do": "recover"])
    #expect(try plugin.delivery().outcome == .sent)
  }

  @Test func whoeverHasNotBeenToldYetIsNotTroubledOnceSomebodyTookCharge() throws {
    let plugin = try ModemUnderTest()
    try plugin.control(["do": "hang"])
    #expect(try plugin.notify("help") == "taken")
    #expect(try plugin.notify("help", to: "+4798765432", guardian: "bob") == "taken")
    #expect(try plugin.notify("Bob is forced", notice: .duress) == "taken")
    #expect(try plugin.notify("Eve goes", notice: .acknowledged) == "taken")
    let notice = try plugin.delivery()
    #expect(notice.recipient == "bob" && notice.outcome == .failed)
    #expect(notice.detail.contains("took charge"))
    try plugin.control(["do": "recover"])
    for _ in 0..<3 { #expect(try plugin.delivery().outcome == .sent) }
    #expect(try plugin.sent().map(\.text) == ["help", "Bob is forced", "Eve goes"])
  }
}

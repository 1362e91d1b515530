import Care
import PluginProtocol
import TestSupport
import Testing

@testable import homeward_plugin_sms_modem

@Suite(.serialized, .enabled(if: ModemUnderTest.isPossible, "socat is not installed"))
struct ReplyDeliveryTests {
  private func told() throws -> ModemUnderTest {
    let plugin = try ModemUnderTest()
    #expect(try plugin.notify("help") == "taken")
    #expect(try plugin.delivery().outcome == .sent)
    return plugin
  }

  @Test func aReplyOfSomebodyWhoWasToldAcknowledges() throws {
    let plugin = try told()
    try plugin.control(["do": "receive", "number": "+4791234567", "text": "1 A7K2"])
    let call = try plugin.command()
    #expect(call.principal == "+4791234567" && call.sentTick != nil)
    #expect(call.request == .alarm(.acknowledge(alarm: "A7K2", by: nil)))
    #expect(try Eventually.holds(withinSeconds: 20) { try plugin.stored() == 0 })
  }

  @Test func strangersAreIgnoredAndOtherWordsAreExplainedOnce() throws {
    let plugin = try told()
    for (number, text) in [("+4799999999", "1"), ("112", "1"), ("+31612345678", "😀")] {
      try plugin.control(["do": "receive", "number": number, "text": text])
      _ = try plugin.logged("is ignored")
    }
    for text in ["what?", "", "😀😀", String(repeating: "long ", count: 60)] {
      try plugin.control(["do": "receive", "number": "+4791234567", "text": text])
      _ = try plugin.logged("no answer")
    }
    #expect(try Eventually.holds(withinSeconds: 20) { try plugin.sent().count == 2 })
    try plugin.control(["do": "receive", "number": "+4791234567", "text": "1."])
    #expect(
      try plugin.command().request == .alarm(.acknowledge(alarm: nil, by: nil)))
    #expect(try plugin.sent().last?.text == "Homeward: to say that you are going, reply 1.")
    #expect(try plugin.sent().count == 2)
  }

  @Test func aReplyThatTheGatewayRefusesIsAnswered() throws {
    let plugin = try told()
    try plugin.control(["do": "receive", "number": "+4791234567", "text": "1"])
    _ = try plugin.command(refusing: "two alarms are open; name one")
    #expect(
      try Eventually.holds(withinSeconds: 20) {
        try plugin.sent().last?.text.contains("two alarms are open") == true
      })
  }
}

@Suite struct ReplyTests {
  @Test(arguments: [
    "1", " 1 ", "1.", "1!", "(1)", "1️⃣", "１", "I am going", "i'm going!", "I’m going", "好", "好的。",
    "1 on my way", "Coming",
  ])
  func meansGoing(_ text: String) {
    #expect(Reply(text, tags: ["A7K2"]) == .acknowledges(tag: nil))
  }

  @Test(arguments: ["1 A7K2", "1 #a7k2", "a7k2 1", "I am going #A7K2"])
  func meansGoingToOneAlarm(_ text: String) {
    #expect(Reply(text, tags: ["B111", "A7K2"]) == .acknowledges(tag: "A7K2"))
  }

  @Test(arguments: [
    "", " ", "😀", "0", "2", "10", "11", "1 2", "1000", "no", "I am not going", "A7K2", "¹",
    "stop", "\u{0}", String(repeating: "1 ", count: 40),
  ])
  func meansNothing(_ text: String) { #expect(Reply(text, tags: ["A7K2"]) == .other) }
}

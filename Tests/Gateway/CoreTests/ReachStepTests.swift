import Care
import Core
import JSON
import Moments
import Testing
import Texts

@Suite("Who can be told, and what can be heard, in one step with everything else")
struct ReachStepTests {
  private static let anna = Guardian(
    id: "anna", resident: "mary", name: "Anna", phone: "+4791234567")
  private static let help = Command.Request.alarm(
    .raise(resident: "mary", kind: .sos, trigger: .commandLine, text: ""))

  private func house(offers: [Guardian.Channel] = []) -> CoreFixture {
    var house = CoreFixture()
    house.step(.started(version: "0"))
    // Without a receiver: one that reports nothing would be a fault of its own.
    house.perform(
      .putResident(Resident(id: "mary", name: "Mary", timeZone: "Australia/Darwin")))
    offer(offers, &house)
    return house
  }

  @discardableResult
  private func offer(_ channels: [Guardian.Channel], _ house: inout CoreFixture) -> StepResult {
    house.step(
      .observation(
        .ways(
          WaysReport(
            offers: channels.map {
              WaysReport.Offer(channel: $0, plugin: "sms-modem", isRunning: true)
            }))))
  }

  private func pass(_ seconds: Int64, _ house: inout CoreFixture) -> [StepResult] {
    var results: [StepResult] = []
    let end = house.now.tick.advanced(byMilliseconds: seconds * 1000)
    while let next = house.core.nextWake, next <= end {
      let wait = max(1, next.milliseconds(since: house.now.tick))
      results.append(house.step(.wake, afterSeconds: Double(wait) / 1000))
    }
    return results
  }

  private func health(_ component: ComponentID, _ state: HealthState, _ house: inout CoreFixture)
    -> StepResult
  {
    house.step(
      .observation(
        .health(
          HealthReport(
            component: component, state: state, code: state == .working ? "" : "x",
            detail: Message("There is no sound device.")))))
  }

  @Test("That nobody can be told is a fault that lasts until somebody can")
  func nobodyIsAFault() throws {
    var house = house()
    #expect(house.core.upkeep.reachReport?.state == .failed)
    #expect(house.core.upkeep.reachReport?.code == "nobody-reachable")
    let raised = pass(600, &house).flatMap(\.events).filter { $0.type == .faultRaised }
    #expect(raised.map { $0.facts["component"] } == ["guardians"])
    // Whoever looks after the gateway hears of it; there is nobody whom an alarm could be sent to.
    #expect(house.core.alarms.summaries().isEmpty)

    let answer = house.perform(Self.help).reply
    guard case .done(let reply) = answer else {
      Issue.record("help was refused")
      return
    }
    #expect(reply["isReachable"] == false)
    #expect(reply["reach"]?.stringContent?.contains("there is no guardian") == true)

    house.perform(.putGuardian(Self.anna))
    #expect(house.core.upkeep.reachReport?.state == .failed)
    let cleared = offer([.sms], &house)
    #expect(house.core.upkeep.reachReport?.state == .working)
    #expect(cleared.events.contains { $0.type == .faultCleared })
    guard case .done(let again) = house.perform(Self.help).reply else { return }
    #expect(again["isReachable"] == true)
  }

  @Test("A plugin that says that it does not work leads to nobody")
  func failedPlugin() {
    var house = house(offers: [.sms])
    house.perform(.putGuardian(Self.anna))
    #expect(house.core.upkeep.reachReport?.state == .working)
    _ = health("plugin/sms-modem", .failed, &house)
    _ = pass(600, &house)
    #expect(house.core.upkeep.reachReport?.code == "nobody-reachable")
    _ = health("plugin/sms-modem", .working, &house)
    #expect(house.core.upkeep.reachReport?.state == .working)
  }

  @Test("A week in which no way was proved is told, until one is")
  func unprovenWeek() throws {
    var house = house(offers: [.sms])
    house.perform(.putGuardian(Self.anna))
    _ = pass(6 * 86_400, &house)
    #expect(house.core.upkeep.reachReport?.state == .working)
    let told = pass(2 * 86_400, &house).flatMap(\.events).filter { $0.type == .faultRaised }
    #expect(told.map { $0.facts["code"] } == ["unproven"])
    #expect(told.first?.facts["state"] == "degraded")
    #expect(house.core.alarms.summaries().isEmpty)
    var results = [house.perform(.alarm(.test(resident: "mary")))]
    results += pass(1, &house)
    let asked = results.flatMap(\.actions).compactMap { action -> AlarmMessage? in
      if case .notify(let message) = action { message } else { nil }
    }
    let alarm = try #require(asked.first { $0.channel == .sms }).alarm
    func report(of plugin: String) -> StepResult {
      house.step(
        .observation(
          .delivery(
            DeliveryReport(
              plugin: plugin, event: EventID(alarm.rawValue), recipient: "anna", channel: "sms",
              outcome: .sent, notice: .test))))
    }
    // Whoever was not asked proves nothing, and nothing is noted of it.
    #expect(report(of: "liar").events.isEmpty)
    #expect(house.core.upkeep.reachReport?.state == .degraded)
    #expect(report(of: "sms-modem").events.contains { $0.type == .deliveryReported })
    #expect(house.core.upkeep.reachReport?.state == .working)
    let ways = house.core.alarms.reachSummaries(at: house.now).first?["ways"]?.arrayContent ?? []
    #expect(ways.first?["lastTest"] != nil && ways.first?["state"] == "proven")
    // It is known again in the next run, from what is stored.
    let next = GatewayCore(
      stored: house.core.storedState, configuration: CoreConfiguration(gateway: "test"), seed: 9,
      boot: "b", at: house.now)
    #expect(next.alarms.reachSummaries(at: house.now).first?["isProven"] == true)
  }

  @Test(
    "A heartbeat says for each resident whether somebody can be told, and guardians show their ways"
  )
  func heartbeat() throws {
    var house = house()
    let beat = try #require(pass(7200, &house).flatMap(\.events).first { $0.type == .heartbeat })
    #expect(
      beat.facts["reach"] == [["resident": "mary", "isReachable": false, "isProven": false]])
    house.perform(.putGuardian(Self.anna))
    let listed = house.core.alarms.guardianSummaries(of: "mary", at: house.now).first
    #expect(listed?["ways"]?.arrayContent?.map { $0["state"] } == ["missing", "missing"])
  }

  @Test("No heartbeat is wanted: none is made, and nothing wakes for one")
  func noHeartbeat() {
    var house = CoreFixture(
      configuration: CoreConfiguration(gateway: "test", heartbeatSeconds: 0))
    #expect(!house.step(.started(version: "0")).events.contains { $0.type == .heartbeat })
    #expect(house.core.nextWake == nil)
    #expect(!house.step(.wake, afterSeconds: 86_400).events.contains { $0.type == .heartbeat })
    #expect(house.core.nextWake == nil)
  }

  @Test("What became of a message is told in words")
  func deliveryWords() throws {
    var house = house(offers: [.sms])
    house.perform(.putGuardian(Self.anna))
    let result = house.step(
      .observation(
        .delivery(
          DeliveryReport(
            plugin: "", event: "01a2", recipient: "anna", channel: "sms", outcome: .failed,
            detail: "no plugin offers notify.sms"))))
    let told = try #require(result.events.first { $0.type == .deliveryReported })
    #expect(
      told.facts["explanation"] == "The text message to Anna failed: no plugin offers notify.sms")
  }

  // MARK: Sound

  @Test(
    "Where nothing can be heard, nothing is said to be said",
    arguments: [HealthState.failed, .unused])
  func nothingIsHeard(state: HealthState) {
    var house = house()
    let requests: [RoomRequest] = [
      .say(text: "Lunch", language: "en"), .playSound(name: "chime"),
      .speakHelp(language: "en"), .startFakeCall(resident: "mary", afterSeconds: 0),
    ]
    for request in requests {
      #expect(house.perform(.room(request)).reply?.refusalCode == nil)
      house.perform(.room(.endFakeCall))
    }
    _ = health("sound", state, &house)
    for request in requests {
      let reply = house.perform(.room(request)).reply
      #expect(reply?.refusalCode == .conflict)
      guard case .refused(let refusal) = reply else { continue }
      #expect(refusal.message.description.contains("no sound device"))
    }
    _ = health("sound", .working, &house)
    #expect(house.perform(.room(requests[0])).reply?.refusalCode == nil)
  }

  @Test("Without a plugin that speaks, whoever has something said hears that only a tone is heard")
  func nobodySpeaks() throws {
    var house = house()
    func say() throws -> JSONValue {
      guard case .done(let reply) = house.perform(.room(.say(text: "Lunch", language: "en"))).reply
      else { throw CommandReply.Refusal(.conflict, Message("The request was refused.")) }
      return reply
    }
    func offer(_ voice: WaysReport.Service?) {
      house.step(.observation(.ways(WaysReport(offers: [], voice: voice))))
    }
    offer(nil)
    #expect(try say()["isSpoken"] == false)
    #expect(try say()["explanation"]?.stringContent?.contains("Enable the plugin speech") == true)
    offer(WaysReport.Service(plugin: "speech", isRunning: false))
    #expect(try say()["explanation"]?.stringContent?.contains("homeward plugins") == true)
    offer(WaysReport.Service(plugin: "speech", isRunning: true))
    #expect(try say() == ["isSpoken": true])
    _ = health("speech", .degraded, &house)
    #expect(try say()["isSpoken"] == false)
    _ = health("speech", .working, &house)
    #expect(try say() == ["isSpoken": true])
    guard case .done(let help) = house.perform(.room(.speakHelp(language: "en"))).reply else {
      Issue.record("help was refused")
      return
    }
    #expect(help["isSpoken"] == true)
  }

  @Test("Switching a part off does not say that it works again")
  func switchedOff() throws {
    var house = house(offers: [.sms])
    house.perform(.putGuardian(Self.anna))
    _ = health("sound", .failed, &house)
    _ = pass(1200, &house)
    let alarm = try #require(house.core.alarms.summaries().first)
    #expect(alarm["kind"] == "fault")
    let events = health("sound", .unused, &house).events
    #expect(house.core.alarms.summaries().isEmpty)
    let words = events.compactMap { $0.facts["explanation"]?.stringContent }
    #expect(!words.isEmpty)
    #expect(words.allSatisfy { $0.contains("is not used any more") }, "\(words)")
  }
}

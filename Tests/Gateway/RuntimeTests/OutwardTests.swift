import Care
import JSON
import Loop
import LoopTestSupport
import Ports
import Testing
import Texts

@testable import Runtime

@Suite("What reaches people") @LoopActor
struct OutwardTests {
  private final class Seen { var observations: [Observation] = [] }

  private let services = ScriptedServices()
  private let seen = Seen()
  private let message = AlarmMessage(
    alarm: "0199", tag: "A7K2", notice: .alarm, guardian: "anna", channel: .sms,
    address: "+4791234567", attempt: 1, text: "t", spokenText: "s", language: "en",
    asksForAcknowledgement: true)

  private func calls(hasServices: Bool = true) -> OutwardCalls {
    OutwardCalls(
      OutwardCalls.Links(
        services: hasServices ? services : nil, pictures: ScriptedPictures(),
        observer: { [seen] in seen.observations.append($0) }))
  }

  private var failures: [DeliveryReport] {
    seen.observations.compactMap { if case .delivery(let report) = $0 { report } else { nil } }
  }

  @Test(
    "A message goes to the plugin of its channel, and one that is taken is told by the plugin alone"
  )
  func taken() {
    services.answers["notify.sms"] = .success(["outcome": "taken"])
    calls().notify(message)
    #expect(services.calls.map(\.name) == ["notify.sms"])
    #expect(services.calls.first?.params == message.json)
    #expect(seen.observations.isEmpty)
  }

  @Test("A plugin that refuses, is away, or answers nonsense has failed, and the reason is told")
  func failed() {
    let answers: [Result<JSONValue, ServiceFailure>] = [
      .success(["outcome": "failed", "detail": "no SIM card"]),
      .failure(ServiceFailure(isMissing: true, message: Message(verbatim: "no plugin offers it"))),
      .success(["hello": "world"]), .success(.null),
    ]
    for answer in answers {
      services.answers["notify.sms"] = answer
      calls().notify(message)
    }
    #expect(failures.count == 4)
    #expect(failures.map(\.detail).prefix(2) == ["no SIM card", "no plugin offers it"])
    #expect(
      failures.allSatisfy {
        $0.event == "0199" && $0.recipient == "anna" && $0.channel == "sms"
          && $0.outcome == .failed && $0.notice == .alarm
      })
  }

  @Test("Without plugins a message has failed, after this step")
  func noPlugins() async {
    calls(hasServices: false).notify(message)
    #expect(seen.observations.isEmpty)
    await withLoopContinuation { continuation in
      EventLoop.current.post { continuation.resume() }
    }
    #expect(failures.map(\.outcome) == [.failed])
  }

  @Test("A photograph is kept before it is told of; a camera that is away is told with its reason")
  func photographs() {
    services.answers["photograph"] = .success(["path": "/p/1.jpg"])
    calls().photograph("0199", "ada")
    services.answers["photograph"] = .failure(
      .init(isMissing: false, message: Message(verbatim: "no camera")))
    calls().photograph("0199", "ada")
    services.answers["photograph"] = .success(["outcome": "taken"])
    calls().photograph("0199", "ada")
    let photos = seen.observations.compactMap { observation in
      if case .photo(let report) = observation { report } else { nil }
    }
    #expect(photos.map(\.path) == ["kept:/p/1.jpg", nil, nil])
    #expect(photos[1].detail == "no camera" && !photos[2].detail.isEmpty)
  }

  @Test(
    "Emergency services that cannot be reached are a failed delivery to the recipient emergency")
  func emergency() {
    calls().contact(
      EmergencyContact(id: "e1", resident: "ada", mode: .call, number: "112", text: "t"))
    #expect(services.calls.map(\.name) == ["emergency"])
    #expect(failures.map(\.recipient) == ["emergency"] && failures.map(\.channel) == ["voice"])
  }
}

@Suite("The gate for PINs") @LoopActor
struct PINGateTests {
  private func passed(
    _ request: AlarmRequest, okay: String? = nil, duress: String? = nil
  ) -> Result<Command, CommandReply.Refusal>? {
    var outcome: Result<Command, CommandReply.Refusal>?
    PINGate(keeper: ScriptedCredentials(), hash: { kind, _ in kind == .okay ? okay : duress }).pass(
      Command(
        id: "c", principal: Principal(channel: .local, name: "anna"), request: .alarm(request)),
      onward: { outcome = .success($0) }, refuse: { outcome = .failure($0) })
    return outcome
  }

  @Test(
    "No PIN goes on: its verdict does",
    arguments: [
      ("1234", PINVerdict.correct), ("9876", .duress), ("1111", .wrong), ("", .wrong),
    ])
  func verdicts(pin: String, verdict: PINVerdict) throws {
    let request = AlarmRequest.cancel(resident: "ada", pin: pin, message: "well")
    let command = try #require(try passed(request, okay: "#1234", duress: "#9876")?.get())
    #expect(command.pinVerdict == verdict)
    #expect(
      command.request == .alarm(.cancel(resident: "ada", pin: nil, message: "well")))
    #expect(try !CommandText.contains(command, pin))
  }

  private enum CommandText {
    static func contains(_ command: Command, _ pin: String) throws -> Bool {
      !pin.isEmpty && String(decoding: command.json.serializedBytes, as: UTF8.self).contains(pin)
    }
  }

  @Test("A PIN to be set becomes a hash")
  func hashes() throws {
    let request = AlarmRequest.setPIN(resident: "ada", kind: .duress, pin: "9876")
    let command = try #require(try passed(request, okay: "#1234")?.get())
    #expect(command.pinHash == "#9876")
  }

  @Test(
    "Two equal PINs, letters, too few and too many digits are refused",
    arguments: [
      "1234", "12a4", "123", "1234567890123", "", "１２３４",
    ])
  func refusals(pin: String) {
    guard
      case .failure(let refusal) = passed(
        .setPIN(resident: "ada", kind: .duress, pin: pin), okay: "#1234")
    else {
      Issue.record("\(pin) was taken")
      return
    }
    #expect(refusal.code == (pin == "1234" ? .conflict : .invalid))
  }

  @Test("Setting the same PIN anew is no conflict with itself")
  func again() throws {
    let request = AlarmRequest.setPIN(resident: "ada", kind: .okay, pin: "1234")
    #expect(try passed(request, okay: "#1234", duress: "#9876")?.get().pinHash == "#1234")
  }
}

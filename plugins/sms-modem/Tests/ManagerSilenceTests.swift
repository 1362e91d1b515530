import Care
import DBus
import Foundation
import JSON
import Loop
import Moments
import PluginProtocol
import PluginTestSupport
import Ports
import ShortMessage
import TestSupport
import Testing

@testable import homeward_plugin_sms_modem

/// ModemManager that answers late or never, with little patience; and the plugin in its confinement.
@LoopActor
@Suite(
  .serialized, .enabled(if: ManagerRig.isPossible, "dbus-daemon or python3-dbus is not installed"))
struct ManagerSilenceTests {
  /// A connection to the rig's bus, as the host makes it.
  private func connection(to path: String) throws -> Int32 {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix(107)) }
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(result == 0)
    return descriptor
  }

  /// Waits on the loop until something that the modem tells makes a condition true.
  @LoopActor
  private final class Witness {
    var onChange: @LoopActor () -> Void = {}

    func wait(until condition: @escaping @LoopActor () -> Bool) async {
      if condition() { return }
      await withCheckedContinuation { continuation in
        onChange = { [weak self] in
          guard condition() else { return }
          self?.onChange = {}
          continuation.resume()
        }
      }
    }
  }

  @Test func aBusMayBeClosedByACallThatRanOutOfTime() async throws {
    let rig = try ManagerRig()
    try rig.ask("own")
    rig.freeze()
    let descriptor = try connection(to: rig.socket)
    let result = await withCheckedContinuation { continuation in
      var bus: SystemBus?
      bus = SystemBus(descriptor: descriptor, onSignal: { _ in }, onLost: {})
      bus?.call(
        "org.freedesktop.ModemManager1", "/", "org.freedesktop.DBus.Peer", "Ping",
        timeoutMilliseconds: 50
      ) { result in
        bus?.close()
        bus = nil
        continuation.resume(returning: result.map { _ in true })
      }
    }
    guard case .failure(let fault) = result else {
      Issue.record("a frozen program has answered")
      return
    }
    #expect(fault.isTimeOut)
  }

  private func modem(
    _ rig: ManagerRig, _ witness: Witness, _ patience: ManagerModem.Patience
  ) async throws -> ManagerModem {
    let handlers = ModemHandlers(
      onChange: { witness.onChange() }, onReport: { _, _, _ in }, onReceived: { _, _ in },
      onCallNews: { _ in },
      onNeedsRestart: { _ in }, onPINTry: { _ in }, onPINAccepted: {}, isPINSpent: { true })
    let settings = try SMSModemSettings(json: .object([]))
    let modem = ManagerModem(settings: settings, handlers: handlers, patience: patience)
    try #require(modem.connect(try connection(to: rig.socket)))
    modem.start()
    await witness.wait { modem.isReady }
    return modem
  }

  /// How a send ended, and how the modem was at that moment.
  private struct Ending: Sendable {
    var result: SendResult
    var references: [UInt8]
    var isReady: Bool
    var code: String
  }

  private func send(_ modem: ManagerModem) async -> Ending {
    let message = AlarmMessage(
      alarm: "alarm-1", tag: "A7K2", notice: .alarm, guardian: "anna", channel: .sms,
      address: "+4791234567", attempt: 1, text: "help", spokenText: "help", language: "en",
      asksForAcknowledgement: true)
    let entry = Outbox.Entry(
      dispatch: Dispatch(message), takenAt: Timestamp(milliseconds: 0), since: EventLoop.now,
      notBefore: EventLoop.now)
    var references: [UInt8] = []
    return await withCheckedContinuation { continuation in
      modem.send(entry, onPart: { reference, _ in references.append(reference) }) {
        continuation.resume(
          returning: Ending(
            result: $0, references: references, isReady: modem.isReady, code: modem.health.code))
      }
    }
  }

  private func started(_ patience: ManagerModem.Patience) async throws -> (
    ManagerRig, ManagerModem, Witness
  ) {
    let (rig, witness) = (try ManagerRig(), Witness())
    try rig.ask("plug")
    try rig.ask("own")
    return (rig, try await modem(rig, witness, patience), witness)
  }

  @Test func aSendThatIsDoneAndNotAnsweredCountsAsSent() async throws {
    let (rig, modem, _) = try await started(.init(sendMilliseconds: 200))
    try rig.ask("mode", ["sends": ["silence"]])
    let answer = await send(modem)
    #expect(answer.result == .sent && answer.references == [41])
    modem.stop()
  }

  @Test func aSendThatTakesLongIsAskedForUntilItIsDone() async throws {
    let (rig, modem, _) = try await started(
      .init(sendMilliseconds: 100, doubtMilliseconds: 60_000, askMilliseconds: 50))
    try rig.ask("mode", ["sends": ["late"]])
    let answer = await send(modem)
    #expect(answer.result == .sent && answer.references == [41])
    #expect(try rig.sent() == ["help"])
    modem.stop()
  }

  @Test func aSendThatNeverEndsIsGivenUpAndTheModemRestsUntilItIsAskedAgain() async throws {
    let (rig, modem, witness) = try await started(
      .init(
        restMilliseconds: 100, sendMilliseconds: 100, doubtMilliseconds: 200, askMilliseconds: 50))
    try rig.ask("mode", ["sends": ["sending"]])
    let answer = await send(modem)
    #expect(answer.result == .modemFailed("ModemManager did not answer"))
    #expect(!answer.isReady && answer.code == "modem-fails")
    await witness.wait { modem.isReady }
    #expect(await send(modem).result == .sent)
    modem.stop()
  }

  @Test func oneThatNoLongerAnswersAtAllIsNoModemUntilItDoes() async throws {
    let (rig, modem, witness) = try await started(
      .init(pollMilliseconds: 50, answerMilliseconds: 100))
    try rig.ask("mute", ["on": true])
    await witness.wait { modem.health.code == "modemmanager-fails" }
    #expect(!modem.ownsModem && !modem.isReady)
    try rig.ask("mute", ["on": false])
    await witness.wait { modem.isReady }
    modem.stop()
  }

  @Test func confinedByTheHostItReachesModemManagerWithTheGrant() async throws {
    let rig = try ManagerRig()
    try rig.ask("plug")
    try rig.ask("own")
    let hosted = try HostedPlugin(
      "sms-modem", settings: ["backend": "modemmanager"],
      grants: ["observe:delivery", "bus.system"], systemBus: rig.socket)
    #expect(await hosted.wait(for: .working) != nil)
    await hosted.stop()
    let refused = try HostedPlugin(
      "sms-modem", settings: ["backend": "modemmanager"], grants: ["observe:delivery"],
      systemBus: rig.socket)
    #expect(await refused.wait(for: .failed, code: "no-bus") != nil)
    await refused.stop()
  }

  @Test func theConformanceSuitePassesWithEveryBackend() async throws {
    for backend in ["auto", "modemmanager"] {
      let result = try await HostedPlugin.conformance(
        "sms-modem", settings: ["backend": .string(backend)])
      #expect(result.failed.isEmpty && result.count > 5)
    }
  }
}

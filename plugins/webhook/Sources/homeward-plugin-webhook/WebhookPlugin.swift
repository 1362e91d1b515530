import Bytes
import Care
import CurlTransfer
import JSON
import Loop
import Moments
import PluginKit
import PluginProtocol

/// Posts events to a web address, and takes acknowledgements that come back in answers.
@LoopActor
final class WebhookPlugin: Plugin {
  static let credits = DeliveryCredits(events: 100, bytes: 262_144)
  /// How long an acknowledgement is valid, in milliseconds.
  private static let claimMilliseconds: Int64 = 60_000
  private static let acknowledge = "alarm.acknowledge"

  private let link: HostLink
  private let posts = PostLoop()
  private var lanes: [Lane: LaneDelivery] = [:]
  private var guardians = GuardianTokens([:])
  private var identifiers = IdentifierGenerator(seed: .random(in: .min ... .max))

  private(set) var health = PluginHealth(state: .working)

  init(link: HostLink) { self.link = link }

  func initialize(_ request: InitializeRequest) throws(RPCError) -> DeliveryCredits {
    let settings = try WebhookSettings(json: request.settings)
    guardians = settings.guardians
    if !guardians.isEmpty, !request.grants.contains("command:\(Self.acknowledge)") {
      PluginLog.write(
        .warning, "guardians are set, but the plugin lacks the grant command:\(Self.acknowledge)")
    }
    for lane in Lane.allCases {
      lanes[lane] = LaneDelivery(
        settings: settings, posts: posts,
        onHealth: { [weak self] in self?.note($0) },
        onAnswer: { [weak self] in self?.take($0) })
    }
    return Self.credits
  }

  func deliver(_ batch: ReceivedBatch, reply: @escaping @LoopActor (BatchOutcomes) -> Void) {
    lanes[batch.lane]?.deliver(batch, reply: reply)
  }

  func shutdown(completion: @escaping @LoopActor () -> Void) {
    posts.stop()
    completion()
  }

  private func note(_ health: PluginHealth) {
    guard health != self.health else { return }
    self.health = health
    if health.state != .working { PluginLog.write(.warning, health.detail) }
    link.healthChanged()
  }

  // MARK: Acknowledgements

  private func take(_ answer: Answer) {
    guard !guardians.isEmpty, !answer.isCut else { return }
    let claim: GuardianTokens.Claim
    do throws(DecodeError) {
      guard let found = try GuardianTokens.claim(in: answer.body) else { return }
      claim = found
    } catch {
      return PluginLog.write(.warning, "ignored an acknowledgement in the answer: \(error)")
    }
    guard guardians.permits(claim) else {
      return PluginLog.write(
        .warning, "refused an acknowledgement: the token is not that guardian's")
    }
    hand(claim)
  }

  private func hand(_ claim: GuardianTokens.Claim) {
    let now = WallClock.now
    let freshUntil = EventLoop.now.advanced(byMilliseconds: Self.claimMilliseconds)
    let request: JSONValue = [
      "action": .string(Self.acknowledge), "target": .string(claim.alarm),
    ]
    let params: JSONValue = [
      "principal": .string(claim.guardian), "id": .string(identifiers.next(at: now)),
      "freshUntil": .integer(freshUntil.wholeMilliseconds), "request": request,
    ]
    link.command(params) { result in
      switch result {
      case .success: PluginLog.write(.info, "an alarm was acknowledged by the receiver's answer")
      case .failure(let error):
        PluginLog.write(
          .warning, "the gateway did not take an acknowledgement: \(error.logWords)")
      }
    }
  }
}

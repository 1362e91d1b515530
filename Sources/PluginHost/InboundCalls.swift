import CareModel
import EventLoop
import GatewayPorts
import PluginProtocol
import Texts

/// What a plugin asks of the host: each call checked against its grants, answered once.
@LoopActor
final class InboundCalls {
  /// What the calls need from the plugin's runner.
  struct Links {
    var plugin: String
    var grants: Set<Grant>
    var environment: PluginHost.Environment
    var callService:
      @LoopActor (ServiceCall, _ answer: @escaping @LoopActor (Result<JSONValue, RPCError>) -> Void)
        -> Void
    var onHealth: @LoopActor (PluginHealth) -> Void
    var onReject: @LoopActor (String) -> Void
    var reply: @LoopActor ([UInt8]) -> Void
    var onOpenCount: @LoopActor (Int) -> Void
  }

  typealias Answer = Result<JSONValue, RPCError>

  static let rememberedCommands = 256
  static let furthestExpiryMilliseconds: Int64 = 24 * 3_600_000

  private let links: Links
  private(set) var openCount = 0 {
    didSet { links.onOpenCount(openCount) }
  }
  private var rooms = RoomAllowance()
  private var commandAnswers: [CommandID: Answer] = [:]
  private var commandOrder: [CommandID] = []
  private var commandsOnTheWay: Set<CommandID> = []

  init(_ links: Links) { self.links = links }

  /// Answers a request.
  func handle(id: RPCID, method: String, message: RPCMessage) {
    openCount += 1
    var isOpen = true
    perform(method, message) { [weak self] answer in
      guard let self, isOpen else { return }
      isOpen = false
      self.openCount -= 1
      self.links.reply(
        Self.line(id: id, answer: answer))
    }
  }

  private static func line(id: RPCID, answer: Answer) -> [UInt8] {
    switch answer {
    case .success(let result): RPCLine.result(id: id, result)
    case .failure(let error): RPCLine.failure(id: id, error)
    }
  }

  /// Takes a notification; those that are unknown, malformed or not granted are left out and said.
  func handle(notification method: String, message: RPCMessage) {
    do throws(DecodeError) {
      switch method {
      case PluginMethod.health: links.onHealth(try PluginHealth(json: message.payload()))
      case PluginMethod.delivery: try takeDelivery(DeliveryNotice(json: message.payload()))
      default:
        links.onReject(
          "it sent the notification \(method.asPluginReason(limit: 60)), which is not known")
      }
    } catch {
      links.onReject(
        "its notification \(method.asPluginReason(limit: 60)) cannot be read: \(error)")
    }
  }

  private func takeDelivery(_ notice: DeliveryNotice) throws(DecodeError) {
    guard links.grants.contains(.observe("delivery")) else {
      return links.onReject("it reports deliveries without the grant observe:delivery")
    }
    links.environment.onObservation(links.plugin, .delivery(notice.report(of: links.plugin)))
  }

  private func perform(
    _ method: String, _ message: RPCMessage, _ answer: @escaping @LoopActor (Answer) -> Void
  ) {
    do throws(DecodeError) {
      switch method {
      case PluginMethod.observe:
        switch try ObserveCall(json: message.payload()) {
        case .observation(let observation): answer(observe(observation))
        case .room(let message): answer(observe(message))
        }
      case PluginMethod.command: command(try CommandCall(json: message.payload()), answer)
      case PluginMethod.callService: callService(try ServiceCall(json: message.payload()), answer)
      default: answer(.failure(.methodNotFound(method)))
      }
    } catch {
      answer(.failure(.invalidParameters(error)))
    }
  }

  // MARK: Observations

  private func observe(_ observation: Observation) -> Answer {
    let (kind, taken): (String, Observation?) =
      switch observation {
      case .fix: ("fix", observation)
      case .health(let report): ("health", .health(qualified(report)))
      case .delivery(var report):
        (
          "delivery",
          {
            report.plugin = links.plugin
            return .delivery(report)
          }()
        )
      case .clock: ("clock", nil)
      case .button(let report): ("button", .button(qualified(report)))
      case .photo: ("photo", nil)
      case .sound: ("sound", nil)
      // Who says what is heard nearby could call somebody home who is not, or give them another's glucose.
      case .sighting: ("sighting", nil)
      case .listening: ("listening", nil)
      case .meter: ("meter", nil)
      // The host alone knows who offers what.
      case .ways: ("ways", nil)
      }
    guard let taken else {
      return .failure(
        RPCError(
          code: RPCError.refusedCode, message: "plugins hand in no observations of \(kind)"))
    }
    guard links.grants.contains(.observe(kind)) else {
      return .failure(notGranted("observe:\(kind)"))
    }
    links.environment.onObservation(links.plugin, taken)
    return .success(.object([]))
  }

  /// Takes what devices in rooms say, as fast as it may come; what comes faster is dropped and counted.
  private func observe(_ message: RoomMessage) -> Answer {
    let grant = Grant.observe(message.kind)
    guard links.grants.contains(grant) else { return .failure(notGranted(grant.rawValue)) }
    guard rooms.takes(message, at: EventLoop.now) else {
      if let notice = rooms.notice(at: EventLoop.now) { links.onReject(notice) }
      return .failure(RPCError(code: RPCError.busyCode, message: RoomAllowance.refusal))
    }
    links.environment.onRoomMessage(links.plugin, message)
    return .success(.object([]))
  }

  /// A plugin speaks for itself and its own parts only.
  private func qualified(_ report: HealthReport) -> HealthReport {
    var report = report
    let own = "plugin/\(links.plugin)"
    if report.component.rawValue != own, !report.component.rawValue.hasPrefix("\(own)/") {
      report.component = ComponentID(
        "\(own)/\(report.component.rawValue.asPluginReason(limit: 60))")
    }
    return report
  }

  /// A button that a plugin watches is never taken for one of the gateway's own.
  private func qualified(_ report: ButtonReport) -> ButtonReport {
    var report = report
    let own = "\(links.plugin)-"
    if !report.button.rawValue.hasPrefix(own) {
      report.button = SourceID("\(own)\(report.button.rawValue.asPluginReason(limit: 60))")
    }
    return report
  }

  private func notGranted(_ grant: String) -> RPCError {
    RPCError(
      code: RPCError.notGrantedCode,
      message:
        "this plugin has no grant \(grant); the owner's configuration and its manifest give it")
  }

  // MARK: Commands

  private func command(_ call: CommandCall, _ answer: @escaping @LoopActor (Answer) -> Void) {
    let grant = Grant.command(call.request.action)
    guard links.grants.contains(grant) else { return answer(.failure(notGranted(grant.rawValue))) }
    if let before = commandAnswers[call.id] { return answer(before) }
    guard !commandsOnTheWay.contains(call.id) else {
      return answer(
        .failure(
          RPCError(
            code: RPCError.busyCode,
            message: gettext("this command is on its way already", in: language(of: call)))))
    }
    if let refusal = expiryRefusal(call) { return answer(.failure(refusal)) }
    commandsOnTheWay.insert(call.id)
    let language = language(of: call)
    links.environment.onCommand(call.command(of: links.plugin)) { [weak self] reply in
      let outcome = Self.answer(to: reply, in: language)
      self?.remember(outcome, of: call.id)
      answer(outcome)
    }
  }

  /// The language in which a command is answered.
  private func language(of call: CommandCall) -> Language {
    call.language.map { Language($0) } ?? links.environment.language
  }

  private func expiryRefusal(_ call: CommandCall) -> RPCError? {
    let now = links.environment.clock.now()
    guard now.quality.isTrusted, let expiresAt = call.expiresAt else { return nil }
    if expiresAt <= now.utc {
      return RPCError(
        code: RPCError.refusedCode,
        message: gettext("the command has expired; send it again", in: language(of: call)))
    }
    guard expiresAt.milliseconds(since: now.utc) <= Self.furthestExpiryMilliseconds else {
      return RPCError(
        code: RPCError.refusedCode,
        message: gettext("expiresAt may be at most 24 hours ahead", in: language(of: call)))
    }
    return nil
  }

  private static func answer(to reply: CommandReply, in language: Language) -> Answer {
    switch reply {
    case .done(let result): .success(["result": result])
    case .refused(let refusal):
      .failure(
        RPCError(
          code: RPCError.refusedCode,
          message: "\(refusal.code.rawValue): \(refusal.message.text(in: language))"))
    }
  }

  private func remember(_ answer: Answer, of id: CommandID) {
    commandsOnTheWay.remove(id)
    commandAnswers[id] = answer
    commandOrder.append(id)
    if commandOrder.count > Self.rememberedCommands {
      commandAnswers[commandOrder.removeFirst()] = nil
    }
  }

  // MARK: Services

  private func callService(_ call: ServiceCall, _ answer: @escaping @LoopActor (Answer) -> Void) {
    guard Grant(rawValue: "service:\(call.service)") != nil,
      links.grants.contains(.service(call.service))
    else {
      return answer(.failure(notGranted("service:\(call.service.asPluginReason(limit: 60))")))
    }
    links.callService(call, answer)
  }
}

import Accounts
import Bytes
public import Care
import Core
public import Door
import GlucoseValues
public import JSON
import Loop
import Moments
import Ports
import Privacy
import Texts

/// What everybody passes who asks for something.
extension GatewayRuntime {
  /// How a question is answered.
  public typealias Answer = @LoopActor (Result<RouteAnswer, CommandReply.Refusal>) -> Void

  /// What answers each question, feature by feature.
  static let handlings: [Handling] =
    gatewayHandlings + accountHandlings + linkHandlings + householdHandlings + mapHandlings
    + noteHandlings + glucoseHandlings + bluetoothHandlings + journalHandlings + pluginHandlings

  private static let handlers = Dictionary(handlings.map { ($0.route, $0.handle) }) { first, _ in
    first
  }

  /// Answers a question; who may not have the answer is refused.
  public func answer(
    _ route: Route, params: JSONValue, asking: Asking, _ answer: @escaping Answer
  ) {
    do {
      let params = params == .null ? .object([]) : params
      let reader = try JSONReader(params)
      let asked = Asked(route: route, params: params, reader: reader, asking: asking)
      let named = try asked.subject()
      let disarms = route.disarmingParameter.map { reader.optional($0) != nil } ?? false
      let decision = Policy.decide(asking, route, naming: named, disarms: disarms)
      if let refusal = decision.refusal(with: asking.proof) { return answer(.failure(refusal)) }
      guard let handle = Self.handlers[route] else { return answer(.failure(Self.unknown(route))) }
      // Whose a thing is that an id names shows later; the list that told the id was noted.
      if route.reach != .found { noteLook(of: asking, at: named, route.needs) }
      try handle(self, asked, asking.grants.map { filtered(answer, to: route, $0) } ?? answer)
    } catch let refusal as CommandReply.Refusal {
      answer(.failure(refusal))
    } catch let error as DecodeError {
      answer(
        .failure(
          CommandReply.Refusal(
            .invalid, Message("The request does not fit: {error}.", ["error": error]))))
    } catch {
      answer(.failure(CommandReply.Refusal(.invalid, Message("The request does not fit."))))
    }
  }

  /// What goes to a plugin loses on its way what that was not granted.
  private func filtered(
    _ answer: @escaping Answer, to route: Route, _ grants: Set<String>
  ) -> Answer {
    let clearance = answerClearances.clearance(of: grants)
    return { [privacy = parts.privacy] result in
      guard let privacy else { return answer(.success(.null)) }
      answer(
        result.map { whole in
          var shown = whole
          shown.content = AnswerFilter.filtered(
            whole.content, to: route.name, route.answer, clearance, privacy())
          return shown
        })
    }
  }

  private static func unknown(_ route: Route) -> CommandReply.Refusal {
    CommandReply.Refusal(
      .unknownTarget,
      Message(
        "This gateway does not know the request \"{method}\". Are both programs of the same version?",
        ["method": route.name]))
  }

  /// Why a command is not carried out for whoever asks; nil when it is.
  func refusal(of command: Command, for asking: Asking) -> CommandReply.Refusal? {
    guard !asking.isOwner else { return nil }
    let refusal = Policy.decide(asking, command, in: KnownHousehold(core: core))
      .refusal(with: asking.proof)
    if refusal?.code == .unconfirmed, let session = asking.session {
      confirmations.told(session, command.request, at: parts.clock.now().tick)
    }
    return refusal
  }

  /// Who asks, with the proof that they said it once more after they were told what it takes away.
  func confirmed(_ asking: Asking, of request: Command.Request) -> Asking {
    guard asking.confirms, let session = asking.session,
      confirmations.takes(session, request, at: parts.clock.now().tick)
    else { return asking }
    var asking = asking
    asking.proof = .confirmation
    return asking
  }

  /// Who asks by a command that came without saying so: the owner of this machine, or a plugin whose grant for it was
  /// checked.
  static func asking(by command: Command) -> Asking {
    switch command.principal.channel {
    case .local, .gateway: .owner(command.principal)
    case .plugin:
      Asking(command.principal, .plugin(grants: ["command:\(command.request.action)"]))
    }
  }
}

/// The household as the core knows it.
struct KnownHousehold: Household {
  let core: GatewayCore

  func subjects(of command: Command) -> Set<Subject> {
    if case .alarm(let request) = command.request, request.resident == nil {
      return subjects(of: request)
    }
    if let request = try? AccountRequest(command.request) {
      switch request {
      case .addScreen(let resident), .showViewCode(let resident), .endView(let resident, _):
        return [.resident(resident)]
      default: break
      }
      return [request.account.map { .account($0) } ?? .gateway]
    }
    var residents = Set([core.resident(concernedBy: .command(command))].compactMap { $0 })
    // What is changed may be somebody else's than whom the change names.
    switch command.request {
    case .note(.put(let note, _)): residents.insert(note.resident)
    case .note(.send(_, let resident, _, _, _, _)): residents.insert(resident)
    case .routine(.put(let item, _)): residents.insert(item.resident)
    case .routine(.replace(let resident, _, let items)):
      residents.formUnion(items.map(\.resident) + [resident])
    case .bluetooth(.putTag(let tag, _)):
      residents.formUnion([tag.resident] + [core.tag(tag.id)?.resident].compactMap { $0 })
    case .bluetooth(.putMeter(let meter)), .bluetooth(.pairMeter(let meter)):
      residents.formUnion([meter.resident] + owners(of: meter.address))
    case .bluetooth(.removeMeter(let address)): residents.formUnion(owners(of: address))
    default: residents.formUnion(Self.named(by: try? GlucoseRequest(command.request)))
    }
    return residents.isEmpty ? [.gateway] : Set(residents.map { .resident($0) })
  }

  private static func named(by request: GlucoseRequest?) -> [ResidentID] {
    switch request {
    case .put(let reading, _): [reading.resident]
    case .add(let readings, let resident): readings.map(\.resident) + [resident]
    case .remove, .showing, nil: []
    }
  }

  private func owners(of meter: BluetoothAddress) -> [ResidentID] {
    core.knownMeters.filter { $0.meter.address == meter }.map(\.meter.resident)
  }

  /// Whose alarms are answered: of the one that is named, or of whichever is open.
  private func subjects(of request: AlarmRequest) -> Set<Subject> {
    guard request != .silence else { return [.gateway] }
    let open = core.alarmSummaries().filter { alarm in
      request.target.isEmpty || alarm["alarm"]?.stringContent == request.target
        || alarm["tag"]?.stringContent?.lowercased() == request.target.lowercased()
    }
    guard !open.isEmpty else { return [.gateway] }
    return Set(
      open.map { alarm in
        alarm["resident"]?.stringContent.map { .resident(ResidentID($0)) } ?? .gateway
      })
  }

  func isLast(_ guardian: GuardianID) -> Bool {
    let all = core.guardians(of: nil)
    guard let resident = all.first(where: { $0.id == guardian })?.resident else { return false }
    return all.count { $0.resident == resident } == 1
  }
}

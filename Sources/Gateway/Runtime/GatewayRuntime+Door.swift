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
  var handlings: [Handling] {
    gatewayStatus.handlings + gatewayMetrics.handlings + commandQuestions.handlings
      + accountQuestions.handlings + linkedAlarms.handlings + householdQuestions.handlings
      + MapQuestions(outward: outward).handlings + noteQuestions.handlings
      + glucoseQuestions.handlings + reportQuestions.handlings + bluetoothQuestions.handlings
      + nearbyQuestions.handlings + journalQuestions.handlings + pluginQuestions.handlings
  }

  private var commandQuestions: CommandQuestions {
    CommandQuestions(commands: localCommands, perform: performer)
  }
  private var accountQuestions: AccountQuestions {
    AccountQuestions(view: view, clock: parts.clock, outward: outward, openID: openID)
  }
  private var householdQuestions: HouseholdQuestions {
    HouseholdQuestions(view: view, clock: parts.clock, store: parts.store)
  }
  private var noteQuestions: NoteQuestions {
    NoteQuestions(
      view: view, clock: parts.clock, store: parts.store, pictures: pictures,
      recordings: recordings)
  }
  private var glucoseQuestions: GlucoseQuestions {
    GlucoseQuestions(view: view, clock: parts.clock, store: parts.store)
  }
  private var reportQuestions: ReportQuestions { ReportQuestions(view: view, outward: outward) }
  private var bluetoothQuestions: BluetoothQuestions {
    BluetoothQuestions(
      view: view, bluetooth: parts.bluetooth, pairings: pairings, commands: localCommands,
      perform: performer, health: { [weak self] in self?.health.report(of: $0) })
  }
  private var nearbyQuestions: NearbyQuestions {
    NearbyQuestions(
      view: view, clock: parts.clock, bluetooth: parts.bluetooth, pairings: pairings,
      searches: searches)
  }
  private var pluginQuestions: PluginQuestions {
    PluginQuestions(plugins: parts.plugins, store: parts.store, clock: parts.clock)
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
      guard let handle = handlers[route] else { return answer(.failure(Self.unknown(route))) }
      // Whose a thing is that an id names shows later; the list that told the id was noted.
      if route.reach != .found { looks.note(asking, at: named, route.needs) }
      try handle(asked, asking.grants.map { filtered(answer, to: route, $0) } ?? answer)
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
}

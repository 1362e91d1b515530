public import Care
public import Door
public import JSON
import Loop

/// What everybody passes who asks for something.
extension GatewayRuntime {
  /// How a question is answered.
  public typealias Answer = @LoopActor (Result<RouteAnswer, CommandReply.Refusal>) -> Void

  /// What answers each question, feature by feature.
  var handlings: [Handling] {
    let features = [
      gatewayStatus.handlings, gatewayMetrics.handlings, commandQuestions.handlings,
      accountQuestions.handlings, linkedAlarms.handlings, householdQuestions.handlings,
      MapQuestions(outward: outward).handlings, noteQuestions.handlings,
      glucoseQuestions.handlings, reportQuestions.handlings, bluetoothQuestions.handlings,
      nearbyQuestions.handlings, journalQuestions.handlings, pluginQuestions.handlings,
    ]
    return features.flatMap { $0 }
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
  ) { questionDoor.answer(route, params: params, asking: asking, answer) }
}

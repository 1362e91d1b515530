public import Care

/// What the engine is told, and what of it is its business.
extension AlarmEngine {
  /// Takes one input; nil where it has nothing to do with alarms.
  ///
  /// What was due before happens first; something that arrives exactly at a deadline still counts.
  /// - Throws: why not; nothing changed then. A wrong PIN or code that counts all the same is a signal of the refusal.
  public mutating func handle(
    _ input: Input, in world: World
  ) throws(CommandReply.Refusal) -> Outcome? {
    // What was due before a change happens as it was before it.
    if case .changed(let change) = input {
      defer { meet(world.house) }
      return take(change, in: world)
    }
    meet(world.house)
    switch input {
    // What was under way is handed over again as it was, before anything counts as unanswered.
    case .started: return act(in: world, catchingUp: false) { $0.resume(&$1) }
    case .time: return act(in: world, catchingUp: false) { _, _ in }
    case .changed(let change): return take(change, in: world)
    case .observed(let observation): return take(observation, in: world)
    case .signalled(let signal): return take(signal, in: world)
    case .asked(let command, let sent): return try answer(command, sent: sent, in: world)
    case .pressed(let press): return take(press, in: world)
    case .settled(let cause): return judgeReach(after: cause, in: world)
    default: return nil
    }
  }

  /// To know who does not work: who can be told is a matter of the plugins that tell.
  public func sees(for input: Input) -> World.Views {
    switch input {
    case .asked(let command, _):
      if case .alarm(.raise) = command.request { [.faults] } else { [] }
    case .settled(let cause): cause.concernsReach ? [.faults] : []
    case .signalled(.heartbeat): [.faults]
    default: []
    }
  }

  /// The resident whom a request about alarms names.
  public func resident(concernedBy request: Command.Request) -> ResidentID? {
    if case .alarm(let request) = request { request.resident } else { nil }
  }

  // MARK: The house

  private mutating func meet(_ house: House) {
    if self.house.version != house.version { self.house = house }
  }

  /// Goes by the house as it is now, for the rest of a step.
  private mutating func meetHouse(_ step: inout Step) {
    meet(step.world.house)
    step.house = house
  }

  private mutating func take(_ change: HouseChange, in world: World) -> Outcome? {
    switch change {
    case .resident, .erased, .guardians: act(in: world) { $0.settleHouse(&$1) }
    case .setting(_, let name) where AlarmSettings.names.contains(name):
      act(in: world) { $0.meetHouse(&$1) }
    case .consent(let answer) where answer.kind == .location && !answer.isGranted:
      // The last position is not told any more.
      act(in: world) { engine, step in
        engine.meetHouse(&step)
        engine.register.state.care[answer.resident]?.position = nil
      }
    // Quiet hours and the week's test go by local time, which is another now.
    case .timeZone: act(in: world) { $0.meetHouse(&$1) }
    case .setting, .consent, .zones, .clock: nil
    }
  }

  /// Goes by what is known of the house now: ways to guardians, and who is not there any more.
  private mutating func settleHouse(_ step: inout Step) {
    meetHouse(&step)
    register.settleWays(in: house, at: step.now)
    guard state.hasErased(in: house) else { return }
    // What leads to their guardians goes first, as a change of its own.
    writeRows(&step)
    register.state.forgetErased(&step)
  }

  // MARK: What was seen

  private mutating func take(_ observation: Observation, in world: World) -> Outcome? {
    switch observation {
    case .delivery(let report):
      guard register.isAwaited(report) else { return nil }
      return act(in: world, telling: [reported(report)]) { engine, step in
        engine.register.note(report, &step)
        step.outcome.signals.append(.reported(report))
      }
    case .ways(let report): return act(in: world) { $0.register.take(report, &$1) }
    case .photo(let report): return act(in: world) { $0.register.state.note(report, &$1) }
    case .sound(let report):
      return act(in: world) { engine, _ in engine.register.state.note(report) }
    case .fix, .heading, .health, .clock, .button, .sighting, .listening, .meter, .map: return nil
    }
  }

  // MARK: What other engines tell

  private mutating func take(_ signal: Signal, in world: World) -> Outcome? {
    switch signal {
    case .located(let location, let id) where isKnown(id):
      if isQuiet(in: world) { return follow(location, of: id, in: world) }
      return act(in: world) { $0.register.state.note(location, of: id, at: $1.now) }
    case .zone(let news, let id) where isKnown(id) && !news.mayMove && isQuiet(in: world):
      return stayQuiet(in: world)
    case .zone(let news, let id) where isKnown(id):
      return act(in: world) { $0.register.take(news, of: id, &$1) }
    case .absence(let news, let id) where isKnown(id):
      return act(in: world) { $0.register.take(news, of: id, &$1) }
    case .found(let finding) where isKnown(finding.resident):
      return act(in: world) { $0.register.find(finding, &$1) }
    case .settled(let settlement) where isKnown(settlement.resident):
      return act(in: world) { $0.register.state.settle(settlement, &$1) }
    // Quiet hours and the week's test go by a clock that is another now.
    case .clockSet: return act(in: world) { _, _ in }
    case .told(let message):
      register.noteTold(message)
      return Outcome()
    // Written as it was counted, with nothing before it.
    case .wrongTry(.password), .wrongTry(.linkCode), .wrongTry(.browser): return nil
    case .wrongTry(let wrong):
      return act(in: world, catchingUp: false) { engine, _ in engine.register.state.count(wrong) }
    default: return nil
    }
  }

  private func isKnown(_ resident: ResidentID?) -> Bool {
    resident.map { house.residents[$0] != nil } ?? true
  }
}

import Bytes
public import Care
import JSON
import Moments
import Texts

/// What people ask, and what a press means.
extension GuidanceEngine {
  mutating func perform(
    _ command: Command, in world: World, _ outcome: inout Outcome
  ) throws(CommandReply.Refusal) -> Bool {
    guard let request = try Self.asked(command.request) else { return false }
    let id = request.resident
    try world.house.requireResident(id)
    switch request {
    case .start(_, let goal, let asks):
      try start(id, to: goal, asks: asks, in: world, &outcome)
    case .answer(_, let isYes):
      guard journeys[id]?.stage == .asked else {
        throw CommandReply.Refusal(
          .conflict, Message("Nobody was asked whether to go; start guidance first."))
      }
      answer(id, isYes: isYes, in: world, &outcome)
    case .repeated:
      try requireJourney(of: id)
      sayAgain(id, in: world, &outcome)
    case .cancel:
      try requireJourney(of: id)
      cancel(id, in: world, &outcome)
    case .keep(_, let name, let place): try keep(id, name, at: place, in: world, &outcome)
    case .forget(_, let place): try books.forget(place, of: id, &outcome)
    }
    outcome.reply = [
      "resident": .string(id.rawValue), "guidance": summary(of: id, at: world.now.tick),
    ]
    return true
  }

  private static func asked(
    _ request: Command.Request
  ) throws(CommandReply.Refusal) -> GuidanceRequest? {
    do throws(DecodeError) { return try GuidanceRequest(request) } catch {
      throw CommandReply.Refusal(
        .invalid, Message("The request does not fit: {error}.", ["error": error]))
    }
  }

  private func requireJourney(of id: ResidentID) throws(CommandReply.Refusal) {
    guard journeys[id] == nil else { return }
    throw CommandReply.Refusal(
      .conflict, Message("Nobody is shown a way now; there is nothing to repeat or to end."))
  }

  /// Whom a request about guidance concerns.
  public func resident(concernedBy request: Command.Request) -> ResidentID? {
    (try? GuidanceRequest(request))?.resident
  }

  // MARK: Starting

  mutating func start(
    _ id: ResidentID, to goal: GuidanceRequest.Goal, asks: Bool, in world: World,
    _ outcome: inout Outcome
  ) throws(CommandReply.Refusal) {
    try world.house.requireConsent(.location, of: id)
    guard world.tracked.contains(id) else {
      throw CommandReply.Refusal(
        .conflict,
        Message("{name} is not tracked; switch tracking on first.", ["name": name(id, in: world)]))
    }
    guard world.house.residents[id]?.gpsSource != nil else {
      throw CommandReply.Refusal(
        .conflict,
        Message(
          "{name} carries no GPS receiver, so that nobody knows where the way begins.",
          ["name": name(id, in: world)]))
    }
    journeys[id] = Journey(
      to: try destinations(of: id, in: world).find(goal), at: world.now)
    if asks {
      go(id, in: world, &outcome) { $0.ask($1, &$2) }
    } else {
      begin(id, in: world, &outcome)
    }
  }

  /// Where somebody may want to go.
  func destinations(of id: ResidentID, in world: World) -> Destinations {
    Destinations(resident: id, world: world, books: books)
  }

  private func name(_ id: ResidentID, in world: World) -> String {
    world.people[id]?.name ?? id.rawValue
  }

  // MARK: Answers

  private mutating func answer(
    _ id: ResidentID, isYes: Bool, in world: World, _ outcome: inout Outcome
  ) {
    if isYes { begin(id, in: world, &outcome) } else { cancel(id, in: world, &outcome) }
  }

  private mutating func begin(_ id: ResidentID, in world: World, _ outcome: inout Outcome) {
    positions.judge(id, from: world.now.tick)
    go(id, in: world, &outcome) { $0.begin($1, &$2) }
  }

  private mutating func cancel(_ id: ResidentID, in world: World, _ outcome: inout Outcome) {
    go(id, in: world, &outcome) { $0.cancel($1, &$2) }
  }

  /// Somebody who asks is there and well.
  private mutating func sayAgain(_ id: ResidentID, in world: World, _ outcome: inout Outcome) {
    positions.restart(id, at: world.now.tick)
    go(id, in: world, &outcome) { $0.sayAgain(to: $1, &$2) }
  }

  // MARK: Presses

  /// Whose press it is: of somebody who was asked, or is on the way.
  private func traveller(_ press: Press) -> ResidentID? {
    if let resident = press.resident, journeys[resident] != nil { return resident }
    guard press.owner == nil, journeys.count == 1 else { return nil }
    return journeys.keys.first
  }

  /// Takes a press that is about guidance.
  mutating func answer(_ press: Press, in world: World, _ outcome: inout Outcome) -> Bool {
    if press.meaning == .command(.takeHome) { return takeHome(press, in: world, &outcome) }
    guard let id = traveller(press), let journey = journeys[id] else { return false }
    switch press.meaning {
    case .yes where journey.stage == .asked: answer(id, isYes: true, in: world, &outcome)
    case .yes where journey.trouble?.isTold == false, .command(.assist):
      sayAgain(id, in: world, &outcome)
    case .no: cancel(id, in: world, &outcome)
    case .state, .help, .yes, .command: return false
    }
    return true
  }

  /// One press takes somebody home; one more says again what to do.
  private mutating func takeHome(
    _ press: Press, in world: World, _ outcome: inout Outcome
  ) -> Bool {
    guard let id = press.resident else { return false }
    if let journey = journeys[id], journey.stage != .asked {
      sayAgain(id, in: world, &outcome)
      return true
    }
    do throws(CommandReply.Refusal) {
      try start(id, to: .home, asks: false, in: world, &outcome)
    } catch {
      let walker = Pedestrian(id, positions, in: world)
      let words = [error.message.text(in: walker.language)]
      let isAsked = go(id, in: world, &outcome) { $0.say(words, to: $1, &$2) } != nil
      if !isAsked { outcome.actions.append(walker.play(words, chime: false)) }
    }
    return true
  }
}

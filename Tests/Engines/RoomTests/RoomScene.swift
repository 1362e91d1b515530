import Care
import Moments
import Room
import TestSupport

/// A room with its people, its buttons and its loudspeaker. The engine sees of others what it asks to see, and no more.
struct RoomScene {
  static let mary = Resident(id: "mary", name: "Mary", timeZone: "Australia/Darwin")
  static let john = Resident(id: "john", name: "John", timeZone: "Europe/Oslo")

  var engine: RoomEngine
  var house: House
  var need = World.Need()
  var faults: [HealthReport] = []

  init(_ residents: [Resident] = [mary], buttons: [ButtonBinding] = []) {
    house = House(residents: residents)
    house.buttons = buttons
    engine = RoomEngine(
      stored: StoredState(), seed: 1, in: World(now: Caller.noon, house: house, boot: Caller.boot))
  }

  static func asked(_ request: RoomRequest) -> Input {
    let command = Command(
      id: "c", principal: Principal(channel: .local, name: "anna"), request: .room(request))
    return .asked(command, sent: Caller.noon.tick)
  }

  /// What the core would show for an input.
  private func world(for input: Input) -> World {
    var world = World(now: Caller.noon, house: house, boot: Caller.boot)
    let wanted = engine.sees(for: input)
    if wanted.contains(.need) { world.need = need }
    if wanted.contains(.faults) { world.faults = faults }
    return world
  }

  @discardableResult
  mutating func hear(_ input: Input) throws(CommandReply.Refusal) -> Outcome? {
    try engine.handle(input, in: world(for: input))
  }

  mutating func ask(_ request: RoomRequest) -> Asked {
    Asked { () throws(CommandReply.Refusal) in try hear(Self.asked(request)) ?? Outcome() }
  }

  /// Offers what a hand did, one meaning after the other, as if nobody else took any of them.
  mutating func press(_ gesture: ButtonGesture) throws(CommandReply.Refusal) -> Outcome? {
    let report = ButtonReport(button: "hall", gesture: gesture, edge: Caller.noon.tick)
    for press in Press.meanings(of: report, in: house) {
      if let outcome = try hear(.pressed(press)) { return outcome }
    }
    return nil
  }

  /// What others see of the room.
  func shown(_ view: World.View) -> World {
    var world = World(now: Caller.noon, house: house, boot: Caller.boot)
    world.faults = faults
    engine.show(view, in: &world)
    return world
  }
}

extension Outcome {
  /// What is played.
  var sounds: [SoundRequest] {
    actions.compactMap { if case .play(let request) = $0 { request } else { nil } }
  }
}

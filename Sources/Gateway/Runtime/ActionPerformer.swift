import Care
import Loop
import Ports

/// Does what the core wants done outside: what sounds and shines in the room, and what reaches people.
@LoopActor
struct ActionPerformer {
  let sources: [any ObservationSource]
  /// Nil for none.
  let lamp: (any Lamp)?
  let director: RoomDirector
  let outward: OutwardCalls
  let linkedAlarms: LinkedAlarms

  /// Does what needs no disk before it; false for what has to wait until a power cut could no longer forget it.
  func performAtOnce(_ action: Action) -> Bool {
    switch action {
    case .sampleBurst(let source, let until):
      sources.first { $0.id == source }?.sampleBurst(until: until)
    case .play(let request): director.play(request)
    case .stopSound(let id): director.stop(id)
    case .light(.pressed): lamp?.show(.pressed)
    case .photograph(let alarm, let resident): outward.photograph(alarm, resident)
    case .askMap(let query): outward.ask(query)
    case .light, .notify, .contactEmergency: return false
    }
    return true
  }

  /// Does what waited for the disk.
  func perform(_ actions: [Action]) {
    for action in actions {
      switch action {
      case .light(let signal): lamp?.show(signal)
      case .notify(let message): linkedAlarms.tell(message)
      case .contactEmergency(let contact): outward.contact(contact)
      case .sampleBurst, .play, .stopSound, .photograph, .askMap: break
      }
    }
  }
}

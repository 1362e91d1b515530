import CareModel
import GatewayPorts

extension GatewayRuntime {
  /// Does what needs no disk before it; false for what has to wait until a power cut could no longer forget it.
  func performAtOnce(_ action: Action) -> Bool {
    switch action {
    case .sampleBurst(let source, let until):
      parts.sources.first { $0.id == source }?.sampleBurst(until: until)
    case .play(let request): director.play(request)
    case .stopSound(let id): director.stop(id)
    case .light(.pressed): parts.room.lamp?.show(.pressed)
    case .photograph(let alarm, let resident): outward.photograph(alarm, resident)
    case .light, .notify, .contactEmergency: return false
    }
    return true
  }

  /// Does what waited for the disk.
  func perform(_ actions: [Action]) {
    for action in actions {
      switch action {
      case .light(let signal): parts.room.lamp?.show(signal)
      case .notify(let message): outward.notify(message)
      case .contactEmergency(let contact): outward.contact(contact)
      case .sampleBurst, .play, .stopSound, .photograph: break
      }
    }
  }
}

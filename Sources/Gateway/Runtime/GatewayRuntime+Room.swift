public import Care
import Loop
public import Ports

extension GatewayRuntime {
  /// What sounds and shines in the room, and what reaches people.
  public struct Room {
    /// The loudspeaker; nil for none.
    public var speaker: (any Speaker)?
    /// Turns sentences into files.
    public var renderer: (any SentenceRenderer)?
    /// The lamp; nil for none.
    public var lamp: (any Lamp)?
    /// Calls the plugins that tell guardians, take photographs and speak.
    public var services: (any ServiceCaller)?
    /// Keeps photographs.
    public var pictures: (any PictureKeeper)?
    /// Keeps the pictures of notes.
    public var notePictures: (any ContentKeeper<Picture>)?
    /// Keeps recordings.
    public var recordings: (any ContentKeeper<Recording>)?
    /// Makes and checks hashes of PINs; without one PINs are refused.
    public var credentials: (any CredentialKeeper)?
    /// The time of day in a zone as a sentence; nil when nobody knows the zone.
    public var clockSentence: @LoopActor (_ timeZone: String, _ language: String) -> Sentence? = {
      _, _ in nil
    }
    /// The zone database's file of a time zone; nil when there is none.
    public var timeZoneFile: @LoopActor (String) -> [UInt8]? = { _ in nil }
    /// Switches a buzzer that stands in for a loudspeaker that fails.
    public var buzzer: (@LoopActor (_ isOn: Bool) -> Void)?

    /// A room with nothing in it.
    public init() {}
  }

  /// Does what needs no disk before it; false for what has to wait until a power cut could no longer forget it.
  func performAtOnce(_ action: Action) -> Bool {
    switch action {
    case .sampleBurst(let source, let until):
      parts.sources.first { $0.id == source }?.sampleBurst(until: until)
    case .play(let request): director.play(request)
    case .stopSound(let id): director.stop(id)
    case .light(.pressed): parts.room.lamp?.show(.pressed)
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
      case .light(let signal): parts.room.lamp?.show(signal)
      case .notify(let message): linkedAlarms.tell(message)
      case .contactEmergency(let contact): outward.contact(contact)
      case .sampleBurst, .play, .stopSound, .photograph, .askMap: break
      }
    }
  }
}

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

}

public import JSON
public import Moments
import Recurrence
public import Texts

/// Who asks for something.
public struct Principal: Hashable, Sendable {
  /// Which way the request came.
  public enum Channel: String, Hashable, Sendable, CaseIterable {
    /// The command line on this machine, over the control socket.
    case local
    /// A plugin, on behalf of somebody behind it.
    case plugin
    /// The gateway itself (configuration, set-up, retention).
    case gateway
  }

  /// Which way the request came.
  public var channel: Channel
  /// The name within the channel: a user name, or `mqtt/anna` for a plugin's person.
  public var name: String

  /// Somebody on a channel.
  public init(channel: Channel, name: String) {
    self.channel = channel
    self.name = name
  }

  /// The plugin that speaks, as `mqtt` in `mqtt/anna`; nil on the other channels.
  public var plugin: Substring? { channel == .plugin ? name.prefix { $0 != "/" } : nil }

  /// Who stands behind the plugin that speaks, as `anna` in `mqtt/anna`; nil where it names nobody.
  public var person: String? {
    guard let plugin, plugin.endIndex < name.endIndex else { return nil }
    let person = name[name.index(after: plugin.endIndex)...]
    return person.isEmpty ? nil : String(person)
  }

  /// Whether the gateway itself speaks, and for nobody.
  public func isItsOwnWord(by: String?) -> Bool { channel == .gateway && (by ?? "").isEmpty }

  /// The principal as one word, such as `plugin:mqtt/anna`.
  public var description: String { "\(channel.rawValue):\(name)" }
}

/// What a person or a backend asked for.
public struct Command: Hashable, Sendable {
  /// What to do.
  public enum Request: Hashable, Sendable {
    /// Add a resident, or replace one with the same id.
    case putResident(Resident)
    /// Erase a resident with everything known about them.
    case eraseResident(ResidentID)
    /// Add a zone, or replace one with the same id.
    case putZone(SafeZone)
    /// Remove a zone.
    case removeZone(ZoneID)
    /// Add a bookmark, or replace one with the same id.
    case putBookmark(Bookmark)
    /// Remove a bookmark.
    case removeBookmark(BookmarkID)
    /// Change one tracking setting of a resident; see `TrackingSettings` for names and ranges. Null restores the default.
    case putSetting(resident: ResidentID, name: String, value: JSONValue)
    /// Switch tracking of a resident on or off.
    case setTracking(resident: ResidentID, isOn: Bool)
    /// Take and forward a position now (SB-9).
    case locate(resident: ResidentID)
    /// Add a guardian, or replace one with the same id.
    case putGuardian(Guardian)
    /// Remove a guardian.
    case removeGuardian(GuardianID)
    /// Something about alarms.
    case alarm(AlarmRequest)
    /// Something about the sound in the room.
    case room(RoomRequest)
    /// Something about the routine and its reminders.
    case routine(RoutineRequest)
    /// Something about memos, the diary or messages.
    case note(NoteRequest)
    /// Something about tags and meters.
    case bluetooth(BluetoothRequest)
    /// Something about planned absences.
    case absence(AbsenceRequest)
    /// Something that a feature reads itself.
    case feature(FeatureRequest)
    /// Write down what a resident, or whoever decides for them, answered; `by` is who did.
    case putConsent(resident: ResidentID, kind: ConsentKind, isGranted: Bool, by: String)

    /// The time zones that the request speaks of, by their names, sorted.
    public var timeZones: [String] {
      switch self {
      case .putResident(let resident): [resident.timeZone]
      case .routine(.put(let item, _)): item.schedule.timeZone.map { [$0] } ?? []
      case .routine(.replace(_, _, let items)):
        Set(items.compactMap(\.schedule.timeZone)).sorted()
      case .feature(let request): request.timeZone.map { [$0] } ?? []
      default: []
      }
    }
  }

  /// What the runtime put in the place of a PIN, which no engine and no disk ever sees.
  public enum PINProof: Hashable, Sendable {
    /// What an entered PIN is worth.
    case verdict(PINVerdict)
    /// The salted hash of a PIN to be set, as `crypt(3)` writes it.
    case hash(String)
  }

  /// What is kept in the store alone, because it is too much to hold in memory.
  public enum StoredContent: Hashable, Sendable {
    /// A memo or an entry of the diary.
    case note(Note)
    /// A message.
    case message(ChatMessage)
    /// A reading, which its feature knows.
    case reading(FeatureValue)
  }

  /// Id of the request among those of its principal; a second command with the same id is answered and not done again.
  public var id: CommandID
  /// Who asks.
  public var principal: Principal
  /// The account that the principal speaks for, by its name; nil for none. Only the door sets it.
  public var account: String?
  /// The address in the network that it came from; nil where it came from none that is known. Only the door sets it.
  public var address: String?
  /// When the request stops being valid by the clock of whoever made it; nil where nobody said.
  public var expiresAt: Timestamp?
  /// Until when the request counts as made just now, by the monotonic clock of this boot; nil where nobody vouches for it.
  ///
  /// What a person did a moment ago (an answer, a press, a word) is fresh whatever the wall clock shows.
  public var freshUntil: Tick?
  /// When the request was made, by the clock of whoever made it; nil where nobody said.
  public var sentAt: Timestamp?
  /// When the request was made, by the monotonic clock of this boot; nil where nobody vouches for it.
  public var sentTick: Tick?
  /// What to do.
  public var request: Request
  /// What stands in the place of a PIN; only the runtime sets it.
  public var pinProof: PINProof?
  /// What stands in the place of a password and a token; only the runtime sets it.
  public var credentials: Credentials?
  /// What the store holds of the note, message or reading that the request names; only the runtime sets it.
  public var stored: StoredContent?

  /// A command from its parts.
  public init(
    id: CommandID, principal: Principal, expiresAt: Timestamp? = nil, freshUntil: Tick? = nil,
    sentAt: Timestamp? = nil, sentTick: Tick? = nil, request: Request, pinProof: PINProof? = nil,
    stored: StoredContent? = nil
  ) {
    self.freshUntil = freshUntil
    self.sentAt = sentAt
    self.sentTick = sentTick
    self.pinProof = pinProof
    self.stored = stored
    self.id = id
    self.principal = principal
    self.expiresAt = expiresAt
    self.request = request
  }
}

/// The answer to a command.
public enum CommandReply: Hashable, Sendable {
  /// Done; the result says what there is to know, such as the new id.
  case done(JSONValue)
  /// Not done; nothing changed.
  case refused(Refusal)

  /// Why a command was refused.
  public struct Refusal: Error, Hashable, Sendable {
    /// Kinds of refusal.
    public enum Code: String, Hashable, Sendable {
      /// A value is outside its range or malformed.
      case invalid
      /// The target does not exist.
      case unknownTarget = "unknown-target"
      /// The expiry has passed, or is missing where one is needed.
      case expired
      /// The principal may not do this.
      case forbidden
      /// It takes away what calls for help, and has to be said once more.
      case unconfirmed
      /// Nobody is logged in by the session that was handed in.
      case loggedOut = "logged-out"
      /// It contradicts something that exists.
      case conflict
      /// It cannot be judged or done just now; the same command may be sent again, under the same id.
      case notNow = "not-now"
    }

    /// The kind.
    public var code: Code
    /// One plain sentence that says what to do next, in the language of whoever reads it.
    public var message: Message
    /// What is told all the same, such as that two people changed one thing at once; nothing else follows.
    public var events: [EventDraft] = []
    /// What engines hear all the same, such as that a PIN was wrong.
    public var signals: [Signal] = []

    /// A refusal with its reason.
    public init(_ code: Code, _ message: Message) {
      self.code = code
      self.message = message
    }
  }
}

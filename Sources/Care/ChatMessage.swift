public import Bytes
public import JSON
public import Moments
public import Texts

/// What is said between a resident and those who care (DC-13), in words or by voice.
public struct ChatMessage: Hashable, Sendable {
  /// Which way it goes.
  public enum Direction: String, Hashable, Sendable, CaseIterable {
    /// To the resident: spoken in the house.
    case toResident = "to-resident"
    /// From the resident: delivered through plugins.
    case toCaregivers = "to-caregivers"
  }

  /// A recording that a message carries.
  public struct Attachment: Hashable, Sendable {
    /// By which its sound is found, as long as it is kept.
    public var id: RecordingID
    /// How long it lasts, rounded, at least 1.
    public var seconds: Int64

    /// An attachment from its parts.
    public init(id: RecordingID, seconds: Int64) {
      self.id = id
      self.seconds = seconds
    }
  }

  /// Unique for ever.
  public var id: MessageID
  /// The resident.
  public var resident: ResidentID
  /// Which way it goes.
  public var direction: Direction
  /// The name of who wrote it, as people write it, 1 through 200 characters.
  public var sender: String
  /// 1 through 2,000 characters, any script; beside a recording also empty.
  public var text: String
  /// What was said, as a sound; nil for words alone.
  public var recording: Attachment?
  /// When it came in.
  public var sentAt: Timestamp
  /// When it was first spoken in the house; nil before.
  public var spokenAt: Timestamp?
  /// When somebody said that they heard or read it; nil before.
  public var readAt: Timestamp?
  /// Who did: `button/wired`, `plugin:mqtt/anna`; empty before.
  public var readBy: String

  /// A message from its parts.
  public init(
    id: MessageID, resident: ResidentID, direction: Direction, sender: String, text: String,
    recording: Attachment? = nil, sentAt: Timestamp, spokenAt: Timestamp? = nil,
    readAt: Timestamp? = nil, readBy: String = ""
  ) {
    self.id = id
    self.resident = resident
    self.direction = direction
    self.sender = sender
    self.text = text
    self.recording = recording
    self.sentAt = sentAt
    self.spokenAt = spokenAt
    self.readAt = readAt
    self.readBy = readBy
  }

  /// What is read where a message stands: its text, and that there is a recording.
  public var words: Message { Self.words(text, recordedSeconds: recording?.seconds) }

  /// What is read where a message stands.
  ///
  /// - Parameter recordedSeconds: how long its recording lasts; nil where there is none.
  public static func words(_ text: String, recordedSeconds: Int64?) -> Message {
    guard let recordedSeconds else { return Message(verbatim: text) }
    let recorded = Message(
      "Recorded message, {n} second", plural: "Recorded message, {n} seconds",
      Int(clamping: recordedSeconds))
    return text.isEmpty
      ? recorded : Message("{text} ({recorded})", ["text": text, "recorded": recorded])
  }
}

/// A recording of somebody's voice that was checked, and is stored as a file of its own.
public struct Recording: Hashable, Sendable {
  /// SHA-256 of whose it is and of the stored bytes, 64 hexadecimal digits: what is said for one resident is nobody else's.
  public var id: RecordingID
  /// The resident who said it, or to whom it was said.
  public var resident: ResidentID
  /// Size of the stored file, a WAV.
  public var bytes: Int64
  /// How long it lasts.
  public var milliseconds: Int64
  /// When it came in.
  public var keptAt: Timestamp
  /// Whether a message carries it; one that none does goes after an hour.
  public var isSent: Bool

  /// A recording from its parts.
  public init(
    id: RecordingID, resident: ResidentID, bytes: Int64, milliseconds: Int64, keptAt: Timestamp,
    isSent: Bool = false
  ) {
    self.id = id
    self.resident = resident
    self.bytes = bytes
    self.milliseconds = milliseconds
    self.keptAt = keptAt
    self.isSent = isSent
  }

  /// What a message says of it.
  public var attachment: ChatMessage.Attachment {
    let rounded = milliseconds / 1000 + (milliseconds % 1000 >= 500 ? 1 : 0)
    return ChatMessage.Attachment(id: id, seconds: max(1, rounded))
  }
}

extension ChatMessage: JSONCodable {
  /// Reads a message.
  public init(json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    let recording = try reader.optionalString("recording").map { RecordingID($0) }
    let seconds = try reader.optionalCount("recordingSeconds")
    self.init(
      id: MessageID(try reader.string("id")),
      resident: ResidentID(try reader.string("resident")),
      direction: try reader.word("direction", as: Direction.self),
      sender: try reader.string("sender"), text: try reader.string("text"),
      recording: recording.map { Attachment(id: $0, seconds: seconds ?? 1) },
      sentAt: try reader.timestamp("sentAt"),
      spokenAt: try reader.optionalTimestamp("spokenAt"),
      readAt: try reader.optionalTimestamp("readAt"),
      readBy: try reader.optionalString("readBy") ?? "")
  }

  /// The message as an object.
  public var json: JSONValue {
    .object([
      "id": .string(id.rawValue), "resident": .string(resident.rawValue),
      "direction": .string(direction.rawValue), "sender": .string(sender),
      "text": .string(text), "recording": recording.map { .string($0.id.rawValue) },
      "recordingSeconds": recording.map { .integer($0.seconds) },
      "sentAt": .string(sentAt.iso8601), "spokenAt": spokenAt.map { .string($0.iso8601) },
      "readAt": readAt.map { .string($0.iso8601) }, "readBy": .string(readBy),
    ])
  }
}

extension Recording: JSONCodable {
  /// Reads what is known about a recording.
  public init(json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    self.init(
      id: RecordingID(try reader.string("id")),
      resident: ResidentID(try reader.string("resident")), bytes: try reader.integer("bytes"),
      milliseconds: try reader.integer("milliseconds"), keptAt: try reader.timestamp("keptAt"),
      isSent: try reader.optionalBool("isSent") ?? false)
  }

  /// What is known about the recording, as an object.
  public var json: JSONValue {
    [
      "id": .string(id.rawValue), "resident": .string(resident.rawValue), "bytes": .integer(bytes),
      "milliseconds": .integer(milliseconds), "keptAt": .string(keptAt.iso8601),
      "isSent": .bool(isSent),
    ]
  }
}

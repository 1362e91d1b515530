public import Bytes
public import JSON
public import Moments

/// A memo (DC-8), an entry of the dietary diary (EG-2), or what somebody looks like.
public struct Note: Hashable, Sendable {
  /// What a note is.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Something to remember.
    case memo
    /// Something eaten, drunk or done, with the time.
    case diary
    /// What somebody looks like, with a photograph: for whoever has to look for them.
    case portrait
  }

  /// Stable identifier.
  public var id: NoteID
  /// The resident whose note it is.
  public var resident: ResidentID
  /// What it is.
  public var kind: Kind
  /// 0 through 200 characters, any script.
  public var title: String
  /// 0 through 10,000 characters, any script.
  public var text: String
  /// At most 20 of 1 through 50 characters.
  public var tags: [String]
  /// What it is about, in time; for a memo when it was made.
  public var time: Timestamp
  /// At most 10, by the names of their content.
  public var pictures: [PictureID]
  /// Who wrote it, as people write their name; possibly empty.
  public var author: String
  /// When it was last changed.
  public var changedAt: Timestamp
  /// Counts the changes, from 1; who changes a note says which one they saw.
  public var revision: Int64

  /// A note from its parts; the parts are checked by the command that brings them.
  public init(
    id: NoteID, resident: ResidentID, kind: Kind, title: String = "", text: String = "",
    tags: [String] = [], time: Timestamp, pictures: [PictureID] = [], author: String = "",
    changedAt: Timestamp, revision: Int64 = 0
  ) {
    self.id = id
    self.resident = resident
    self.kind = kind
    self.title = title
    self.text = text
    self.tags = tags
    self.time = time
    self.pictures = pictures
    self.author = author
    self.changedAt = changedAt
    self.revision = revision
  }
}

/// What the core has to know of a note that stands in the store.
public struct NoteHead: Hashable, Sendable {
  /// The note.
  public var id: NoteID
  /// Whose it is.
  public var resident: ResidentID
  /// The revision that is stored.
  public var revision: Int64
  /// The pictures that it refers to.
  public var pictures: [PictureID]

  /// A head from its parts.
  public init(id: NoteID, resident: ResidentID, revision: Int64, pictures: [PictureID]) {
    self.id = id
    self.resident = resident
    self.revision = revision
    self.pictures = pictures
  }
}

/// A picture that was checked, stripped of what it should not tell, and is stored once, whoever refers to it.
public struct Picture: Hashable, Sendable {
  /// SHA-256 of the stored bytes, 64 hexadecimal digits.
  public var id: PictureID
  /// The resident for whom it was taken.
  public var resident: ResidentID
  /// `image/jpeg` or `image/png`.
  public var mediaType: String
  /// Size of the stored file.
  public var bytes: Int64
  /// Pixels across.
  public var width: Int64
  /// Pixels down.
  public var height: Int64

  /// A picture from its parts.
  public init(
    id: PictureID, resident: ResidentID, mediaType: String, bytes: Int64, width: Int64,
    height: Int64
  ) {
    self.id = id
    self.resident = resident
    self.mediaType = mediaType
    self.bytes = bytes
    self.width = width
    self.height = height
  }
}

/// What people ask of memos, the diary and messages.
public enum NoteRequest: Hashable, Sendable {
  /// Add a note, or replace one with the same id. `revision` is the one that whoever changes it saw; nil for "whatever
  /// is there".
  case put(Note, revision: Int64?)
  /// Remove a note, and pictures that nobody else refers to.
  case remove(NoteID, revision: Int64?)
  /// Write to a resident, or for them. The id makes a message that comes twice one message. Of the text and the recording
  /// one is there at least.
  case send(
    id: MessageID, resident: ResidentID, ChatMessage.Direction, sender: String, text: String,
    recording: RecordingID? = nil)
  /// Say that a message was heard or read.
  case read(MessageID)
  /// Note that the file of a picture is stored, so that notes may refer to it; only the gateway itself asks this.
  case keepPicture(Picture)
  /// Note that the file of a recording is stored, so that a message may carry it; only the gateway itself asks this.
  case keepRecording(Recording)
  /// Play a recording in the room now, to whoever stands there and wants to hear it.
  case playRecording(RecordingID)
}

extension NoteRequest {
  /// The request's word.
  public var action: String {
    switch self {
    case .put: "note.put"
    case .remove: "note.remove"
    case .send: "message.send"
    case .read: "message.read"
    case .keepPicture: "picture.keep"
    case .keepRecording: "recording.keep"
    case .playRecording: "recording.play"
    }
  }

  /// The id of what the request acts on.
  public var target: String {
    switch self {
    case .put(let note, _): note.id.rawValue
    case .remove(let id, _): id.rawValue
    case .send(let id, _, _, _, _, _), .read(let id): id.rawValue
    case .keepPicture(let picture): picture.id.rawValue
    case .keepRecording(let recording): recording.id.rawValue
    case .playRecording(let id): id.rawValue
    }
  }

  /// Reads a request whose `action` is one of ``action``; nil when it is none of them.
  static func read(_ action: String, _ reader: JSONReader) throws(DecodeError) -> NoteRequest? {
    switch action {
    case "note.put":
      return .put(
        try Note(json: reader.required("note")), revision: try reader.optionalInteger("revision"))
    case "note.remove":
      return .remove(
        NoteID(try reader.string("target")), revision: try reader.optionalInteger("revision"))
    case "message.send":
      return .send(
        id: MessageID(try reader.string("target")),
        resident: ResidentID(try reader.string("resident")),
        try reader.optionalWord("direction", as: ChatMessage.Direction.self) ?? .toResident,
        sender: try reader.string("sender"), text: try reader.optionalString("text") ?? "",
        recording: try reader.optionalString("recording").map { RecordingID($0) })
    case "message.read": return .read(MessageID(try reader.string("target")))
    case "picture.keep": return .keepPicture(try Picture(json: reader.required("picture")))
    case "recording.keep":
      return .keepRecording(try Recording(json: reader.required("recording")))
    case "recording.play": return .playRecording(RecordingID(try reader.string("target")))
    default: return nil
    }
  }

  /// The request as an object with `action`.
  var json: JSONValue {
    let object: JSONValue = ["action": .string(action)]
    switch self {
    case .put(let note, let revision):
      return object.setting("note", to: note.json)
        .setting("revision", to: revision.map { .integer($0) } ?? .null)
    case .remove(let id, let revision):
      return object.setting("target", to: .string(id.rawValue))
        .setting("revision", to: revision.map { .integer($0) } ?? .null)
    case .send(let id, let resident, let direction, let sender, let text, let recording):
      return object.setting("target", to: .string(id.rawValue))
        .setting("resident", to: .string(resident.rawValue))
        .setting("direction", to: .string(direction.rawValue))
        .setting("sender", to: .string(sender)).setting("text", to: .string(text))
        .setting("recording", to: recording.map { .string($0.rawValue) } ?? .null)
    case .read(let id): return object.setting("target", to: .string(id.rawValue))
    case .keepPicture(let picture): return object.setting("picture", to: picture.json)
    case .keepRecording(let recording): return object.setting("recording", to: recording.json)
    case .playRecording(let id): return object.setting("target", to: .string(id.rawValue))
    }
  }
}

extension Note: JSONCodable {
  /// Reads a note; `id`, `resident`, `kind`, `time` and `changedAt` are required.
  public init(json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    self.init(
      id: NoteID(try reader.string("id")), resident: ResidentID(try reader.string("resident")),
      kind: try reader.word("kind", as: Kind.self),
      title: try reader.optionalString("title") ?? "",
      text: try reader.optionalString("text") ?? "",
      tags: try reader.strings("tags"), time: try reader.timestamp("time"),
      pictures: try reader.strings("pictures").map { PictureID($0) },
      author: try reader.optionalString("author") ?? "",
      changedAt: try reader.timestamp("changedAt"),
      revision: try reader.optionalCount("revision") ?? 0)
  }

  /// The note as an object.
  public var json: JSONValue {
    [
      "id": .string(id.rawValue), "resident": .string(resident.rawValue),
      "kind": .string(kind.rawValue), "title": .string(title), "text": .string(text),
      "tags": .array(tags.map { .string($0) }), "time": .string(time.iso8601),
      "pictures": .array(pictures.map { .string($0.rawValue) }), "author": .string(author),
      "changedAt": .string(changedAt.iso8601), "revision": .integer(revision),
    ]
  }
}

extension NoteHead: JSONCodable {
  /// Reads a head.
  public init(json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    self.init(
      id: NoteID(try reader.string("id")), resident: ResidentID(try reader.string("resident")),
      revision: try reader.count("revision"),
      pictures: try reader.strings("pictures").map { PictureID($0) })
  }

  /// The head as an object.
  public var json: JSONValue {
    [
      "id": .string(id.rawValue), "resident": .string(resident.rawValue),
      "revision": .integer(revision),
      "pictures": .array(pictures.map { .string($0.rawValue) }),
    ]
  }
}

extension Picture: JSONCodable {
  /// Reads what is known about a picture.
  public init(json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    self.init(
      id: PictureID(try reader.string("id")), resident: ResidentID(try reader.string("resident")),
      mediaType: try reader.string("mediaType"), bytes: try reader.integer("bytes"),
      width: try reader.integer("width"), height: try reader.integer("height"))
  }

  /// What is known about the picture, as an object.
  public var json: JSONValue {
    [
      "id": .string(id.rawValue), "resident": .string(resident.rawValue),
      "mediaType": .string(mediaType), "bytes": .integer(bytes), "width": .integer(width),
      "height": .integer(height),
    ]
  }
}

extension CommandRule {
  static let noteRules = [
    CommandRule("note.put", .changeNotes, [Member("note", Note.shape), .revision]),
    CommandRule("note.remove", .changeNotes, [.target, .revision]),
    CommandRule(
      "message.send", .sendMessages,
      [
        .target, Member("resident", .text),
        Member("direction", .words(of: ChatMessage.Direction.self)).optional,
        Member("sender", .text), Member("text", .text).optional,
        Member("recording", .text).optional,
      ]),
    CommandRule("message.read", .sendMessages, [.target]),
    CommandRule("picture.keep", .administer, [Member("picture", Picture.shape)]),
    CommandRule("recording.keep", .administer, [Member("recording", Recording.shape)]),
    CommandRule("recording.play", .useRoom, [.target]),
  ]
}

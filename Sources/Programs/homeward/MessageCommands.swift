import Bytes
import Care
import ControlSocket
import Door
import JSON
import Sounds
import Texts

/// `homeward message …`.
enum MessageCommands {
  static let all = [list, send, read, save]

  private static let list: CommandSpecification = .init(
    path: ["message", "list"], summary: gettext("Messages to and from a resident, newest first"),
    options: [
      Session.residentOption, .option("limit", "COUNT", gettext("At most so many; 50 unless set")),
      Session.cursorOption,
    ],
    examples: [
      Example("homeward message list --limit 10", gettext("The last ten, and who heard them."))
    ]
  ) { session throws(CommandFailure) in
    let limit = try session.limit(default: 50)
    let resident = try session.optionalResidentID()
    let params = JSONValue.object([
      "resident": resident.map { .string($0.rawValue) }, "limit": .integer(limit),
    ])
    try session.showPart(of: .messagesQuery, params) { answer throws(DecodeError) in
      let messages: [ChatMessage] = try session.decoded(answer)
      if messages.isEmpty {
        return gettext("No messages yet. Write one: homeward message send --help\n")
      }
      var table = Table([
        gettext("ID"), gettext("SENT"), gettext("FROM"), gettext("TO"), gettext("STATE"),
        gettext("TEXT"),
      ])
      for message in messages {
        table.add([
          message.id.rawValue, session.times.text(message.sentAt), message.sender,
          message.direction == .toResident ? message.resident.rawValue : gettext("caregivers"),
          state(message, session.times), message.words.spoken,
        ])
      }
      return table.text
    }
  }

  private static func state(_ message: ChatMessage, _ times: TimeDisplay) -> String {
    if let read = message.readAt {
      return gettext("heard {time} ({who})", ["time": times.text(read), "who": message.readBy])
    }
    return message.spokenAt == nil ? gettext("waiting") : gettext("spoken")
  }

  private static let send: CommandSpecification = .init(
    path: ["message", "send"],
    summary: gettext("Has a message spoken to a resident, or sends one for them"),
    discussion: gettext(
      """
      It is spoken in the room after a chime, again after ten minutes, three times in all, until the button is pressed:
      that is the receipt. In quiet hours it waits. With --to-caregivers it goes to those who care, through plugins.
      """),
    operands: [
      OperandSpecification(
        name: "TEXT", isOptional: true, isRepeatable: true,
        help: gettext("What to say, up to 2,000 letters; - to read it"))
    ],
    options: [
      Session.residentOption,
      .option("from", "NAME", gettext("Who writes; the name of your account unless set")),
      .option(
        "recording", "FILE",
        gettext("A voice that is played: a WAV of 16 bits, mono, at most a minute")),
      .flag("to-caregivers", gettext("From the resident to those who care")),
      .option("id", "ID", gettext("A name for it: sent twice with one name it is one message")),
    ],
    examples: [
      Example(
        "homeward message send --from Anna \"I come at six.\"", gettext("Spoken in the room.")),
      Example(
        "homeward message send --to-caregivers \"Please call me.\"", gettext("From the resident.")),
      Example(
        "homeward message send --from Anna --recording hello.wav",
        gettext("Announced in the room and played.")),
    ]
  ) { session throws(CommandFailure) in
    let arguments = session.arguments
    let words = arguments.operands
    let path = arguments.option("recording")
    guard path != nil || !words.isEmpty else {
      throw .usage(gettext("say something: TEXT, or --recording FILE"), send)
    }
    let text = words == ["-"] ? try NoteCommands.input() : words.joined(separator: " ")
    let bytes = try path.map { path throws(CommandFailure) in try file(path) }
    let resident = try session.resident()
    let direction: ChatMessage.Direction =
      arguments.has("to-caregivers") ? .toCaregivers : .toResident
    let usual = direction == .toResident ? NoteCommands.writer : resident.name
    let sender = arguments.option("from") ?? usual
    guard !sender.isEmpty else { throw .usage(gettext("say who writes: --from NAME"), send) }
    let id = MessageID(arguments.option("id") ?? RandomIdentifier.short)
    var recording: RecordingID?
    if let path, let bytes {
      let members: JSONValue = ["resident": .string(resident.id.rawValue)]
      let kept = try ContentTransfer.bring(bytes, path, by: .recordingAdd, members, session)
      recording = kept["id"]?.stringContent.map { RecordingID($0) }
    }
    let answer = try session.perform(
      .note(
        .send(
          id: id, resident: resident.id, direction, sender: sender, text: text,
          recording: recording)))
    let waits = answer["waitsUntil"]?.stringContent.map {
      gettext(
        "These are quiet hours: it waits, and is spoken at {time}.",
        ["time": session.times.text($0)])
    }
    session.tell(
      answer,
      lines: [
        gettext("Sent as {id}. See who heard it: homeward message list", ["id": id]), waits,
      ].compactMap { $0 })
  }

  private static let read: CommandSpecification = .init(
    path: ["message", "read"], summary: gettext("Says that a message was heard or read"),
    operands: [OperandSpecification(name: "ID", help: gettext("Id of the message, from the list"))],
    examples: [Example("homeward message read k3x9qa", gettext("It is not spoken again."))]
  ) { session throws(CommandFailure) in
    let id = MessageID(session.arguments.operands[0])
    session.tell(try session.perform(.note(.read(id))), gettext("Noted."))
  }

  // MARK: Recordings

  private static let save: CommandSpecification = .init(
    path: ["message", "save"], summary: gettext("Saves what was recorded with a message"),
    operands: [OperandSpecification(name: "ID", help: gettext("Id of the message, from the list"))],
    options: [.file(gettext("The file to write, a WAV"))],
    examples: [
      Example(
        "homeward message save k3x9qa --to mary.wav", gettext("To listen to it with any player."))
    ]
  ) { session throws(CommandFailure) in
    let id = session.arguments.operands[0]
    guard let path = session.arguments.option("to") else {
      throw .usage(gettext("say where to: --to FILE"), save)
    }
    let answer = try session.call(.messagesQuery, ["limit": 10_000])
    let messages: [ChatMessage]
    do throws(DecodeError) { messages = try session.decoded(answer) } catch {
      throw CommandFailure(error)
    }
    guard let message = messages.first(where: { $0.id.rawValue == id }) else {
      throw CommandFailure(
        .failed,
        gettext(
          "There is no message \"{id}\". List them with: homeward message list", ["id": id]))
    }
    guard let recording = message.recording else {
      throw CommandFailure(
        .failed, gettext("Nothing was recorded with the message {id}.", ["id": id]))
    }
    let bytes = try ContentTransfer.fetch(recording.id.rawValue, by: .recordingGet, session)
    try ContentTransfer.write(bytes, to: path)
    session.tell(
      [
        "recording": .string(recording.id.rawValue), "bytes": .integer(Int64(bytes.count)),
        "seconds": .integer(recording.seconds),
      ], gettext("Saved as {path}.", ["path": path]))
  }

  /// A file that can be a recording; what is wrong is said before anything is sent.
  private static func file(_ path: String) throws(CommandFailure) -> [UInt8] {
    let bytes = try ContentTransfer.read(path, atMost: RecordingFile.bytesAtMost + 1)
    do throws(RecordingFault) { return try RecordingFile(checking: bytes).bytes } catch {
      throw CommandFailure(.failed, "\(path): \(error.message.spoken)")
    }
  }
}

import Bytes
import Care
import ControlSocket
import Door
import JSON

/// `homeward message …`.
enum MessageCommands {
  static let all = [list, send, read]

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
          state(message, session.times), message.text,
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
        name: "TEXT", isRepeatable: true,
        help: gettext("What to say, up to 2,000 letters; - to read it"))
    ],
    options: [
      Session.residentOption,
      .option("from", "NAME", gettext("Who writes; the name of your account unless set")),
      .flag("to-caregivers", gettext("From the resident to those who care")),
      .option("id", "ID", gettext("A name for it: sent twice with one name it is one message")),
    ],
    examples: [
      Example(
        "homeward message send --from Anna \"I come at six.\"", gettext("Spoken in the room.")),
      Example(
        "homeward message send --to-caregivers \"Please call me.\"", gettext("From the resident.")),
    ]
  ) { session throws(CommandFailure) in
    let arguments = session.arguments
    let words = arguments.operands
    let text = words == ["-"] ? try NoteCommands.input() : words.joined(separator: " ")
    let resident = try session.resident()
    let direction: ChatMessage.Direction =
      arguments.has("to-caregivers") ? .toCaregivers : .toResident
    let usual = direction == .toResident ? NoteCommands.writer : resident.name
    let sender = arguments.option("from") ?? usual
    guard !sender.isEmpty else { throw .usage(gettext("say who writes: --from NAME"), send) }
    let id = MessageID(arguments.option("id") ?? RandomIdentifier.short)
    let answer = try session.perform(
      .note(.send(id: id, resident: resident.id, direction, sender: sender, text: text)))
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
}

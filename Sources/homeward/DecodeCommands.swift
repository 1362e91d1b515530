import CareModel

/// What a message says: its fields for programs, and a sentence or two for people.
struct DecodedMessage: Sendable {
  var json: JSONValue
  var sentences: [String] = []
}

/// One kind of message that `homeward decode` reads.
struct DecodeKind: Sendable {
  /// The command's last word.
  var name: String
  /// What it is, for the overview.
  var summary: String
  /// Octets that were seen somewhere, and what they say.
  var example: (hex: String, meaning: String)
  var read: @Sendable ([UInt8]) throws(DecodeError) -> DecodedMessage
}

/// `homeward decode …`: messages of Bluetooth devices, for support; asks no gateway.
enum DecodeCommands {
  /// Every kind that is understood.
  static let kinds: [DecodeKind] = DecodeGATT.kinds

  static let all: [CommandSpecification] = kinds.map(command)

  private static func command(_ kind: DecodeKind) -> CommandSpecification {
    CommandSpecification(
      path: ["decode", kind.name], summary: kind.summary,
      discussion: gettext(
        "For support: works without a gateway. Ends with 1 when the message cannot be read."),
      operands: [
        OperandSpecification(
          name: "HEX", isRepeatable: true,
          help: gettext("The bytes as hexadecimal digits, in one piece or several"))
      ],
      examples: [Example("homeward decode \(kind.name) \(kind.example.hex)", kind.example.meaning)]
    ) { session throws(CommandFailure) in try run(kind, session) }
  }

  private static func run(_ kind: DecodeKind, _ session: Session) throws(CommandFailure) {
    let bytes = try octets(session.arguments.operands, kind)
    do throws(DecodeError) {
      let message = try kind.read(bytes)
      if session.wantsJSON { return session.terminal.write(message.json) }
      session.terminal.write(table(message.json))
      for sentence in message.sentences { session.terminal.writeLine(sentence) }
    } catch {
      if session.wantsJSON { session.terminal.write(json(error)) }
      throw CommandFailure(
        .failed, gettext("this is no whole message of that kind: {error}.", ["error": error]),
        hint: gettext(
          "{count} bytes were given; counting begins with 0. Were all of them copied?",
          ["count": bytes.count]))
    }
  }

  private static func json(_ error: DecodeError) -> JSONValue {
    .object([
      "valid": false, "error": .string(error.code.rawValue),
      "offset": .integer(Int64(error.offset)),
      "field": error.field.map(JSONValue.string),
    ])
  }

  /// Digits with whatever people and programs put between them.
  private static func octets(
    _ words: [String], _ kind: DecodeKind
  ) throws(CommandFailure) -> [UInt8] {
    let separators: Set<Character> = [" ", ":", "-", ",", "\t", "\n"]
    var digits = ""
    for word in words {
      let hasPrefix = word.hasPrefix("0x") || word.hasPrefix("0X")
      digits += (hasPrefix ? word.dropFirst(2) : word[...]).filter { !separators.contains($0) }
    }
    let command = all.first { $0.path.last == kind.name }
    if let wrong = digits.first(where: { !$0.isASCII || !$0.isHexDigit }) {
      throw .usage(
        gettext(
          "\"{character}\" is no hexadecimal digit.",
          ["character": TextWidth.printable(String(wrong))]), command)
    }
    guard let octets = Hexadecimal.bytes(digits) else {
      throw .usage(gettext("a digit lacks: every byte has two."), command)
    }
    return octets
  }

  private static func table(_ json: JSONValue) -> String {
    var table = Table([gettext("FIELD"), gettext("VALUE")])
    for row in rows(json, below: "") { table.add([row.name, row.text]) }
    return table.text
  }

  /// Objects within objects as fields of their own, `records.0.mg_dL`.
  private static func rows(_ json: JSONValue, below path: String) -> [(name: String, text: String)]
  {
    let members =
      json.objectContent
      ?? (json.arrayContent ?? []).enumerated().map {
        JSONMember(key: String($0.offset), value: $0.element)
      }
    return members.flatMap { member in
      let name = path + member.key
      let isNested =
        member.value.objectContent != nil
        || member.value.arrayContent?.contains { $0.objectContent != nil } == true
      return isNested
        ? rows(member.value, below: "\(name).") : [(name: name, text: text(member.value))]
    }
  }

  private static func text(_ value: JSONValue) -> String {
    switch value {
    case .string(let text): text
    case .array(let elements): elements.map(text).joined(separator: ", ")
    case .null, .bool, .integer, .number, .object: value.serialized
    }
  }
}

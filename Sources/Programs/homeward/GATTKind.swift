import Bytes
import JSON
import Texts

/// What a message of a meter says: its fields for programs, and a sentence or two for people.
struct DecodedMessage: Sendable {
  var json: JSONValue
  var sentences: [String] = []
}

/// One kind of message of a meter, which is read whole or not at all.
struct GATTKind: Sendable {
  /// The command's last word.
  var name: String
  /// What it is, for the overview.
  var summary: String
  /// Octets that were seen somewhere, and what they say.
  var example: (hex: String, meaning: String)
  var read: @Sendable ([UInt8]) throws(DecodeError) -> DecodedMessage

  /// As a row of ``DecodeCommands``.
  var decodedKind: DecodedKind {
    DecodedKind(
      name: name, summary: summary,
      discussion: gettext(
        "For support: works without a gateway. Ends with 1 when the message cannot be read."),
      examples: [Example("homeward decode \(name) \(example.hex)", example.meaning)]
    ) { octets, session throws(CommandFailure) in .success(try outcome(octets, session)) }
  }

  private func outcome(
    _ octets: [UInt8], _ session: Session
  ) throws(CommandFailure) -> DecodedKind.Outcome {
    do throws(DecodeError) {
      let message = try read(octets)
      let lines = message.sentences.map { $0 + "\n" }.joined()
      return DecodedKind.Outcome(json: message.json, text: Self.table(message.json) + lines)
    } catch {
      if session.wantsJSON { session.terminal.write(Self.json(error)) }
      throw CommandFailure(
        .failed, gettext("this is no whole message of that kind: {error}.", ["error": error]),
        hint: gettext(
          "{count} bytes were given; counting begins with 0. Were all of them copied?",
          ["count": octets.count]))
    }
  }

  private static func json(_ error: DecodeError) -> JSONValue {
    .object([
      "valid": false, "error": .string(error.code.rawValue),
      "offset": .integer(Int64(error.offset)),
      "field": error.field.map(JSONValue.string),
    ])
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

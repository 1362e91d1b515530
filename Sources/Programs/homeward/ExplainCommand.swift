import Bytes
import ControlSocket
import Door
import JSON
import Moments

/// `homeward explain`.
enum ExplainCommand {
  static let specification: CommandSpecification = .init(
    path: ["explain"], summary: gettext("Why an event was decided, in a sentence and in numbers"),
    operands: [
      OperandSpecification(
        name: "EVENT",
        help: gettext(
          "Id of the event, or its beginning, from \"homeward events\"; last for the newest"))
    ],
    examples: [
      Example("homeward explain last", gettext("The newest event.")),
      Example(
        "homeward explain 01932d5e-7c3a-7001-8a4f-2b6c0d9e1f34",
        gettext("One event: distances, accuracy, margin, fixes used.")),
    ]
  ) { session throws(CommandFailure) in
    try session.show(try find(session.arguments.operands[0], session)) {
      event throws(DecodeError) in
      let reader = try JSONReader(event)
      var text = "\(try reader.string("type"))  \(session.times.text(try reader.string("time")))"
      text += "  \(try reader.optionalString("subject") ?? "")\n"
      text += gettext(
        "id {id}, lane {lane}, ",
        ["id": try reader.string("id"), "lane": try reader.optionalString("lane") ?? "-"])
      text += gettext(
        "clock {quality}\n", ["quality": try reader.optionalString("timequality") ?? "-"])
      let facts = event["data"] ?? .null
      if let sentence = facts["explanation"]?.stringContent {
        text += "\n\(TextWidth.printable(sentence))\n"
      }
      return text + "\n" + factLines(facts, indent: "")
    }
  }

  private static func find(_ id: String, _ session: Session) throws(CommandFailure) -> JSONValue {
    guard id == "last" else {
      return try session.call(.eventGet, ["id": .string(whole(id, session))])
    }
    let rows = try session.call(.eventsQuery, ["limit": 1])
    guard let row = rows.arrayContent?.first else {
      throw CommandFailure(.failed, gettext("there is no event yet."))
    }
    return row
  }

  /// The whole id of which somebody wrote the beginning; the text itself where it begins none.
  ///
  /// An id begins with the milliseconds at which it was made (UUID version 7), so that its beginning says where to look.
  private static func whole(
    _ beginning: String, _ session: Session
  ) throws(CommandFailure) -> String {
    let digits = beginning.lowercased().filter { $0 != "-" }
    guard (8..<32).contains(digits.count), digits.allSatisfy(\.isHexDigit) else {
      return beginning
    }
    func moment(_ filler: Character) -> Timestamp? {
      let text = String((digits + String(repeating: filler, count: 12)).prefix(12))
      return Int64(text, radix: 16).map { Timestamp(milliseconds: $0) }
    }
    guard let first = moment("0"), let last = moment("f") else { return beginning }
    // The event may carry a time that is a little older than its id.
    let rows = try session.call(
      .eventsQuery,
      [
        "since": .string(first.advanced(byMilliseconds: -60_000).iso8601),
        "until": .string(last.advanced(byMilliseconds: 60_000).iso8601), "limit": 10_000,
      ])
    let found = Set(
      (rows.arrayContent ?? []).compactMap { $0["id"]?.stringContent }
        .filter { $0.hasPrefix(beginning.lowercased()) }
    ).sorted()
    guard found.count > 1 else { return found.first ?? beginning }
    throw CommandFailure(
      .refused, gettext("there are several that \"{wanted}\" may mean.", ["wanted": beginning]),
      hint: gettext(
        "Say which, by its id: {ids}", ["ids": found.prefix(5).joined(separator: ", ")]))
  }

  private static func factLines(_ facts: JSONValue, indent: String) -> String {
    let members = (facts.objectContent ?? []).filter { $0.key != "explanation" }
    let width = members.map { TextWidth.of($0.key) }.max() ?? 0
    return members.map { member in
      let name = "\(indent)\(TextWidth.padded(member.key, to: width))  "
      switch member.value {
      case .object:
        return "\(indent)\(member.key)\n" + factLines(member.value, indent: indent + "  ")
      case .array(let elements) where elements.contains(where: { $0.objectContent != nil }):
        return "\(indent)\(member.key)\n"
          + elements.map { "\(indent)- " + inline($0) + "\n" }.joined()
      case .string(let text): return name + TextWidth.printable(text) + "\n"
      case .null, .bool, .integer, .number, .array: return name + member.value.serialized + "\n"
      }
    }.joined()
  }

  private static func inline(_ value: JSONValue) -> String {
    (value.objectContent ?? []).map { member in
      "\(member.key) \(TextWidth.printable(member.value.stringContent ?? member.value.serialized))"
    }.joined(separator: ", ")
  }
}

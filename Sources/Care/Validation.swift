public import Texts

/// Rules for texts that come from people and backends.
public enum Validation {
  /// The id of something that people name.
  public static func id(_ text: String, of kind: String) throws(CommandReply.Refusal) {
    let isValid =
      (1...64).contains(text.utf8.count)
      && text.utf8.allSatisfy {
        (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D
      }
    guard isValid else {
      throw CommandReply.Refusal(
        .invalid,
        Message(
          "The id of a {kind} has 1 through 64 lower-case letters, digits and hyphens.",
          ["kind": noun(kind)]))
    }
  }

  /// What people call a kind of thing.
  public static func noun(_ kind: String) -> Message {
    switch kind {
    case "resident": Message("resident")
    case "zone": Message("zone")
    case "bookmark": Message("bookmark")
    case "guardian": Message("guardian")
    case "note": Message("note")
    case "message": Message("message")
    case "tag": Message("tag")
    case "absence": Message("planned absence")
    default: Message(verbatim: kind)
    }
  }

  /// Why a picture cannot be referred to that is not stored, by its name.
  public static func unknownPicture(_ id: PictureID) -> CommandReply.Refusal {
    CommandReply.Refusal(
      .unknownTarget,
      Message(
        "There is no picture \"{id}\" here. Add the picture first.",
        ["id": String(id.rawValue.prefix(64))]))
  }

  /// A name on one line.
  public static func name(_ text: String) throws(CommandReply.Refusal) {
    guard (1...200).contains(text.unicodeScalars.count),
      text.contains(where: { !$0.isWhitespace }),
      !text.unicodeScalars.contains(where: breaksLine)
    else {
      throw CommandReply.Refusal(
        .invalid, Message("A name has 1 through 200 characters, in any script, on one line."))
    }
  }

  private static func breaksLine(_ scalar: Unicode.Scalar) -> Bool {
    [.control, .lineSeparator, .paragraphSeparator].contains(scalar.properties.generalCategory)
  }

  /// A guardian has to be reachable, and by addresses that no transport can misread.
  public static func addresses(of guardian: Guardian) throws(CommandReply.Refusal) {
    guard (1...3).contains(guardian.tier) else {
      throw CommandReply.Refusal(.invalid, Message("The tier of a guardian is 1, 2 or 3."))
    }
    guard guardian.language.map({ Language(rawValue: $0) != nil }) ?? true else {
      throw CommandReply.Refusal(
        .invalid,
        Message(
          "The language of a guardian is one of {words}.",
          ["words": Language.allCases.map(\.rawValue).joined(separator: ", ")]))
    }
    guard !guardian.addresses.isEmpty else {
      throw CommandReply.Refusal(
        .invalid,
        Message(
          "{name} cannot be reached: give a phone number, e-mail or push address.",
          ["name": guardian.name])
      )
    }
    if let push = guardian.push {
      let isPlain = push.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F }
      guard (1...1000).contains(push.utf8.count), isPlain else {
        throw CommandReply.Refusal(
          .invalid, Message("The push address has 1 through 1,000 characters without spaces."))
      }
    }
    if let email = guardian.email { _ = try self.email(email) }
  }

  /// An e-mail address that mail can be sent to.
  public static func email(_ text: String) throws(CommandReply.Refusal) -> EmailAddress {
    guard let address = EmailAddress(text) else {
      throw CommandReply.Refusal(
        .invalid,
        Message(
          "{email} is no e-mail address; it looks like anna@example.org.",
          ["email": String(text.prefix(254).filter { !$0.isNewline })]))
    }
    return address
  }

  /// A name of the zone database.
  public static func timeZone(_ text: String) throws(CommandReply.Refusal) {
    let isValid =
      (1...64).contains(text.utf8.count) && !text.hasPrefix("/") && !text.contains("..")
      && text.utf8.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
          || [0x2B, 0x2D, 0x2F, 0x5F].contains(byte)
      }
    guard isValid else {
      throw CommandReply.Refusal(
        .invalid,
        Message("A time zone is written as in Europe/Oslo; see the folder /usr/share/zoneinfo."))
    }
  }

  /// That there is nothing of an id, and how to list what there is.
  public static func unknown<Subject>(
    _ kind: String, _ id: Identifier<Subject>
  ) -> CommandReply.Refusal {
    CommandReply.Refusal(
      .unknownTarget,
      Message(
        "There is no {kind} \"{id}\". List them with: homeward {command}",
        ["kind": noun(kind), "id": id, "command": "\(kind)s"]))
  }
}

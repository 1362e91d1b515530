import Bytes
import Care
import Door
import JSON
import Moments
import Ports
import Texts

/// The text by which a list is asked for from some place on, for those who ask; they need not know what it says.
///
/// Base64 for addresses, without `=`:
///
///     offset  0......7  8...
///     field   check     [1,made,question,[numbers],[texts]]
///
/// `check` is the beginning of the SHA-256 of the rest, so that a lost letter is told and nobody is answered another part than
/// they meant. It keeps no secret: who may have the list is judged anew with each part. `made` is the
/// hour in which, in milliseconds since 1970; `question` says of which list it is.
struct ListCursor {
  /// How long it is good for: nobody reads a list for longer, and other versions may order it otherwise.
  static let goodForMilliseconds: Int64 = 7 * 86_400_000
  private static let checkBytes = 8
  private static let version: Int64 = 1
  /// Whoever asks the same twice is told the same, as long as nothing changed.
  private static let hourMilliseconds: Int64 = 3_600_000
  private static let textAtMost = 2000

  /// The question and what in it makes it another list: all parameters but how much of it is wanted.
  private let question: String

  init(_ route: Route, _ params: JSONValue) {
    let own = (params.objectContent ?? []).filter { member in
      !["cursor", "limit", "since", "until"].contains(member.key)
        && member.value != .null && member.value.arrayContent?.isEmpty != true
    }
    let sorted = JSONValue.object(own.sorted { $0.key < $1.key })
    question = Hexadecimal.text(
      SHA256.hash(Array(route.name.utf8) + sorted.serializedBytes).prefix(Self.checkBytes))
  }

  /// The cursor of a place.
  func text(of place: ListPlace, at now: Timestamp) -> String {
    let content = JSONValue.array([
      .integer(Self.version),
      .integer(now.milliseconds / Self.hourMilliseconds * Self.hourMilliseconds),
      .string(question),
      .array(place.numbers.map { .integer($0) }), .array(place.texts.map { .string($0) }),
    ]).serializedBytes
    return Self.text(of: SHA256.hash(content).prefix(Self.checkBytes) + content)
  }

  /// The place that a cursor means.
  ///
  /// - Throws: that it is none of ours, of another list, or too old, and what to do.
  func place(in text: String, at now: Timestamp) throws(CommandReply.Refusal) -> ListPlace {
    guard text.utf8.count <= Self.textAtMost, let bytes = Self.bytes(of: text),
      bytes.count > Self.checkBytes, Self.text(of: bytes) == text
    else { throw Self.unknown }
    let content = bytes.dropFirst(Self.checkBytes)
    guard SHA256.hash(Array(content)).prefix(Self.checkBytes) == bytes.prefix(Self.checkBytes),
      let parts = (try? JSONValue(parsing: content))?.arrayContent, parts.count == 5,
      parts[0] == .integer(Self.version), let made = parts[1].integerContent
    else { throw Self.unknown }
    guard parts[2].stringContent == question else { throw Self.foreign }
    guard now.milliseconds - made <= Self.goodForMilliseconds else { throw Self.old }
    let numbers = (parts[3].arrayContent ?? []).compactMap(\.integerContent)
    guard !numbers.isEmpty else { throw Self.unknown }
    return ListPlace(numbers, (parts[4].arrayContent ?? []).compactMap(\.stringContent))
  }

  // MARK: Refusals

  private static let unknown = CommandReply.Refusal(
    .invalid,
    Message(
      "The cursor is none that this gateway gave, or something of it was lost: ask for the list from its beginning."
    ))
  private static let foreign = CommandReply.Refusal(
    .invalid,
    Message(
      "The cursor belongs to another list: use it with the question that it was answered to, or ask from the beginning."
    ))
  private static let old = CommandReply.Refusal(
    .expired,
    Message("The cursor is older than a week: ask for the list from its beginning."))

  // MARK: Base64 for addresses

  /// - Source: RFC 4648, section 5.
  private static func text(of bytes: some Collection<UInt8>) -> String {
    let letters = Base64.encode(bytes).prefix { $0 != UInt8(ascii: "=") }
    return String(
      decoding: letters.map { letter in
        switch letter {
        case UInt8(ascii: "+"): UInt8(ascii: "-")
        case UInt8(ascii: "/"): UInt8(ascii: "_")
        default: letter
        }
      }, as: UTF8.self)
  }

  private static func bytes(of text: String) -> [UInt8]? {
    let letters = String(text.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 })
    return Base64.decode(letters + String(repeating: "=", count: (4 - letters.utf8.count % 4) % 4))
  }
}

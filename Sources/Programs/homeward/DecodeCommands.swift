import Bytes
import JSON
import Texts

/// A byte that is not what it should be.
struct ByteFault: Error {
  /// Its place from the start of the input, 0-based; the number of bytes where they end too early.
  var offset: Int
  /// What should stand there, without a full stop.
  var expected: Message
}

/// Something that `homeward decode` reads.
struct DecodedKind: Sendable {
  /// What was read.
  struct Outcome {
    var json: JSONValue
    /// Lines for people.
    var text: String
    /// What is wrong in bytes of which the rest could be read.
    var fault: ByteFault?
  }

  /// The word behind `decode`.
  var name: String
  var summary: String
  var discussion = ""
  var options: [OptionSpecification] = []
  var examples: [Example]
  var decode: @Sendable ([UInt8], Session) throws(CommandFailure) -> Result<Outcome, ByteFault>
}

/// `homeward decode …`: what devices send, read without a gateway, for support and for tests.
enum DecodeCommands {
  /// Every kind that can be read; a new one needs nothing but its row here.
  static let kinds: [DecodedKind] = [DecodeAdvertisement.kind] + DecodeGATT.kinds

  static var all: [CommandSpecification] { kinds.map(command) }

  private static func command(_ kind: DecodedKind) -> CommandSpecification {
    CommandSpecification(
      path: ["decode", kind.name], summary: kind.summary, discussion: kind.discussion,
      operands: [
        OperandSpecification(
          name: "HEX", isRepeatable: true,
          help: gettext(
            "The bytes in hexadecimal digits; blanks, colons and 0x may stand between them"))
      ], options: kind.options, examples: kind.examples
    ) { session throws(CommandFailure) in
      let bytes = try bytes(session.arguments.operands, kind)
      switch try kind.decode(bytes, session) {
      case .success(let outcome):
        if session.wantsJSON {
          session.terminal.write(outcome.json)
        } else {
          session.terminal.write(outcome.text)
        }
        if let fault = outcome.fault { throw failure(fault, in: bytes) }
      case .failure(let fault): throw failure(fault, in: bytes)
      }
    }
  }

  /// The bytes that digits stand for, however a log or a manual has written them.
  private static func bytes(
    _ words: [String], _ kind: DecodedKind
  ) throws(CommandFailure) -> [UInt8] {
    let command = all.first { $0.path.last == kind.name }
    var digits: [UInt8] = []
    for word in words.flatMap({ $0.split { " :-,\n\t".contains($0) } }) {
      let hasPrefix = word.lowercased().hasPrefix("0x")
      for character in hasPrefix ? word.dropFirst(2) : word {
        guard character.isASCII, character.isHexDigit, let digit = character.utf8.first else {
          throw .usage(
            gettext(
              "\"{character}\" is no hexadecimal digit: write bytes with 0-9 and a-f.",
              ["character": TextWidth.printable(String(character))]), command)
        }
        digits.append(digit)
      }
    }
    guard !digits.isEmpty else {
      throw .usage(gettext("there are no bytes: write them with 0-9 and a-f."), command)
    }
    guard let bytes = Hexadecimal.bytes(String(decoding: digits, as: UTF8.self)) else {
      throw .usage(
        gettext(
          "{count} digits are not whole bytes, of which each has two: is one missing?",
          ["count": digits.count]), command)
    }
    return bytes
  }

  private static func failure(_ fault: ByteFault, in bytes: [UInt8]) -> CommandFailure {
    guard fault.offset < bytes.count else {
      return CommandFailure(
        .failed,
        gettext(
          "the bytes end behind number {count}; expected: {what}.",
          ["count": bytes.count, "what": fault.expected.spoken]))
    }
    return CommandFailure(
      .failed,
      gettext(
        "byte {offset}, counted from 0, is {byte}; expected: {what}.",
        [
          "offset": fault.offset, "byte": Hexadecimal.text([bytes[fault.offset]]),
          "what": fault.expected.spoken,
        ]))
  }
}

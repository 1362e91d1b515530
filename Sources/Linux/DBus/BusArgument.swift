import CSystemd

/// An argument of a call or of an answer.
public indirect enum BusArgument: Sendable {
  /// `s`
  case text(String)
  /// `o`
  case path(String)
  /// `b`
  case flag(Bool)
  /// `y`
  case byte(UInt8)
  /// `n`
  case int16(Int16)
  /// `q`
  case uint16(UInt16)
  /// `u`
  case uint32(UInt32)
  /// `ay`
  case bytes([UInt8])
  /// `v`
  case variant(BusArgument)
  /// `(…)`
  case structure([BusArgument])
  /// `a…`, with the signature of one element.
  case array(String, [BusArgument])
  /// `a{o…}`, with the signature of one value.
  case objects(String, [(path: String, value: BusArgument)])
  /// `a{s…}`, with the signature of one value.
  case map(String, [(name: String, value: BusArgument)])
  /// `a{sv}`
  case options([(name: String, value: BusArgument)])

  private var signature: String {
    switch self {
    case .text: "s"
    case .path: "o"
    case .flag: "b"
    case .byte: "y"
    case .int16: "n"
    case .uint16: "q"
    case .uint32: "u"
    case .bytes: "ay"
    case .variant: "v"
    case .structure(let members): "(\(members.map(\.signature).joined()))"
    case .array(let element, _): "a\(element)"
    case .objects(let value, _): "a{o\(value)}"
    case .map(let value, _): "a{s\(value)}"
    case .options: "a{sv}"
    }
  }

  /// Appends it to a message; negative when the message does not take it.
  func append(to message: OpaquePointer) -> Int32 {
    switch self {
    case .text(let text): Self.append(text, "s", to: message)
    case .path(let path): Self.append(path, "o", to: message)
    case .flag(let flag): Self.append(Int32(flag ? 1 : 0), "b", to: message)
    case .byte(let byte): Self.append(byte, "y", to: message)
    case .int16(let number): Self.append(number, "n", to: message)
    case .uint16(let number): Self.append(number, "q", to: message)
    case .uint32(let number): Self.append(number, "u", to: message)
    case .bytes(let bytes):
      sd_bus_message_append_array(message, Self.type("y"), bytes, bytes.count)
    case .variant(let value):
      Self.within("v", value.signature, message) { [value.append(to: message)] }
    case .structure(let members):
      Self.within("r", members.map(\.signature).joined(), message) {
        members.map { $0.append(to: message) }
      }
    case .array(let element, let values):
      Self.within("a", element, message) { values.map { $0.append(to: message) } }
    case .objects(let signature, let values):
      Self.entries(values.map { (.path($0.path), $0.value) }, "o\(signature)", to: message)
    case .map(let signature, let values):
      Self.entries(values.map { (.text($0.name), $0.value) }, "s\(signature)", to: message)
    case .options(let options):
      Self.entries(options.map { (.text($0.name), .variant($0.value)) }, "sv", to: message)
    }
  }

  private static func entries(
    _ entries: [(BusArgument, BusArgument)], _ signature: String, to message: OpaquePointer
  ) -> Int32 {
    within("a", "{\(signature)}", message) {
      entries.map { key, value in
        within("e", signature, message) { [key.append(to: message), value.append(to: message)] }
      }
    }
  }

  private static func within(
    _ kind: Unicode.Scalar, _ signature: String, _ message: OpaquePointer, _ fill: () -> [Int32]
  ) -> Int32 {
    let opened = sd_bus_message_open_container(message, type(kind), signature)
    guard opened >= 0 else { return opened }
    return min(fill().min() ?? 0, sd_bus_message_close_container(message))
  }

  private static func type(_ scalar: Unicode.Scalar) -> CChar {
    CChar(truncatingIfNeeded: scalar.value)
  }

  private static func append(_ text: String, _ kind: Unicode.Scalar, to message: OpaquePointer)
    -> Int32
  {
    text.withCString { sd_bus_message_append_basic(message, type(kind), $0) }
  }

  private static func append<Number: BinaryInteger & BitwiseCopyable>(
    _ number: Number, _ kind: Unicode.Scalar, to message: OpaquePointer
  ) -> Int32 {
    var number = number
    return sd_bus_message_append_basic(message, type(kind), &number)
  }
}

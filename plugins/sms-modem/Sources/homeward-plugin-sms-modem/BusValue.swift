import CSystemd

/// A value from D-Bus, as far as anything here needs to know its type.
indirect enum BusValue: Hashable, Sendable {
  case text(String)
  case integer(Int64)
  case flag(Bool)
  case list([BusValue])
  case map([String: BusValue])
  /// A number with a fraction, a descriptor: nothing that is looked at.
  case other

  var text: String? { if case .text(let text) = self { text } else { nil } }
  var integer: Int64? { if case .integer(let integer) = self { integer } else { nil } }
  var flag: Bool? { if case .flag(let flag) = self { flag } else { nil } }
  var list: [BusValue] { if case .list(let list) = self { list } else { [] } }
  var map: [String: BusValue] { if case .map(let map) = self { map } else { [:] } }

  subscript(_ key: String) -> BusValue? { map[key] }
  subscript(_ index: Int) -> BusValue? { list.indices.contains(index) ? list[index] : nil }

  /// Reads all arguments of a message; what is malformed ends the reading.
  static func arguments(of message: OpaquePointer) -> [BusValue] {
    var values: [BusValue] = []
    while let value = next(in: message, depth: 0) { values.append(value) }
    return values
  }

  /// D-Bus itself allows 64 levels; what ModemManager says has five.
  private static let maximumDepth = 16

  private static func next(in message: OpaquePointer, depth: Int) -> BusValue? {
    var type: CChar = 0
    var contents: UnsafePointer<CChar>?
    guard depth < maximumDepth, sd_bus_message_peek_type(message, &type, &contents) > 0 else {
      return nil
    }
    switch UInt8(bitPattern: type) {
    case UInt8(ascii: "a"), UInt8(ascii: "r"), UInt8(ascii: "v"):
      return container(in: message, type, contents, depth)
    case UInt8(ascii: "s"), UInt8(ascii: "o"), UInt8(ascii: "g"):
      var text: UnsafePointer<CChar>?
      guard sd_bus_message_read_basic(message, type, &text) > 0, let text else { return nil }
      return .text(String(cString: text))
    case UInt8(ascii: "b"):
      var flag: Int32 = 0
      return sd_bus_message_read_basic(message, type, &flag) > 0 ? .flag(flag != 0) : nil
    default: return number(in: message, type)
    }
  }

  private static func number(in message: OpaquePointer, _ type: CChar) -> BusValue? {
    func read<Number: BinaryInteger & BitwiseCopyable>(_ zero: Number) -> BusValue? {
      var number = zero
      guard sd_bus_message_read_basic(message, type, &number) > 0 else { return nil }
      return .integer(Int64(clamping: number))
    }
    switch UInt8(bitPattern: type) {
    case UInt8(ascii: "y"): return read(UInt8(0))
    case UInt8(ascii: "n"): return read(Int16(0))
    case UInt8(ascii: "q"): return read(UInt16(0))
    case UInt8(ascii: "i"): return read(Int32(0))
    case UInt8(ascii: "u"): return read(UInt32(0))
    case UInt8(ascii: "x"): return read(Int64(0))
    case UInt8(ascii: "t"): return read(UInt64(0))
    default: return sd_bus_message_skip(message, [type, 0]) >= 0 ? .other : nil
    }
  }

  private static func container(
    in message: OpaquePointer, _ type: CChar, _ contents: UnsafePointer<CChar>?, _ depth: Int
  ) -> BusValue? {
    let isMap = contents.map { UInt8(bitPattern: $0.pointee) == UInt8(ascii: "{") } ?? false
    guard sd_bus_message_enter_container(message, type, contents) > 0 else { return nil }
    var values: [BusValue] = []
    var members: [String: BusValue] = [:]
    if isMap {
      while let (key, value) = entry(in: message, depth + 1) { members[key] = value }
    } else {
      while let value = next(in: message, depth: depth + 1) { values.append(value) }
    }
    guard sd_bus_message_exit_container(message) >= 0 else { return nil }
    if UInt8(bitPattern: type) == UInt8(ascii: "v") { return values.first }
    return isMap ? .map(members) : .list(values)
  }

  private static func entry(in message: OpaquePointer, _ depth: Int) -> (String, BusValue)? {
    var type: CChar = 0
    var contents: UnsafePointer<CChar>?
    guard sd_bus_message_peek_type(message, &type, &contents) > 0,
      sd_bus_message_enter_container(message, type, contents) > 0,
      let key = next(in: message, depth: depth), let value = next(in: message, depth: depth),
      sd_bus_message_exit_container(message) >= 0
    else { return nil }
    return (key.text ?? key.integer.map { "\($0)" } ?? "", value)
  }
}

/// An argument of a call.
enum BusArgument {
  case text(String)
  case path(String)
  case flag(Bool)
  /// `a{sv}`
  case options([(name: String, value: BusArgument)])

  private var signature: String {
    switch self {
    case .text: "s"
    case .path: "o"
    case .flag: "b"
    case .options: "a{sv}"
    }
  }

  /// Appends it to a message; negative when the message does not take it.
  func append(to message: OpaquePointer) -> Int32 {
    switch self {
    case .text(let text): Self.append(text, "s", to: message)
    case .path(let path): Self.append(path, "o", to: message)
    case .flag(let flag): Self.append(flag, to: message)
    case .options(let options): Self.append(options, to: message)
    }
  }

  private static func append(_ text: String, _ type: Unicode.Scalar, to message: OpaquePointer)
    -> Int32
  {
    text.withCString {
      sd_bus_message_append_basic(message, CChar(truncatingIfNeeded: type.value), $0)
    }
  }

  private static func append(_ flag: Bool, to message: OpaquePointer) -> Int32 {
    var number: Int32 = flag ? 1 : 0
    return sd_bus_message_append_basic(message, CChar(UInt8(ascii: "b")), &number)
  }

  private static func append(
    _ options: [(name: String, value: BusArgument)], to message: OpaquePointer
  ) -> Int32 {
    var results = [sd_bus_message_open_container(message, CChar(UInt8(ascii: "a")), "{sv}")]
    for option in options {
      results.append(sd_bus_message_open_container(message, CChar(UInt8(ascii: "e")), "sv"))
      results.append(append(option.name, "s", to: message))
      results.append(
        sd_bus_message_open_container(message, CChar(UInt8(ascii: "v")), option.value.signature))
      results.append(option.value.append(to: message))
      results.append(sd_bus_message_close_container(message))
      results.append(sd_bus_message_close_container(message))
    }
    results.append(sd_bus_message_close_container(message))
    return results.min() ?? 0
  }
}

import CSystemd

/// A value from D-Bus, as far as anything here needs to know its type.
public indirect enum BusValue: Hashable, Sendable {
  /// A text, a path or a signature.
  case text(String)
  /// A whole number of any width.
  case integer(Int64)
  /// A truth value.
  case flag(Bool)
  /// `ay`
  case bytes([UInt8])
  /// An array or a structure.
  case list([BusValue])
  /// A dictionary; keys that are numbers are written out.
  case map([String: BusValue])
  /// A number with a fraction, a descriptor: nothing that is looked at.
  case other

  /// The text; nil for anything else.
  public var text: String? { if case .text(let text) = self { text } else { nil } }
  /// The number; nil for anything else.
  public var integer: Int64? { if case .integer(let integer) = self { integer } else { nil } }
  /// The truth value; nil for anything else.
  public var flag: Bool? { if case .flag(let flag) = self { flag } else { nil } }
  /// The bytes; nil for anything else.
  public var bytes: [UInt8]? { if case .bytes(let bytes) = self { bytes } else { nil } }
  /// The elements; none for anything else.
  public var list: [BusValue] { if case .list(let list) = self { list } else { [] } }
  /// The entries; none for anything else.
  public var map: [String: BusValue] { if case .map(let map) = self { map } else { [:] } }

  /// The value of an entry.
  public subscript(_ key: String) -> BusValue? { map[key] }
  /// The element at a place.
  public subscript(_ index: Int) -> BusValue? {
    list.indices.contains(index) ? list[index] : nil
  }

  /// Reads all arguments of a message; what is malformed ends the reading.
  static func arguments(of message: OpaquePointer) -> [BusValue] {
    var values: [BusValue] = []
    while let value = next(in: message, depth: 0) { values.append(value) }
    return values
  }

  /// D-Bus itself allows 64 levels; what ModemManager and bluetoothd say has six.
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
    if isBytes(type, contents) { return bytes(in: message) }
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

  private static func isBytes(_ type: CChar, _ contents: UnsafePointer<CChar>?) -> Bool {
    guard UInt8(bitPattern: type) == UInt8(ascii: "a"), let contents else { return false }
    return UInt8(bitPattern: contents.pointee) == UInt8(ascii: "y")
  }

  private static func bytes(in message: OpaquePointer) -> BusValue? {
    var start: UnsafeRawPointer?
    var count = 0
    guard sd_bus_message_read_array(message, CChar(UInt8(ascii: "y")), &start, &count) >= 0 else {
      return nil
    }
    return .bytes([UInt8](UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count)))
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

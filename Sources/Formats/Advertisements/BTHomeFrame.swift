public import Bytes
public import Care
import Moments
import Texts

/// What a BTHome 2 device says in the service data of FCD2.
///
///     offset  0     1....                            what may stand in front, when bit 1 of `info` is set:
///     field   info  objects: id, number, id, …       the device's address, lowest octet first
///     bytes   40    00 09  01 61
///
///     field   info  what is encrypted  counter   check
///     bytes   41    e445f3c9962b       33221100  6c7c4519
///
/// Bit 0 of `info`: encrypted; bit 2: sends only when something happens; bits 5 through 7: version, 2. Objects stand in the
/// order of their ids, so that reading ends at the first that is not known without loss of those that are.
///
/// - Source: bthome.io/format and bthome.io/encryption.
public struct BTHomeFrame: Hashable, Sendable {
  /// What is sent to those who have the key.
  public struct Sealed: Hashable, Sendable {
    /// What is encrypted.
    public var cipherText: [UInt8]
    /// A number that grows with each frame.
    public var counter: UInt32
    /// The check of four bytes.
    public var check: [UInt8]
  }

  /// The first byte.
  public let info: UInt8
  /// The address that the frame itself tells, from devices that hide their own.
  public private(set) var address: BluetoothAddress?
  /// What needs a key; nil when nothing does.
  public private(set) var sealed: Sealed?
  /// Whether ``readings`` were opened with a key, which nobody without it could have sent.
  public private(set) var isAuthentic = false
  /// What it says, in order; empty while it is sealed.
  public private(set) var readings: [BTHomeReading] = []
  /// Why reading stopped before the end, or what it passed over.
  public private(set) var fault: AdvertisementFault?

  static let service = BluetoothUUID(0xFCD2)
  private static let version: UInt8 = 2

  /// Whether it is encrypted.
  public var isEncrypted: Bool { info & 1 != 0 }
  /// Whether it sends only when something happens, so that silence means nothing.
  public var isTriggered: Bool { info & 4 != 0 }

  init(_ data: ServiceData) throws(AdvertisementFault) {
    var reader = ByteReader(data.bytes, at: data.offset)
    info = try reader.byte(Message("the first byte of BTHome's data"))
    guard info >> 5 == Self.version else {
      throw AdvertisementFault(
        .unknownWord, at: data.offset, Message("version 2 of BTHome, 40 through 5f"))
    }
    if info & 2 != 0 {
      let octets = try reader.take(6, Message("the device's address of six bytes"))
      address = BluetoothAddress(octets: octets)
    }
    if isEncrypted { sealed = try Self.sealed(&reader) } else { readObjects(&reader) }
  }

  /// The frame with what was sealed in it; nil when this key and address do not open it.
  ///
  /// - Parameters:
  ///   - key: the device's key.
  ///   - sender: the address that the frame came from, which is part of what is checked.
  ///   - cipher: who computes.
  public func opened(
    key: AES128Key, from sender: BluetoothAddress, with cipher: some AdvertisementCipher
  ) -> BTHomeFrame? {
    guard let sealed else { return nil }
    let counter = (0..<4).map { UInt8(truncatingIfNeeded: sealed.counter >> (8 * $0)) }
    let nonce = (address ?? sender).octets.reversed() + [0xD2, 0xFC, info] + counter
    guard
      let plain = cipher.unseal(sealed.cipherText, check: sealed.check, nonce: nonce, key: key)
    else { return nil }
    var frame = self
    var reader = ByteReader(plain)
    frame.isAuthentic = true
    frame.readObjects(&reader)
    return frame
  }

  private static func sealed(_ reader: inout ByteReader) throws(AdvertisementFault) -> Sealed {
    guard reader.count >= 8 else {
      throw AdvertisementFault(
        .truncated, at: reader.end,
        Message("a counter and a check of four bytes each behind what is encrypted"))
    }
    let rest = Array(reader.rest)
    return Sealed(
      cipherText: rest.dropLast(8),
      counter: UInt32(truncatingIfNeeded: rest.suffix(8).prefix(4).littleEndian),
      check: rest.suffix(4))
  }

  private mutating func readObjects(_ reader: inout ByteReader) {
    do throws(AdvertisementFault) {
      while !reader.isAtEnd { try readObject(&reader) }
    } catch { fault = fault ?? error }
  }

  private mutating func readObject(_ reader: inout ByteReader) throws(AdvertisementFault) {
    let place = reader.offset
    let id = try reader.byte(Message("the number of a BTHome object"))
    guard let object = BTHomeObject.of(id) else {
      throw AdvertisementFault(
        .unknownWord, at: place,
        Message("the number of a BTHome object that is known, not {id}", ["id": Self.hex(id)]))
    }
    guard let content = try content(object, &reader) else { return }
    readings.append(
      BTHomeReading(object: id, name: object.name, unit: object.unit, content: content))
  }

  private static func hex(_ byte: UInt8) -> String { Hexadecimal.text([byte]) }

  private static func bytes(
    _ count: Int, of object: BTHomeObject, _ reader: inout ByteReader
  ) throws(AdvertisementFault) -> ArraySlice<UInt8> {
    try reader.take(
      count,
      Message(
        "{count} bytes of BTHome's object \"{name}\"", ["count": count, "name": object.name]))
  }

  /// What an object says; nil when it says nothing that can be understood.
  private mutating func content(
    _ object: BTHomeObject, _ reader: inout ByteReader
  ) throws(AdvertisementFault) -> BTHomeReading.Content? {
    switch object.form {
    case .number(let count, let factor, let divisor, let isSigned):
      let raw = try Self.bytes(count, of: object, &reader).littleEndian
      return .number(Double(Self.signed(raw, count, isSigned) * factor) / divisor)
    case .flag: return .flag(try Self.bytes(1, of: object, &reader).first != 0)
    case .button:
      return .button(BTHomeButton(code: try Self.bytes(1, of: object, &reader).first ?? 0))
    case .dimmer: return Self.dimmer(Array(try Self.bytes(2, of: object, &reader)))
    case .moment:
      let seconds = try Self.bytes(4, of: object, &reader).littleEndian
      return .moment(seconds: UInt32(truncatingIfNeeded: seconds))
    case .version(let count):
      let places = try Self.bytes(count, of: object, &reader)
      return .version(places.reversed().map(String.init).joined(separator: "."))
    case .command:
      let length = try Self.bytes(1, of: object, &reader).first ?? 0
      let whole = try Self.bytes(1 + Int(length & 0x1F), of: object, &reader)
      return .command(whole.first ?? 0, arguments: Array(whole.dropFirst()))
    case .raw: return .raw(Array(try Self.counted(object, &reader)))
    case .text: return try text(object, &reader)
    }
  }

  private static func counted(
    _ object: BTHomeObject, _ reader: inout ByteReader
  ) throws(AdvertisementFault) -> ArraySlice<UInt8> {
    let length = try bytes(1, of: object, &reader).first ?? 0
    return try bytes(Int(length), of: object, &reader)
  }

  private mutating func text(
    _ object: BTHomeObject, _ reader: inout ByteReader
  ) throws(AdvertisementFault) -> BTHomeReading.Content? {
    let bytes = try Self.counted(object, &reader)
    if let text = String(validating: bytes, as: UTF8.self) { return .text(text) }
    fault =
      fault
      ?? AdvertisementFault(
        .invalidText, at: reader.offset - bytes.count, Message("a text in UTF-8"))
    return nil
  }

  private static func signed(_ raw: UInt64, _ count: Int, _ isSigned: Bool) -> Int64 {
    let bits = 64 - 8 * count
    let shifted = Int64(truncatingIfNeeded: raw << bits)
    return isSigned ? shifted >> bits : Int64(truncatingIfNeeded: raw)
  }

  private static func dimmer(_ bytes: [UInt8]) -> BTHomeReading.Content? {
    switch bytes[0] {
    case 0: .dimmer(steps: 0)
    case 1: .dimmer(steps: -Int(bytes[1]))
    case 2: .dimmer(steps: Int(bytes[1]))
    default: nil
    }
  }
}

extension BTHomeFrame {
  private func number(_ object: UInt8) -> UInt8? {
    for case (object, .number(let number)) in readings.map({ ($0.object, $0.content) }) {
      return UInt8(exactly: number)
    }
    return nil
  }

  /// The number that is the same in all repetitions of one message; nil where it has none.
  public var packetID: UInt8? { number(0x00) }

  /// The charge of its battery in per cent; nil where it does not tell, or tells more than all.
  public var batteryPercent: UInt8? { number(0x01).flatMap { $0 <= 100 ? $0 : nil } }

  /// What was done with each of its buttons, in the device's order.
  public var buttons: [BTHomeButton] {
    readings.compactMap { reading in
      if case .button(let button) = reading.content { button } else { nil }
    }
  }
}

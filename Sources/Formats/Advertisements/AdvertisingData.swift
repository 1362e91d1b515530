import Bytes
public import Care
import Moments
import Texts

/// What a device advertises about itself.
///
/// Reading it never fails as a whole: what stands before a fault is kept, for a tag in the pocket of a person who is lost
/// must not be missed because of its last byte. Who must know asks for ``fault``.
///
/// - Source: Bluetooth Core Specification Supplement 11, part A; trailing zeros as Android pads its records.
public struct AdvertisingData: Hashable, Sendable {
  /// All structures in order, also those of unknown types; empty when it was made from parts.
  public private(set) var structures: [ADStructure] = []
  /// What the device can do: bit 0 limited, bit 1 general discoverable, bit 2 no BR/EDR.
  public var flags: UInt8?
  /// Its name, the whole one where both were sent.
  public var name: String?
  /// The power it sends with, in dBm.
  public var transmitPowerDBm: Int8?
  /// What it looks like, a number from the Bluetooth SIG's list.
  public var appearance: UInt16?
  /// The services that it says it has.
  public var services: [BluetoothUUID] = []
  /// Data of services, in order.
  public var serviceData: [ServiceData] = []
  /// Data of companies, in order, block by block.
  public var manufacturerData: [ManufacturerData] = []
  /// The first thing that could not be read.
  public private(set) var fault: AdvertisementFault?
  private var hasWholeName = false

  /// Data from parts, as a Bluetooth daemon tells them.
  public init(
    flags: UInt8? = nil, name: String? = nil, transmitPowerDBm: Int8? = nil,
    services: [BluetoothUUID] = [], serviceData: [ServiceData] = [],
    manufacturerData: [ManufacturerData] = []
  ) {
    self.flags = flags
    self.name = name
    self.transmitPowerDBm = transmitPowerDBm
    self.services = services
    self.serviceData = serviceData
    self.manufacturerData = manufacturerData
  }

  /// Data from AD structures as they are sent.
  ///
  /// - Parameter offset: where the first byte stands in the whole input, for faults.
  public init(_ bytes: some Collection<UInt8>, at offset: Int = 0) {
    do throws(AdvertisementFault) {
      var reader = ByteReader(Array(bytes), at: offset)
      while let structure = try Self.next(&reader) {
        structures.append(structure)
        try take(structure)
      }
    } catch { fault = fault ?? error }
  }

  /// All data of one company: blocks of the same company belong together.
  public func data(ofCompany company: UInt16) -> [UInt8] {
    manufacturerData.filter { $0.company == company }.flatMap(\.bytes)
  }

  /// The next structure; nil at the end, which a length of zero is too.
  private static func next(_ reader: inout ByteReader) throws(AdvertisementFault) -> ADStructure? {
    guard let length = reader.peek, length > 0 else { return nil }
    let (start, following) = (reader.offset, reader.count - 1)
    // Made only when needed: a sentence costs more than all the rest.
    func expected() -> Message {
      Message(
        "a length that fits: {length} bytes are announced, and {count} follow",
        ["length": length, "count": following])
    }
    guard length <= following else { throw AdvertisementFault(.truncated, at: start, expected()) }
    let whole = try reader.take(1 + Int(length), expected())
    return ADStructure(
      type: whole[whole.startIndex + 1], body: Array(whole.dropFirst(2)), offset: start)
  }

  /// Understands one structure. One that is wrong in itself is noted and passed over, since its length is known.
  private mutating func take(_ structure: ADStructure) throws(AdvertisementFault) {
    guard let type = structure.knownType else { return }
    let (body, place) = (structure.body, structure.offset + 2)
    switch type {
    case .flags: flags = flags ?? body.first
    case .someServices16, .allServices16, .someServices32, .allServices32, .someServices128,
      .allServices128:
      takeServices(structure, each: type.uuidBytes ?? 2)
    case .shortName, .name: takeName(body, isWhole: type == .name)
    case .transmitPower:
      guard body.count == 1 else { return note(structure, 1) }
      transmitPowerDBm = Int8(bitPattern: body[0])
    case .appearance:
      guard body.count == 2 else { return note(structure, 2) }
      appearance = UInt16(truncatingIfNeeded: body.littleEndian)
    case .serviceData16, .serviceData32, .serviceData128:
      let count = type.uuidBytes ?? 2
      // A shorter body may look like a UUID of another length.
      guard body.count >= count, let service = BluetoothUUID(octets: body.prefix(count)) else {
        return note(structure, count)
      }
      serviceData.append(
        ServiceData(service: service, bytes: Array(body.dropFirst(count)), offset: place + count))
    case .manufacturerData:
      guard body.count >= 2 else { return note(structure, 2) }
      manufacturerData.append(
        ManufacturerData(
          company: UInt16(truncatingIfNeeded: body.prefix(2).littleEndian),
          bytes: Array(body.dropFirst(2)), offset: place + 2))
    }
  }

  private mutating func takeName(_ body: [UInt8], isWhole: Bool) {
    guard isWhole || !hasWholeName else { return }
    name = String(decoding: body.prefix { $0 != 0 }, as: UTF8.self)
    hasWholeName = hasWholeName || isWhole
  }

  private mutating func takeServices(_ structure: ADStructure, each count: Int) {
    guard structure.body.count.isMultiple(of: count) else { return note(structure, count) }
    for start in stride(from: 0, to: structure.body.count, by: count) {
      if let service = BluetoothUUID(octets: structure.body[start..<start + count]) {
        services.append(service)
      }
    }
  }

  private mutating func note(_ structure: ADStructure, _ count: Int) {
    fault =
      fault
      ?? AdvertisementFault(
        .outOfRange, at: structure.offset,
        Message(
          "a structure of type 0x{type} with {count} bytes, or a multiple of them, behind its type",
          ["type": Hexadecimal.text([structure.type]), "count": count]))
  }
}

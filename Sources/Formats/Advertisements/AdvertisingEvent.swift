import Bytes
import Care
import Moments
import Texts

/// What one event of a Bluetooth controller reports.
///
///     offset  0   1    2   3   4   5    6   7.........12  13   14....  14+len
///     field   H4  evt  len sub n   type kind address      len  data    rssi
///     bytes   04  3e   16  02  01  00   00  a5808fe64854  0a   …       cc
///
/// The leading `04` may be missing, since some sources give the event alone. Of the extended report (`sub` 0D) each has a
/// head of 24 bytes. One event holds several reports, each whole before the next. As with ``AdvertisingData`` what stands
/// before a fault is kept.
///
/// - Source: Bluetooth Core Specification 5.4, volume 4, part A, section 2, and part E, sections 7.7.65.2 and 7.7.65.13.
public struct AdvertisingEvent: Hashable, Sendable {
  /// The reports in order.
  public private(set) var reports: [AdvertisingReport] = []
  /// Why reading stopped before the end.
  public private(set) var fault: AdvertisementFault?

  private enum Kind: UInt8 {
    case legacy = 0x02
    case extended = 0x0D
  }

  /// Whether bytes look like an event of a controller rather than like bare AD structures.
  public static func isEvent(_ bytes: some Collection<UInt8>) -> Bool {
    let head = Array(bytes.prefix(4))
    if head.starts(with: [0x04, 0x3E]) { return true }
    return head.count >= 3 && head[0] == 0x3E && Int(head[1]) == bytes.count - 2
      && Kind(rawValue: head[2]) != nil
  }

  /// Reads an event.
  public init(_ packet: some Collection<UInt8>) {
    do throws(AdvertisementFault) { try read(Array(packet)) } catch { fault = error }
  }

  private mutating func read(_ packet: [UInt8]) throws(AdvertisementFault) {
    var reader = ByteReader(packet)
    if packet.first == 0x04 { _ = try reader.byte(Message("the mark 04 of an event")) }
    try Self.expect(
      0x3E, &reader, Message("3e, the code of events about Bluetooth Low Energy"))
    let place = reader.offset
    let length = Int(try reader.byte(Message("the length of the event")))
    guard length == reader.count else {
      throw AdvertisementFault(
        length > reader.count ? .truncated : .outOfRange, at: place,
        Message(
          "the length of what follows, {count} bytes, not {length}",
          ["count": reader.count, "length": length]))
    }
    let kind = try Self.kind(&reader)
    let countPlace = reader.offset
    let count = try reader.byte(Message("the number of reports"))
    guard count > 0 else {
      throw AdvertisementFault(.outOfRange, at: countPlace, Message("at least one report"))
    }
    for _ in 0..<count { reports.append(try Self.report(kind, &reader)) }
    guard reader.isAtEnd else {
      throw AdvertisementFault(
        .unexpectedByte, at: reader.offset, Message("the end: all announced reports are read"))
    }
    fault = reports.lazy.compactMap(\.data.fault).first
  }

  private static func kind(_ reader: inout ByteReader) throws(AdvertisementFault) -> Kind {
    let expected = Message("02, an advertising report, or 0d, an extended one")
    let place = reader.offset
    guard let kind = Kind(rawValue: try reader.byte(expected)) else {
      throw AdvertisementFault(.unknownWord, at: place, expected)
    }
    return kind
  }

  private static func expect(
    _ byte: UInt8, _ reader: inout ByteReader, _ expected: @autoclosure () -> Message
  ) throws(AdvertisementFault) {
    let place = reader.offset
    guard try reader.byte(expected()) == byte else {
      throw AdvertisementFault(.unexpectedByte, at: place, expected())
    }
  }

  private static func report(
    _ kind: Kind, _ reader: inout ByteReader
  ) throws(AdvertisementFault) -> AdvertisingReport {
    switch kind {
    case .legacy: try legacyReport(&reader)
    case .extended: try extendedReport(&reader)
    }
  }

  private static func legacyReport(
    _ reader: inout ByteReader
  ) throws(AdvertisementFault) -> AdvertisingReport {
    let place = reader.offset
    let expected = Message("a type of advertisement, 00 through 04")
    guard let properties = legacyProperties(try reader.byte(expected)) else {
      throw AdvertisementFault(.unknownWord, at: place, expected)
    }
    let sender = try address(&reader)
    let data = try advertisingData(&reader)
    var report = AdvertisingReport(
      address: sender.address, properties: properties, rssiDBm: nil, data: data.data)
    report.bytes = data.bytes
    report.isResolved = sender.isResolved
    report.rssiDBm = try level(&reader, Message("the received strength"))
    return report
  }

  private static func legacyProperties(_ type: UInt8) -> AdvertisingReport.Properties? {
    switch type {
    case 0: [.legacy, .connectable, .scannable]
    case 1: [.legacy, .connectable, .directed]
    case 2: [.legacy, .scannable]
    case 3: [.legacy]
    case 4: [.legacy, .scanResponse]
    default: nil
    }
  }

  private static func extendedReport(
    _ reader: inout ByteReader
  ) throws(AdvertisementFault) -> AdvertisingReport {
    let place = reader.offset
    let type = UInt16(
      truncatingIfNeeded: try reader.take(2, Message("the type of the advertisement")).littleEndian)
    guard let completeness = AdvertisingReport.Completeness(rawValue: UInt8(type >> 5 & 3)) else {
      throw AdvertisementFault(
        .outOfRange, at: place,
        Message("00, 01 or 02 in bits 5 and 6: whether the data are complete"))
    }
    let sender = try address(&reader)
    // The channel's coding tells nothing that anybody here asks for.
    _ = try reader.take(2, Message("the two physical channels"))
    let setID = try reader.byte(Message("the number of the set of advertisements"))
    let power = try level(&reader, Message("the power it was sent with"))
    let rssi = try level(&reader, Message("the received strength"))
    _ = try reader.take(2, Message("the interval of periodic advertisements"))
    let target = try address(&reader)
    let data = try advertisingData(&reader)
    let properties = AdvertisingReport.Properties(rawValue: UInt8(type & 0x1F))
    var report = AdvertisingReport(
      address: sender.address, properties: properties, rssiDBm: rssi, data: data.data)
    report.bytes = data.bytes
    report.isResolved = sender.isResolved
    report.completeness = completeness
    report.transmitPowerDBm = power
    report.setID = setID < 16 ? setID : nil
    report.target = properties.contains(.directed) ? target.address : nil
    return report
  }

  /// 127 stands for a level that is not known.
  private static func level(
    _ reader: inout ByteReader, _ expected: @autoclosure () -> Message
  ) throws(AdvertisementFault) -> Int8? {
    let level = try reader.signedByte(expected())
    return level == 127 ? nil : level
  }

  private static func address(
    _ reader: inout ByteReader
  ) throws(AdvertisementFault) -> (address: BluetoothAddress?, isResolved: Bool) {
    let place = reader.offset
    let expected = Message("a kind of address: 00 through 03, fe, or ff for none")
    let kind = try reader.byte(expected)
    let octets = try reader.take(6, Message("an address of six bytes"))
    switch kind {
    case 0, 2: return (BluetoothAddress(octets: octets, kind: .public), kind == 2)
    case 1, 3, 0xFE: return (BluetoothAddress(octets: octets, kind: .random), kind == 3)
    case 0xFF: return (nil, false)
    default: throw AdvertisementFault(.unknownWord, at: place, expected)
    }
  }

  private static func advertisingData(
    _ reader: inout ByteReader
  ) throws(AdvertisementFault) -> (data: AdvertisingData, bytes: [UInt8]) {
    let place = reader.offset
    let length = Int(try reader.byte(Message("the length of the advertised data")))
    let start = reader.offset
    let bytes = try reader.take(
      length,
      Message(
        "the data of {length} bytes that byte {place} announces",
        ["length": length, "place": place]))
    return (AdvertisingData(bytes, at: start), Array(bytes))
  }
}

import Advertisements
import Bytes
import Care
import Testing
import Texts

@Suite("Events of a Bluetooth controller")
struct AdvertisingEventTests {
  @Test("A report of Bluetooth 4 tells who sends, how strong, and what")
  func legacyReport() throws {
    let event = AdvertisingEvent(try Samples.bytes(Samples.events[0]))
    #expect(event.fault == nil)
    let report = try #require(event.reports.first)
    #expect(event.reports.count == 1)
    #expect(report.address == BluetoothAddress("6A:6B:C9:A2:3E:43", kind: .random))
    #expect(report.rssiDBm == -77)
    #expect(report.properties == [.legacy, .connectable, .scannable])
    #expect(report.completeness == .complete && !report.isResolved)
    #expect(report.transmitPowerDBm == nil && report.setID == nil && report.target == nil)
    #expect(report.data.structures.map(\.type) == [0x01, 0xFF])
    #expect(report.data.structures.map(\.offset) == [14, 17])
    #expect(report.data.flags == 0x1A)
  }

  @Test("An extended report tells it too")
  func extendedReport() throws {
    let event = AdvertisingEvent(try Samples.bytes(Samples.events[3]))
    #expect(event.fault == nil)
    let report = try #require(event.reports.first)
    #expect(report.address == BluetoothAddress("70:87:9E:30:A4:0E"))
    #expect(report.rssiDBm == -79)
    #expect(report.properties == [.legacy, .connectable, .scannable])
    #expect(report.data.services == [BluetoothUUID(0xFEE0)])
    #expect(report.data.serviceData.first?.bytes.count == 20)
    #expect(report.setID == nil, "255 stands for none")
  }

  @Test("An extended report of Bluetooth 5 has a set, a power, a target, and may be incomplete")
  func extendedFields() throws {
    let head = "043e1d0d01" + "2400" + "01" + "010203040506" + "0103" + "05"
    let tail = "0a" + "c4" + "0000" + "00" + "0a0b0c0d0e0f" + "03" + "020106"
    let report = try #require(AdvertisingEvent(try Samples.bytes(head + tail)).reports.first)
    #expect(report.properties == [.directed])
    #expect(report.completeness == .moreFollows)
    #expect(report.setID == 5 && report.transmitPowerDBm == 10 && report.rssiDBm == -60)
    #expect(report.target == BluetoothAddress("0F:0E:0D:0C:0B:0A"))
    #expect(report.data.flags == 6)
    let cutOff = AdvertisingEvent(try Samples.bytes(head.replacing("2400", with: "4400") + tail))
    #expect(cutOff.reports.first?.completeness == .cutOff)
    let reserved = AdvertisingEvent(try Samples.bytes(head.replacing("2400", with: "6400") + tail))
    #expect(reserved.reports.isEmpty && reserved.fault?.offset == 5)
  }

  @Test("Several reports in one event are all read")
  func severalReports() throws {
    let event = AdvertisingEvent(try Samples.bytes(Samples.events[4]))
    #expect(event.fault == nil)
    #expect(event.reports.count == 2)
    #expect(event.reports.first?.rssiDBm == -52)
    #expect(event.reports.last?.properties == [.legacy, .scanResponse])
    #expect(event.reports.last?.rssiDBm == nil, "127 stands for a strength that is not known")
    #expect(event.reports.last?.data.name == "DIY-sensor")
    let bare = AdvertisingEvent(try Samples.bytes(String(Samples.events[4].dropFirst(2))))
    #expect(bare.reports.map(\.rssiDBm) == event.reports.map(\.rssiDBm))
  }

  @Test(
    "Each kind of address is told apart",
    arguments: [
      ("00", BluetoothAddress.Kind.public, false), ("01", .random, false), ("02", .public, true),
      ("03", .random, true),
    ])
  func addressKinds(code: String, kind: BluetoothAddress.Kind, isResolved: Bool) throws {
    let hex = "043e0c020103\(code)010203040506" + "00" + "c8"
    let report = try #require(AdvertisingEvent(try Samples.bytes(hex)).reports.first)
    #expect(report.address == BluetoothAddress("06:05:04:03:02:01", kind: kind))
    #expect(report.isResolved == isResolved)
  }

  @Test("A sender may stay without an address")
  func anonymous() throws {
    let report = AdvertisingEvent(try Samples.bytes("043e0c020103ff01020304050600c8"))
    #expect(report.reports.count == 1 && report.reports.first?.address == nil)
  }

  @Test(
    "What is wrong is told with its place and with what was expected",
    arguments: [
      ("043f", 1, "3e, the code of events"), ("04", 1, "3e, the code"),
      ("043e", 2, "the length of the event"), ("043e05020100", 2, "3 bytes, not 5"),
      ("043e01020100", 2, "3 bytes, not 1"), ("043e0103", 3, "02, an advertising report"),
      ("043e0102", 4, "the number of reports"), ("043e020200", 4, "at least one report"),
      ("043e03020105", 5, "00 through 04"), ("043e0402010007", 7, "an address of six bytes"),
      ("043e0a02010007010203040506", 6, "a kind of address"),
      ("043e0a02010000010203040506", 13, "the length of the advertised data"),
      ("043e0c0201000001020304050603aa", 15, "3 bytes that byte 13 announces"),
      ("043e0b0201000001020304050600", 14, "the received strength"),
      ("043e0d0201000001020304050600c800", 15, "all announced reports are read"),
      ("043e0f0201000001020304050603030201c8", 14, "3 bytes are announced, and 2 follow"),
    ])
  func faults(hex: String, offset: Int, expected: String) throws {
    let fault = try #require(AdvertisingEvent(try Samples.bytes(hex)).fault)
    #expect(fault.offset == offset)
    #expect(fault.expected.description.contains(expected), "\(fault)")
    #expect(fault.decodeError.offset == offset)
  }

  @Test("What stands before a fault is kept")
  func keptBeforeAFault() throws {
    let whole = try Samples.bytes(Samples.events[4])
    var second = whole
    second[second.count - 22] = 9
    let event = AdvertisingEvent(second)
    #expect(event.reports.count == 1 && event.fault != nil)
    let data = AdvertisingData(try Samples.bytes("0201061aff4c00"))
    #expect(data.flags == 6 && data.structures.count == 1)
    #expect(data.fault?.offset == 3 && data.fault?.code == .truncated)
  }

  @Test("Events and bare structures are told apart")
  func isEvent() throws {
    for hex in Samples.events {
      #expect(AdvertisingEvent.isEvent(try Samples.bytes(hex)))
      #expect(AdvertisingEvent.isEvent(try Samples.bytes(String(hex.dropFirst(2)))))
    }
    for hex in Samples.data { #expect(!AdvertisingEvent.isEvent(try Samples.bytes(hex))) }
    #expect(!AdvertisingEvent.isEvent([UInt8]()))
  }
}

import Advertisements
import Bytes
import Care
import Testing

@Suite("What devices advertise")
struct AdvertisingDataTests {
  @Test("All that a device says of itself is read, and unknown types are passed over")
  func everything() throws {
    let data = AdvertisingData(try Samples.bytes(Samples.data[6]))
    #expect(data.fault == nil)
    #expect(data.flags == 26 && data.name == "Ped" && data.transmitPowerDBm == -20)
    #expect(data.services == [BluetoothUUID(0x110B), BluetoothUUID(0x110A)])
    #expect(
      data.serviceData == [
        ServiceData(service: BluetoothUUID(0x110B), bytes: [0x50, 0x64], offset: 21)
      ])
    #expect(
      data.manufacturerData == [ManufacturerData(company: 0x00E0, bytes: [2, 0x15], offset: 27)])
    #expect(data.structures.last?.type == 0x50 && data.structures.last?.knownType == nil)
  }

  @Test("UUIDs of 32 and 128 bits are read in lists and in data")
  func longUUIDs() throws {
    let long = "1bc5d5a50200b496e31195e5a1f79daf"
    let hex = "0505785634121107" + long + "0620785634120a" + "1221" + long + "77"
    let data = AdvertisingData(try Samples.bytes(hex))
    let meter = BluetoothUUID("af9df7a1-e595-11e3-96b4-0002a5d5c51b")
    #expect(data.fault == nil)
    #expect(data.services == [BluetoothUUID(short32: 0x1234_5678), meter])
    #expect(data.serviceData.map(\.service) == data.services)
    #expect(data.serviceData.map(\.bytes) == [[0x0A], [0x77]])
  }

  @Test("A length of zero ends the data, whatever follows")
  func padding() throws {
    let data = AdvertisingData(try Samples.bytes("02010600ff4c00"))
    #expect(data.structures.count == 1 && data.fault == nil && data.flags == 6)
  }

  @Test("Blocks of one company belong together, and stay apart from another's")
  func companies() throws {
    let data = AdvertisingData(try Samples.bytes("04ffb4070104ff4c000204ffb40703"))
    #expect(data.data(ofCompany: 0x07B4) == [1, 3])
    #expect(data.data(ofCompany: 0x004C) == [2])
    #expect(data.data(ofCompany: 1).isEmpty)
    #expect(data.manufacturerData.count == 3)
  }

  @Test("The whole name wins over its beginning, in either order")
  func names() throws {
    #expect(
      AdvertisingData(try Samples.bytes("03084142040941424304094445460308585900")).name == "DEF")
    #expect(AdvertisingData(try Samples.bytes("0409414243030841420000")).name == "ABC")
    #expect(AdvertisingData(try Samples.bytes("03094100")).name == "A", "zeros are padding")
    #expect(AdvertisingData(try Samples.bytes("030941ff")).name == "A\u{FFFD}")
  }

  @Test(
    "A structure that is wrong in itself is noted, and the rest is read",
    arguments: ["0203aa020106", "020a020a05020106", "01ff020106", "0216aa020106", "0219aa020106"])
  func faults(hex: String) throws {
    let data = AdvertisingData(try Samples.bytes(hex))
    if hex == "020a020a05020106" {
      #expect(data.transmitPowerDBm == 2)
    } else {
      #expect(data.fault?.code == .outOfRange && data.fault?.offset == 0)
      #expect(data.flags == 6)
    }
  }

  @Test(
    "Data of a service with a long UUID that end within it belong to no service",
    arguments: ["0321aafe", "052100000018", "0320aafe"])
  func cutServiceData(hex: String) throws {
    let data = AdvertisingData(try Samples.bytes("020106" + hex))
    #expect(data.serviceData.isEmpty && data.flags == 6)
    #expect(data.fault?.code == .outOfRange && data.fault?.offset == 3)
    #expect(AdvertisementReading(data).contents.isEmpty)
  }

  @Test("Parts that a daemon tells make the same as bytes")
  func parts() throws {
    let beacon = try Samples.bytes(Samples.events[0])
    let fromBytes = try #require(AdvertisingEvent(beacon).reports.first).data
    let fromParts = AdvertisingData(
      flags: fromBytes.flags, manufacturerData: fromBytes.manufacturerData)
    #expect(
      AdvertisementReading(fromParts).contents == AdvertisementReading(fromBytes).contents)
    #expect(fromParts.structures.isEmpty && fromParts.fault == nil)
  }
}

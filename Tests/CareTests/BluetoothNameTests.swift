import Bytes
import Care
import Testing

@Suite("Bluetooth addresses and UUIDs")
struct BluetoothNameTests {
  @Test("An address reads as it is written, and is sent lowest octet first")
  func address() throws {
    let address = try #require(BluetoothAddress("c0:11:22:33:44:5A", kind: .random))
    #expect(address.text == "C0:11:22:33:44:5A")
    #expect(address.octets == [0x5A, 0x44, 0x33, 0x22, 0x11, 0xC0])
    #expect(BluetoothAddress(octets: address.octets, kind: .random) == address)
    #expect(BluetoothAddress(bits: address.bits) != address, "the kind is part of an address")
  }

  @Test(
    "The highest bits tell kinds of random addresses",
    arguments: [
      ("C0:00:00:00:00:01", BluetoothAddress.RandomKind.static, true),
      ("40:00:00:00:00:01", .resolvablePrivate, false),
      ("3F:00:00:00:00:01", .nonResolvablePrivate, false), ("80:00:00:00:00:01", .reserved, false),
    ])
  func randomKinds(text: String, kind: BluetoothAddress.RandomKind, isLasting: Bool) throws {
    let random = try #require(BluetoothAddress(text, kind: .random))
    #expect(random.randomKind == kind)
    #expect(random.isLasting == isLasting)
    let fixed = try #require(BluetoothAddress(text))
    #expect(fixed.randomKind == nil && fixed.isLasting)
  }

  @Test(
    "What is no address is refused",
    arguments: [
      "", "C0:11:22:33:44", "C0:11:22:33:44:55:66", "C0-11-22-33-44-55", "C0:11:22:33:44:5",
      "C0:11:22:33:4:555", "G0:11:22:33:44:55", "C01122334455", "+0:11:22:33:44:55",
    ])
  func noAddress(text: String) {
    #expect(BluetoothAddress(text) == nil)
    #expect(BluetoothUUID(text) == nil)
    #expect(BluetoothAddress(bits: 1 << 48) == nil)
    #expect(BluetoothAddress(octets: [1, 2, 3]) == nil)
  }

  @Test(
    "A short UUID is the long one",
    arguments: [
      ("1808", "00001808-0000-1000-8000-00805f9b34fb", "1808"),
      ("0000FEAA", "0000feaa-0000-1000-8000-00805f9b34fb", "feaa"),
      ("12345678", "12345678-0000-1000-8000-00805f9b34fb", "12345678-0000-1000-8000-00805f9b34fb"),
      (
        "AF9DF7A1-E595-11E3-96B4-0002A5D5C51B", "af9df7a1-e595-11e3-96b4-0002a5d5c51b",
        "af9df7a1-e595-11e3-96b4-0002a5d5c51b"
      ),
    ])
  func uuid(text: String, long: String, description: String) throws {
    let uuid = try #require(BluetoothUUID(text))
    #expect(uuid.text == long)
    #expect("\(uuid)" == description)
    #expect(BluetoothUUID(long) == uuid)
  }

  @Test("A UUID is sent lowest octet first")
  func octets() {
    #expect(BluetoothUUID(octets: [0x08, 0x18]) == BluetoothUUID(0x1808))
    #expect(BluetoothUUID(octets: [0x08, 0x18, 0, 0]) == BluetoothUUID(0x1808))
    #expect(
      BluetoothUUID(octets: [
        0xFB, 0x34, 0x9B, 0x5F, 0x80, 0, 0, 0x80, 0, 0x10, 0, 0, 0x08, 0x18, 0, 0,
      ]) == BluetoothUUID(0x1808))
    #expect(BluetoothUUID(octets: [1, 2, 3]) == nil)
    #expect(BluetoothUUID(short32: 0x1234_5678).short == nil)
  }

  @Test("Digits are read in either case, and nothing else is")
  func hexadecimal() {
    #expect(Hexadecimal.bytes("00fFa5") == [0x00, 0xFF, 0xA5])
    #expect(Hexadecimal.text([0x00, 0xFF, 0xA5]) == "00ffa5")
    for text in ["0", "0g", "0x", " 00", "é"] { #expect(Hexadecimal.bytes(text) == nil) }
  }
}

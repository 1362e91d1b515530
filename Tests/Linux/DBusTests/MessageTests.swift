import CSystemd
import Glibc
import Testing

@testable import DBus

/// A message that nobody sends: what is appended to it is read from it again.
private final class Message {
  private let bus: OpaquePointer
  private let ends: [Int32]
  let pointer: OpaquePointer

  init() throws {
    var ends: [Int32] = [-1, -1]
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    self.ends = ends
    var bus: OpaquePointer?
    try #require(sd_bus_new(&bus) >= 0)
    self.bus = try #require(bus)
    // Only a connection that has begun makes messages.
    try #require(sd_bus_set_fd(bus, ends[0], ends[0]) >= 0 && sd_bus_start(bus) >= 0)
    var message: OpaquePointer?
    try #require(
      sd_bus_message_new_method_call(bus, &message, "org.example", "/", "org.example", "Call") >= 0)
    pointer = try #require(message)
  }

  deinit {
    sd_bus_message_unref(pointer)
    sd_bus_close(bus)
    sd_bus_unref(bus)
    Glibc.close(ends[1])
  }

  /// Ends the writing and reads all of it.
  func values() throws -> [BusValue] {
    try #require(sd_bus_message_seal(pointer, 1, 0) >= 0)
    return BusValue.arguments(of: pointer)
  }

  func append<Number: BitwiseCopyable>(_ type: Unicode.Scalar, _ number: Number) throws {
    var number = number
    try #require(
      sd_bus_message_append_basic(pointer, CChar(truncatingIfNeeded: type.value), &number) >= 0)
  }

  func open(_ type: Unicode.Scalar, _ contents: String) throws {
    try #require(
      sd_bus_message_open_container(pointer, CChar(truncatingIfNeeded: type.value), contents) >= 0)
  }

  func close() throws { try #require(sd_bus_message_close_container(pointer) >= 0) }
}

/// What is said on the bus is what is heard there.
@Suite("Words on the bus")
struct MessageTests {
  private static let pairs: [(said: BusArgument, heard: BusValue)] = [
    (.text(""), .text("")), (.text("Grüße 🙂"), .text("Grüße 🙂")),
    (.path("/org/bluez/hci0"), .text("/org/bluez/hci0")), (.flag(true), .flag(true)),
    (.flag(false), .flag(false)), (.byte(255), .integer(255)), (.int16(.min), .integer(-32_768)),
    (.uint16(.max), .integer(65_535)), (.uint32(.max), .integer(4_294_967_295)),
    (.bytes([]), .bytes([])), (.bytes([0, 1, 255]), .bytes([0, 1, 255])),
    (.variant(.text("x")), .text("x")), (.variant(.bytes([7])), .bytes([7])),
    (.variant(.variant(.int16(-1))), .integer(-1)),
    (
      .structure([.text("x"), .uint32(1), .structure([.flag(true)])]),
      .list([.text("x"), .integer(1), .list([.flag(true)])])
    ),
    (.array("s", []), .list([])),
    (.array("s", [.text("a"), .text("b")]), .list([.text("a"), .text("b")])),
    (
      .array("(su)", [.structure([.text("a"), .uint32(1)])]),
      .list([.list([.text("a"), .integer(1)])])
    ),
    (.array("ay", [.bytes([1]), .bytes([])]), .list([.bytes([1]), .bytes([])])),
    (.array("a{sv}", [.options([])]), .list([.map([:])])),
    (.options([]), .map([:])),
    (
      .options([("a", .flag(true)), ("b", .bytes([2]))]),
      .map(["a": .flag(true), "b": .bytes([2])])
    ),
    (.map("u", [("a", .uint32(1))]), .map(["a": .integer(1)])),
    (
      .objects("a{sv}", [("/a", .options([("n", .int16(5))])), ("/b", .options([]))]),
      .map(["/a": .map(["n": .integer(5)]), "/b": .map([:])])
    ),
    // As bluetoothd tells of its objects.
    (
      .objects(
        "a{sa{sv}}", [("/d", .map("a{sv}", [("org.Device", .options([("On", .flag(true))]))]))]),
      .map(["/d": .map(["org.Device": .map(["On": .flag(true)])])])
    ),
  ]

  @Test("Each argument is heard as it was said, alone and among all others")
  func roundTrip() throws {
    for pair in Self.pairs {
      let message = try Message()
      #expect(pair.said.append(to: message.pointer) >= 0, "\(pair.said)")
      #expect(try message.values() == [pair.heard])
    }
    let all = try Message()
    for pair in Self.pairs { #expect(pair.said.append(to: all.pointer) >= 0, "\(pair.said)") }
    #expect(try all.values() == Self.pairs.map(\.heard))
    #expect(try Message().values() == [])
  }

  @Test("Numbers of every width are whole numbers, one too large the largest, fractions nothing")
  func numbers() throws {
    let message = try Message()
    try message.append("i", Int32.min)
    try message.append("x", Int64.min)
    try message.append("t", UInt64.max)
    try message.append("d", 1.5)
    try message.append("y", UInt8(3))
    #expect(
      try message.values() == [
        .integer(Int64(Int32.min)), .integer(.min), .integer(.max), .other, .integer(3),
      ])
  }

  @Test("A dictionary with numbers for keys has them written out")
  func numberedKeys() throws {
    let message = try Message()
    try message.open("a", "{ns}")
    for key in [-1, 22] as [Int16] {
      try message.open("e", "ns")
      try message.append("n", key)
      #expect(BusArgument.text("v\(key)").append(to: message.pointer) >= 0)
      try message.close()
    }
    try message.close()
    #expect(try message.values() == [.map(["-1": .text("v-1"), "22": .text("v22")])])
  }

  @Test("What is nested deeper than anybody means it ends the reading, and what was before is kept")
  func depth() throws {
    func nested(_ levels: Int) -> BusArgument {
      (0..<levels).reduce(.text("x")) { inner, _ in .variant(inner) }
    }
    for (levels, expected) in [
      (15, [BusValue.text("a"), .text("x"), .text("b")]), (16, [.text("a")]), (40, [.text("a")]),
    ] {
      let message = try Message()
      for argument in [.text("a"), nested(levels), .text("b")] as [BusArgument] {
        #expect(argument.append(to: message.pointer) >= 0)
      }
      #expect(try message.values() == expected, "\(levels)")
    }
  }

  @Test("What cannot be said is not taken, however deep it stands")
  func unspeakable() throws {
    for argument in [
      .path("no path"), .path(""), .array("u", [.text("x")]), .map("u", [("a", .flag(true))]),
      .objects("u", [("no path", .uint32(1))]), .variant(.structure([.path("x")])),
      .options([("a", .variant(.path("x")))]), .array("(", []),
    ] as [BusArgument] {
      let message = try Message()
      #expect(argument.append(to: message.pointer) < 0, "\(argument)")
    }
  }

  @Test("A value is what it is and nothing else, and has no part that is not there")
  func parts() {
    let list = BusValue.list([.text("a"), .map(["k": .integer(5)])])
    #expect(list[1]?["k"]?.integer == 5 && list[0]?.text == "a")
    #expect(list[2] == nil && list[-1] == nil && list["k"] == nil && list[1]?["x"] == nil)
    for value in [.text("1"), .integer(1), .flag(true), .bytes([1]), list, .other] as [BusValue] {
      let found = [
        value.text != nil, value.integer != nil, value.flag != nil, value.bytes != nil,
        !value.list.isEmpty,
      ]
      #expect(found.filter { $0 }.count == (value == .other ? 0 : 1))
      #expect(value.map.isEmpty && value["1"] == nil)
    }
  }

  @Test(
    "Only where no answer came in time may it have been done",
    arguments: [
      ("org.freedesktop.DBus.Error.NoReply", true), ("org.freedesktop.DBus.Error.Timeout", true),
      ("org.freedesktop.DBus.Error.Disconnected", false), ("org.bluez.Error.Failed", false),
      ("", false),
    ])
  func timeOuts(name: String, isTimeOut: Bool) {
    #expect(BusFault(name: name, message: "NoReply").isTimeOut == isTimeOut)
  }
}

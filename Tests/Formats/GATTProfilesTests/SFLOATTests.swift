import Foundation
import TestSupport
import Testing

@testable import GATTProfiles

@Suite("SFLOAT")
struct SFLOATTests {
  @Test("Exactly five words are no numbers")
  func specialWords() {
    let special = (0...UInt16.max).filter { SFLOAT(bits: $0).special != nil }
    #expect(special == [0x07FE, 0x07FF, 0x0800, 0x0801, 0x0802])
    #expect(
      special.map { SFLOAT(bits: $0).description } == [
        "+INFINITY", "NaN", "NRes", "reserved", "-INFINITY",
      ])
    #expect(special.allSatisfy { SFLOAT(bits: $0).decimal == nil })
    #expect(SFLOAT(bits: 0x17FF).description == "20470")
    #expect(SFLOAT(bits: 0x17FF).hasSpecialMantissa && !SFLOAT(bits: 0x17FD).hasSpecialMantissa)
  }

  @Test("Every word that is a number is written from its mantissa and exponent again")
  func everyWord() throws {
    for bits in 0...UInt16.max {
      let float = SFLOAT(bits: bits)
      let again = SFLOAT(mantissa: float.mantissa, exponent: float.exponent)
      if float.special == nil { #expect(again == float) } else { #expect(again == nil) }
    }
    #expect(SFLOAT(mantissa: 2048) == nil && SFLOAT(mantissa: -2049) == nil)
    #expect(SFLOAT(mantissa: 1, exponent: 8) == nil && SFLOAT(mantissa: 1, exponent: -9) == nil)
  }

  @Test(
    "Numbers are written as they are",
    arguments: [
      (0xB06F, "0.00111"), (0xFFFF, "-0.1"), (0x001E, "30"), (0x1134, "3080"), (0xF159, "34.5"),
      (0x0000, "0"), (0x8001, "0.00000001"), (0x7001, "10000000"), (0x7803, "-20450000000"),
      (0xB064, "0.001"),
    ] as [(UInt16, String)])
  func descriptions(bits: UInt16, text: String) {
    #expect(SFLOAT(bits: bits).description == text)
    #expect(SFLOAT(bits: bits).decimal?.double == Double(text))
  }

  private static let tshark = ["/usr/bin/tshark", "/usr/local/bin/tshark"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  @Test(
    "Wireshark reads all 65,536 words alike",
    .enabled(if: tshark != nil, "tshark is absent"))
  func wireshark() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path(of: "words.pcap")
    let notifications = (0...UInt16.max).map { bits in
      GlucoseMeasurement(
        sequence: bits, baseTime: time(day: 1, 0, 0),
        sample: GlucoseMeasurement.Sample(
          concentration: SFLOAT(bits: bits), unit: .kilogramsPerLitre,
          origin: GlucoseSampleOrigin(octet: 0x11))
      ).octets
    }
    try Data(Capture.file(of: notifications)).write(to: URL(fileURLWithPath: path))
    let program = try ProgramOutput(
      try #require(Self.tshark),
      [
        "-n", "-r", path, "-d", "btatt.handle==0x0010,btgatt.uuid0x2a18", "-T", "fields", "-e",
        "btatt.glucose_measurement.sequence_number", "-e",
        "btatt.glucose_measurement.glucose_concentration.kg_per_l",
      ])
    #expect(program.exitCode == 0)
    let lines = program.text.split(separator: "\n")
    try #require(lines.count == 65_536)
    var differences: [String] = []
    for line in lines {
      let fields = line.split(separator: "\t")
      let bits = try #require(fields.first.flatMap { UInt16($0) })
      let theirs = fields.count == 2 ? Self.plain(fields[1]) : ""
      if theirs != SFLOAT(bits: bits).description {
        differences.append("\(bits): \(theirs) against \(SFLOAT(bits: bits))")
      }
    }
    #expect(differences.count == 0, "\(differences.prefix(10))")
  }

  /// Wireshark's text without zeros at the end of a fraction; its name of the reserved word as ours.
  private static func plain(_ text: Substring) -> String {
    guard text.contains(".") else { return text == "RFU" ? "reserved" : String(text) }
    var text = text
    while text.last == "0" { text.removeLast() }
    return String(text.last == "." ? text.dropLast() : text)
  }
}

/// A capture of Bluetooth traffic that Wireshark reads.
private enum Capture {
  /// A file of notifications of handle 0x0010: pcap with packets of HCI UART (link type 187).
  static func file(of notifications: [[UInt8]]) -> [UInt8] {
    var file = words(0xA1B2_C3D4, 0x0004_0002, 0, 0, 65_535, 187)
    for notification in notifications {
      let attribute: [UInt8] = [0x1B, 0x10, 0x00] + notification
      let logicalLink = halves(attribute.count, 0x0004) + attribute
      let packet: [UInt8] = [0x02] + halves(0x2040, logicalLink.count) + logicalLink
      file += words(0, 0, UInt32(packet.count), UInt32(packet.count)) + packet
    }
    return file
  }

  private static func words(_ words: UInt32...) -> [UInt8] {
    words.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) } }
  }

  private static func halves(_ words: Int...) -> [UInt8] {
    words.flatMap { word in (0..<2).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) } }
  }
}

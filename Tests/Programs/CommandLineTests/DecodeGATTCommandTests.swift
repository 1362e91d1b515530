import Foundation
import JSON
import TestSupport
import Testing

@Suite struct DecodeGATTCommandTests {
  private let offline = Tool(environment: ["HOMEWARD_SOCKET": "/nowhere/s"])

  private static let kinds = [
    "0x2A18": "glucose-measurement", "0x2A34": "glucose-context", "0x2A51": "glucose-feature",
    "0x2A52": "racp", "0x2AA7": "cgm-measurement", "0x2AA8": "cgm-feature",
    "0x2AA9": "cgm-status", "0x2AAA": "cgm-session-start", "0x2AAC": "cgm-control",
  ]
  /// Published values that are damaged on purpose.
  private static let damaged: Set<String> = [
    "nordic-gm-short", "nordic-cgm-badcrc", "nordic-cgm-tooshort", "nordic-cgmfeature-badcrc",
  ]
  /// Published values that are not compared, and why: their sources' own readings are about another direction.
  private static let notCompared = [
    "nordic-racp-too-short": "as a response it is too short; as the request that it is, it is whole"
  ]

  @Test(arguments: Capture.all(["meters.json"], others: ["glucose_vectors.json"]))
  func everyValueOfAMeterIsDecodedAsExpected(capture: Capture) throws {
    let file = try JSONValue(parsing: capture.bytes())
    let vectors = try #require(file["vectors"]?.arrayContent)
    #expect(vectors.count == (capture.isOurs ? 42 : 34))
    for vector in vectors {
      let id = try #require(vector["id"]?.stringContent)
      let kind = try #require(vector["uuid"]?.stringContent.flatMap { Self.kinds[$0] })
      let outcome = try offline.run([
        "decode", kind, try #require(vector["hex"]?.stringContent), "--json",
      ])
      let json = try JSONValue(parsing: outcome.output)
      let expected = vector["expected"] ?? .null
      let isDamaged = capture.isOurs ? expected["valid"] == false : Self.damaged.contains(id)
      #expect(outcome.code == (isDamaged ? 1 : 0), "\(id): \(outcome.errors)")
      #expect(json["valid"] == .bool(!isDamaged), "\(id)")
      if expected != .null { #expect(json.difference(from: expected) == nil, "\(id)") }
      if Self.notCompared[id] != nil { #expect(json["opcode"] == 1) }
    }
  }

  @Test(
    arguments: [
      ("racp 0103012d00", ["opcode": 1, "operator": 3, "filter_type": 1, "operand": 45]),
      ("racp 01040101000500", ["minimum": 1, "maximum": 5]),
      ("racp 05000201", ["opcode": 5, "number_of_records": 258]),
      ("racp 06000106", ["request_opcode": 1, "response_name": "no records found"]),
      ("racp 010302e807011e053a1b", ["operand": "2024-01-30T05:58:27"]),
      ("glucose-feature f003", ["feature_bits": [4, 5, 6, 7, 8, 9]]),
      ("cgm-control 0f0100", ["level": "hypo alert level", "amount": "1", "has_crc": false]),
      ("cgm-control 0601200a00321400010004bfb2", ["mg_dL": "100", "record": 1, "has_crc": true]),
      ("cgm-control 1c0201", ["request_opcode": 2, "response_name": "success"]),
      ("cgm-status 05003f3fffa7e0", ["time_offset_min": 5, "has_crc": true]),
      ("cgm-feature 6e9e01168ac1", ["type": 6, "location": 1, "has_crc": true]),
      ("cgm-session-start e20704180d08180804e0c2", ["utc": "2018-04-24T10:08:24.000Z"]),
      ("glucose-measurement 030100e407030e1717000000ffff11", ["meaning": "absurd"]),
      (
        "glucose-measurement 020100e407030e171700ff0711", ["mg_dL": nil, "meaning": "not-a-number"]
      ),
      (
        "glucose-measurement 060100e407030e1717003ec011",
        ["mmol_L_18.0156": "6.2", "mg_dL": "111.697"]
      ),
      ("glucose-context 02010006", ["meal": "0x06", "ketone": true]),
    ] as [(String, [String: JSONValue?])])
  func theJSONHasTheFieldsOfTheMessage(words: String, expected: [String: JSONValue?]) throws {
    let words = words.split(separator: " ").map(String.init)
    let outcome = try offline.run(["decode"] + words + ["--json"])
    #expect(outcome.code == 0 && outcome.errors.isEmpty)
    let json = try JSONValue(parsing: outcome.output)
    #expect(json["valid"] == true)
    for (key, value) in expected { #expect(json[key] == value ?? .null, "\(key)") }
  }

  @Test func withoutJSONItIsATableWithASentence() throws {
    let outcome = try offline.run([
      "decode", "glucose-measurement", "1b:0f:00:e8:07:01:1e:05:3a:1b", "53 01 6f b0 f8 00 00",
    ])
    #expect(outcome.code == 0)
    #expect(outcome.output.hasPrefix("FIELD             VALUE\nvalid             true\n"))
    #expect(outcome.output.contains("\nuser_facing_time  2024-01-30T11:37:27\n"))
    #expect(outcome.output.hasSuffix("\nA reading: 111 mg/dL.\n"))
    let records = try offline.run(["decode", "cgm-measurement", "0x060064000500060065000600"])
    #expect(records.output.contains("\nrecords.1.time_offset_min  6\n"), "\(records.output)")
    let low = try offline.run(["decode", "glucose-measurement", "0a0100e407030e171700 6fb0114000"])
    #expect(low.output.contains("The meter says LO"))
  }

  @Test func whatCannotBeReadIsSaidWithThePlace() throws {
    let short = try offline.run(["decode", "glucose-measurement", "1b0f00e807"])
    #expect(short.code == 1 && short.output.isEmpty)
    #expect(short.errors.contains("truncated \"baseTime\" at byte 3"))
    #expect(short.errors.contains("5 bytes were given"))
    let json = try offline.run(["decode", "cgm-status", "05003f3fffa7e1", "--json"])
    #expect(
      json.output == "{\"valid\":false,\"error\":\"checksum\",\"offset\":5,\"field\":\"crc\"}\n")
    for (digits, sentence) in [
      ("1b0f0", "digits are not whole bytes"), ("1bxx", "\"x\" is no hexadecimal digit"),
      ("\u{FF11}1", "is no hexadecimal digit"),
    ] {
      let outcome = try offline.run(["decode", "racp", digits])
      #expect(outcome.code == 2 && outcome.errors.contains(sentence), "\(outcome.errors)")
      #expect(outcome.errors.contains("Try: homeward decode racp --help"))
    }
    let meant = try offline.run(["decode", "glucose-measurment", "00"])
    #expect(meant.code == 2 && meant.errors.contains("Did you mean"))
  }
}

import Advertisements
import Bytes
import Care
import Foundation
import JSON
import TestSupport
import Testing

/// One advertisement of the shared data folder, with what others decoded from it; ours are in `CapturedTagTests`.
struct PublishedAdvertisement: CustomTestStringConvertible {
  var id: String
  var family: String
  var content: JSONValue

  static let all: [PublishedAdvertisement] = {
    guard let path = SharedData.path("adv_vectors.json"),
      let bytes = try? Data(contentsOf: URL(fileURLWithPath: path)),
      let json = try? JSONValue(parsing: Array(bytes))
    else { return [] }
    return (json["vectors"]?.arrayContent ?? []).compactMap { vector in
      guard let id = vector["id"]?.stringContent, let family = vector["family"]?.stringContent
      else { return nil }
      return PublishedAdvertisement(id: id, family: family, content: vector)
    }
  }()

  var testDescription: String { id }

  var expected: JSONValue { content["source_expected"] ?? .null }
  var fields: JSONValue { content["fields"] ?? .null }

  func bytes() throws -> [UInt8] { try Samples.bytes(try #require(content["hex"]?.stringContent)) }

  /// The report of an event; nil for the other forms.
  func report() throws -> AdvertisingReport? {
    guard content["form"]?.stringContent == "hci-h4" else { return nil }
    let event = AdvertisingEvent(try bytes())
    #expect(event.fault == nil && event.reports.count == 1)
    let report: AdvertisingReport = try #require(event.reports.first)
    return report
  }

  func data() throws -> AdvertisingData {
    if let report = try report() { return report.data }
    return fields == .null ? AdvertisingData(try bytes()) : try dataOfFields()
  }

  /// Fields as a Bluetooth daemon tells them.
  private func dataOfFields() throws -> AdvertisingData {
    var data = AdvertisingData(name: fields["name"]?.stringContent)
    if let hex = fields["manufacturerdata"]?.stringContent {
      let bytes = try Samples.bytes(hex)
      data.manufacturerData = [
        ManufacturerData(
          company: UInt16(bytes[0]) | UInt16(bytes[1]) << 8, bytes: Array(bytes[2...]))
      ]
    }
    let service = fields["servicedatauuid"] ?? fields["uuid"]
    let hex = fields["servicedata"] ?? fields["data"]
    if let name = service?.stringContent, let hex = hex?.stringContent {
      let uuid = try #require(
        BluetoothUUID(name.hasPrefix("0x") ? String(name.dropFirst(2)) : name))
      data.serviceData = [ServiceData(service: uuid, bytes: try Samples.bytes(hex))]
    }
    return data
  }

  func reading() throws -> AdvertisementReading { AdvertisementReading(try data()) }
}

@Suite(
  "Published advertisements",
  .enabled(if: SharedData.folder != nil, "the shared data folder is absent"))
struct VectorTests {
  /// What is not decoded here, and why. The frame around each is, and is compared in ``framing(vector:)``.
  static let notCovered: [String: String] = [
    "blemon-holyiot_temperature": "measurements in HolyIOT's own service 5242; its iBeacon is read",
    "blemon-holyiot_humidity": "measurements in HolyIOT's own service 5242; its iBeacon is read",
    "blemon-holyiot_side": "measurements in HolyIOT's own service 5242; its iBeacon is read",
    "blemon-blue_puck_T": "a thermometer with data of its own; neither tag nor button",
    "blemon-amazfit_smart_scale": "a scale; neither tag nor button",
    "blemon-miband_heartrate_steps": "heart rate and steps of a wristband; known by its address",
    "blemon-mikrotik_tg_bt5_in": "acceleration in MikroTik's own data; known by its address",
    "blemon-jaalee_jht": "a thermometer with data of its own; neither tag nor button",
    "blemon-jaalee_jht_api_example": "a thermometer that hides its measurements in an iBeacon",
    "blemon-ruuvitag_v2": "measurements inside a web address; the address itself is read",
    "blemon-ruuvitag_v4": "measurements inside a web address; the address itself is read",
    "blemon-hormann_closed": "a garage door; neither tag nor button",
    "blemon-hormann_fully_open": "a garage door; neither tag nor button",
    "blemon-Xiaomi_JTYJGD03MI_smoke": "Xiaomi's own MiBeacon, which nothing here asks for",
    "blemon-Xiaomi_RTCGQ02LM": "Xiaomi's own MiBeacon, which nothing here asks for",
    "blemon-Xiaomi_YLYK01YL": "Xiaomi's own MiBeacon, which nothing here asks for",
    "blemon-Xiaomi_YLKG07YL_rotate": "Xiaomi's own MiBeacon, which nothing here asks for",
    "blemon-linptech_HS1BB_no_motion": "Xiaomi's own MiBeacon, which nothing here asks for",
    "blemon-MJZNZ018H_bed_occupancy": "Xiaomi's own MiBeacon, which nothing here asks for",
    "blemon-XMWXKG01LM_single_click": "Xiaomi's own MiBeacon, which nothing here asks for",
    "blemon-XMWXKG01LM_long_click": "Xiaomi's own MiBeacon, which nothing here asks for",
    "theengs-mfgdata-23": "measurements of a RuuviTag; known by its address",
    "theengs-mfgdata-25": "measurements of a RuuviTag; known by its address",
    "theengs-mfgdata-78": "heart rate; neither tag nor button",
    "theengs-mfgdata-89": "only the name Tile, with data that are no bytes",
    "theengs-mfgdata-124": "headphones; known by their address",
    "theengs-mfgdata-140": "a bicycle's computer; known by its address",
    "theengs-uuid_name_svcdata-80": "a nutale, whose format nobody describes; known by its address",
    "theengs-uuid-126": "NodOn's own button under UUID 0000; a BTHome button does the same",
    "theengs-uuid-128": "NodOn's own button under UUID 0000; a BTHome button does the same",
    "theengs-uuid-130": "NodOn's own button under UUID 0000; a BTHome button does the same",
    "theengs-name_uuid_mfgsvcdata-25": "a nut, whose format nobody describes; known by its address",
  ]

  @Test("Every vector is compared, or has its reason why not")
  func completeness() {
    let all = PublishedAdvertisement.all
    #expect(all.count == 84)
    #expect(Set(Self.notCovered.keys).isSubset(of: all.map(\.id)))
    #expect(all.count - Self.notCovered.count == 52)
  }

  @Test(
    "What others decoded is decoded here",
    arguments: PublishedAdvertisement.all.filter { notCovered[$0.id] == nil })
  func content(vector: PublishedAdvertisement) throws {
    switch vector.family {
    case "ibeacon_parser": try iBeaconOrNone(vector)
    case "altbeacon_parser": try altBeacon(vector)
    case "bthome_v2": try bthomeOfMonitor(vector)
    case "bthome-v2": try bthomeOfOracle(vector)
    case "SBBT-002C": try button(vector)
    case "SBBT_002C_ENCR": try sealedButton(vector)
    case "APPLE_CONTAT": try apple(vector)
    case "APPLE_CONT", "APPLEWATCH", "APPLEDEVICE", "apple-proximity-07":
      try changing(vector, "apple-continuity")
    case "google-fmdn-or-eid": try changing(vector, "google-find-hub")
    case "apple-findmy": try findMy(vector)
    case "TILE": try changing(vector, "tile")
    case "ITAG": try iTag(vector)
    case "TheengsIB01", "TheengsIB02": try theengsBeacon(vector)
    case "ibeacon": try iBeacon(vector)
    case "IBEACON": try bareBeacon(vector)
    case "GTAG": try nothing(vector)
    case "generic": try generic(vector)
    case "eddystone-url": try eddystoneURL(vector)
    case "eddystone-uid": try eddystoneUID(vector)
    case "eddystone-tlm": try telemetry(vector)
    default: Issue.record("nothing compares \(vector.id) of the family \(vector.family)")
    }
  }

  @Test(
    "The frame of every capture is what tshark says",
    arguments: PublishedAdvertisement.all.filter { $0.content["tshark"] != nil })
  func framing(vector: PublishedAdvertisement) throws {
    let tshark = try #require(vector.content["tshark"])
    func texts(_ name: String) -> [String] {
      (tshark[name]?.arrayContent ?? []).compactMap(\.stringContent)
    }
    if let report = try vector.report() {
      #expect(texts("bd_addr") == [report.address?.text.lowercased()])
      #expect(texts("rssi") == [report.rssiDBm.map { "\($0)" }])
      let kind = report.address?.kind == .random ? "0x01" : "0x00"
      #expect(texts("le_peer_address_type") == [kind])
    }
    let data = try vector.data()
    let structures = data.structures
    #expect(texts("ad.length").filter { $0 != "0" } == structures.map { "\($0.body.count + 1)" })
    #expect(
      texts("ad.type").filter { $0 != "0x00" }
        == structures.map { "0x\(Hexadecimal.text([$0.type]))" })
    #expect(
      texts("ad.company_id")
        == data.manufacturerData.map {
          "0x\(Hexadecimal.text([UInt8($0.company >> 8), UInt8($0.company & 0xFF)]))"
        })
  }

  // MARK: Families

  private func iBeaconOrNone(_ vector: PublishedAdvertisement) throws {
    let contents = try vector.reading().contents
    guard let sensor = vector.expected["sensor"], sensor["uuid"] != nil else {
      for case .iBeacon in contents { Issue.record("an iBeacon where there is none") }
      return
    }
    guard case .iBeacon(let beacon) = contents.first else {
      Issue.record("no iBeacon")
      return
    }
    let report = try #require(try vector.report())
    #expect(beacon.uuid.text.filter { $0 != "-" } == sensor["uuid"]?.stringContent)
    #expect(Int64(beacon.major) == sensor["major"]?.integerContent)
    #expect(Int64(beacon.minor) == sensor["minor"]?.integerContent)
    #expect(Int64(beacon.powerAtOneMeterDBm) == sensor["measured power"]?.integerContent)
    try compareHead(report, sensor)
  }

  private func compareHead(_ report: AdvertisingReport, _ sensor: JSONValue) throws {
    #expect(report.rssiDBm.map { Int64($0) } == sensor["rssi"]?.integerContent)
    #expect(report.address?.text.filter { $0 != ":" } == sensor["mac"]?.stringContent)
  }

  private func altBeacon(_ vector: PublishedAdvertisement) throws {
    let sensor = try #require(vector.expected["sensor"])
    guard case .altBeacon(let beacon) = try vector.reading().contents.first else {
      Issue.record("no AltBeacon")
      return
    }
    #expect(Hexadecimal.text(beacon.id.bytes.prefix(16)) == sensor["uuid"]?.stringContent)
    #expect(Array(beacon.id.bytes.suffix(4)) == [0, 90, 0, 5])
    #expect(sensor["major"] == 90 && sensor["minor"] == 5)
    #expect(Int64(beacon.powerAtOneMeterDBm) == sensor["measured power"]?.integerContent)
    try compareHead(try #require(try vector.report()), sensor)
  }

  private func iBeacon(_ vector: PublishedAdvertisement) throws {
    let expected = vector.expected
    guard case .iBeacon(let beacon) = try vector.reading().contents.first else {
      Issue.record("no iBeacon")
      return
    }
    #expect(beacon.uuid.text == expected["uuid"]?.stringContent)
    #expect(Int64(beacon.major) == expected["major"]?.integerContent)
    #expect(Int64(beacon.minor) == expected["minor"]?.integerContent)
    #expect(Int64(beacon.powerAtOneMeterDBm) == expected["tx_1m"]?.integerContent)
    #expect(try vector.data().name == expected["name"]?.stringContent)
  }

  private func bareBeacon(_ vector: PublishedAdvertisement) throws {
    guard case .iBeacon(let beacon) = try vector.reading().contents.first else {
      Issue.record("no iBeacon")
      return
    }
    let expected = vector.expected
    #expect(beacon.uuid.text.filter { $0 != "-" } == expected["uuid"]?.stringContent)
    #expect(Int64(beacon.major) == expected["major"]?.integerContent)
    #expect(Int64(beacon.minor) == expected["minor"]?.integerContent)
    #expect(Int64(beacon.powerAtOneMeterDBm) == expected["txpower"]?.integerContent)
  }

  private func theengsBeacon(_ vector: PublishedAdvertisement) throws {
    guard case .iBeacon(let beacon) = try vector.reading().contents.first else {
      Issue.record("no iBeacon")
      return
    }
    #expect(beacon.uuid.text.hasPrefix("54686565-6e67-732d-6942-6561636f6e3"))
    #expect(beacon.major == 0xF644 && beacon.minor == 0)
  }

  private func changing(_ vector: PublishedAdvertisement, _ word: String) throws {
    let contents = try vector.reading().contents
    let words: [String] = contents.compactMap {
      if case .changing(let tag) = $0 { tag.word } else { nil }
    }
    #expect(words == [word])
    #expect(contents.allSatisfy { $0.identity == nil })
  }

  /// Theengs tells Find My and a telephone's other messages by one name.
  private func apple(_ vector: PublishedAdvertisement) throws {
    let isFindMy = vector.fields["manufacturerdata"]?.stringContent?.hasPrefix("4c0012") == true
    try changing(vector, isFindMy ? "apple-find-my" : "apple-continuity")
  }

  private func findMy(_ vector: PublishedAdvertisement) throws {
    guard case .changing(.findMy(let member)) = try vector.reading().contents.first else {
      Issue.record("not recognised")
      return
    }
    #expect(member.isSeparated)
    guard let key = vector.expected["public_key_6_27"]?.stringContent else { return }
    #expect(Hexadecimal.text(member.key) == key)
    #expect(Int64(member.status) == vector.expected["status"]?.integerContent)
    #expect(member.keyBits.map { Int64($0) } == vector.expected["key_bits"]?.integerContent)
    #expect(member.hint.map { Int64($0) } == vector.expected["hint"]?.integerContent)
  }

  private func iTag(_ vector: PublishedAdvertisement) throws {
    #expect(try vector.reading().contents == [.iTag])
  }

  private func nothing(_ vector: PublishedAdvertisement) throws {
    #expect(try vector.reading() == AdvertisementReading(AdvertisingData()))
  }

  private func generic(_ vector: PublishedAdvertisement) throws {
    let data = try vector.data()
    let expected = vector.expected
    #expect(data.flags.map { Int64($0) } == expected["flags"]?.integerContent)
    #expect(data.name == expected["name"]?.stringContent)
    #expect(data.transmitPowerDBm.map { Int64($0) } == expected["tx_power"]?.integerContent)
    #expect(
      data.services.map { "\($0)" }
        == (expected["uuids16"]?.arrayContent ?? []).compactMap(\.stringContent))
    #expect(expected["mfg"]?["00e0"] == .string(Hexadecimal.text(data.data(ofCompany: 0xE0))))
    #expect(
      expected["svc"]?["110b"] == .string(Hexadecimal.text(data.serviceData.flatMap(\.bytes))))
  }
}

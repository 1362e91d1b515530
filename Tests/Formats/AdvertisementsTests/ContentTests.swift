import Advertisements
import Bytes
import Care
import JSON
import Testing

@Suite("Known things in advertisements")
struct ContentTests {
  @Test("An iBeacon tells its three numbers, and is known by them")
  func iBeacon() throws {
    let data = try #require(AdvertisingEvent(try Samples.bytes(Samples.events[0])).reports.first)
    let reading = AdvertisementReading(data.data)
    #expect(reading.faults.isEmpty)
    let identity = try TagIdentity("ibeacon:e2c56db5-dffb-48d2-b060-d0f5a71096e0:100:0")
    #expect(reading.contents.map(\.identity) == [identity])
    guard case .iBeacon(let beacon) = reading.contents.first else {
      Issue.record("no iBeacon")
      return
    }
    #expect(beacon.powerAtOneMeterDBm == -59)
  }

  @Test("An AltBeacon of any company tells its number")
  func altBeacon() throws {
    let data = try #require(AdvertisingEvent(try Samples.bytes(Samples.events[1])).reports.first)
    let reading = AdvertisementReading(data.data)
    #expect(
      reading.contents.map(\.identity) == [
        try TagIdentity("altbeacon:d3162f5af3ee494799db09756062d0fc005a0005")
      ])
    // Other data that begin alike are none.
    #expect(try Samples.reading("07ffffffbeac0102").contents.isEmpty)
    #expect(try Samples.reading("07ffffffbeac0102").faults.isEmpty)
  }

  @Test("Frames of Eddystone are read")
  func eddystone() throws {
    let url = try Samples.reading(Samples.data[0]).contents
    #expect(
      url == [
        .eddystone(.url("https://www.bluecharmbeacons.com/", powerAtZeroMetersDBm: -18))
      ])
    let id = try TagIdentity("eddystone:626c7565636861726d31:000000000001")
    #expect(try Samples.reading(Samples.data[1]).contents.map(\.identity) == [id])
    guard case .eddystone(.telemetry(let state)) = try Samples.reading(Samples.data[2]).contents[0]
    else {
      Issue.record("no telemetry")
      return
    }
    #expect(state.batteryMillivolts == 3056 && state.celsius == 23)
    #expect(state.advertisementCount == 558_920 && state.uptimeTenths == 66_818_900)
    let sealed: [UInt8] = Array(1...12)
    #expect(
      try Samples.reading(Samples.data[3]).contents == [
        .eddystone(.encryptedTelemetry(cipherText: sealed, salt: 0xABCD, check: 0x1234))
      ])
    let ephemeral = try Samples.reading(Samples.data[4]).contents
    #expect(
      ephemeral == [.eddystone(.ephemeralIdentity(Array(1...8), powerAtZeroMetersDBm: -18))])
    #expect(ephemeral.first?.identity == nil, "a number that changes is no identity")
  }

  @Test("A beacon that cannot tell its battery and temperature has none, not zero")
  func unsupportedTelemetry() throws {
    let reading = try Samples.reading(
      service: 0xFEAA, "20000000800000020 06d41db9ab6".filter { $0 != " " })
    guard case .eddystone(.telemetry(let state)) = reading.contents.first else {
      Issue.record("no telemetry")
      return
    }
    #expect(state.batteryMillivolts == nil && state.celsius == nil)
    let cold = try Samples.reading(service: 0xFEAA, "20000bb8ff800000000000000000")
    guard case .eddystone(.telemetry(let frost)) = cold.contents.first else {
      Issue.record("no telemetry")
      return
    }
    #expect(frost.celsius == -0.5)
  }

  @Test(
    "Every ending and scheme of a short web address",
    arguments: [
      ("1000000761", "http://www..coma"), ("10000161002f", "https://www.a.com//"),
      ("100002610d", "http://a.gov"), ("1000036106", "https://a.gov/"),
      ("100003610b2e", "https://a.info."),
    ])
  func urls(hex: String, url: String) throws {
    guard
      case .eddystone(.url(let text, _)) = try Samples.reading(service: 0xFEAA, hex).contents.first
    else {
      Issue.record("no address")
      return
    }
    #expect(text == url)
  }

  @Test(
    "Damaged known things are told, and are nothing",
    arguments: [
      (UInt16(0xFEAA), "", 0), (0xFEAA, "50", 0), (0xFEAA, "00ee6263", 4), (0xFEAA, "10ee04", 2),
      (0xFEAA, "10ee010e", 3), (0xFEAA, "10ee0120", 3), (0xFEAA, "2002", 1), (0xFEAA, "2000ff", 3),
      (0xFEAA, "20010203", 4), (0xFEAA, "30ee01", 3), (0xFCD2, "", 0), (0xFCD2, "20", 0),
      (0xFCD2, "41001122", 4), (0xFCD2, "42010203", 4), (0x180F, "", 0), (0x180F, "65", 0),
    ])
  func damaged(service: UInt16, hex: String, offset: Int) throws {
    let reading = try Samples.reading(service: service, hex)
    #expect(reading.contents.isEmpty)
    #expect(reading.faults.map(\.offset) == [offset])
  }

  @Test("A damaged iBeacon is told with its place in the whole")
  func damagedBeacon() throws {
    let data = AdvertisingData(try Samples.bytes("02010607ff4c0002151122"))
    let reading = AdvertisementReading(data)
    #expect(reading.contents.isEmpty)
    #expect(reading.faults.map(\.offset) == [11])
  }

  @Test("A tag of Apple's network away from its owner is recognised, and is no identity")
  func findMy() throws {
    let contents = try Samples.reading(Samples.data[7]).contents
    guard case .changing(.findMy(let member)) = contents.first else {
      Issue.record("not recognised")
      return
    }
    #expect(member.isSeparated && member.status == 0 && member.kind == .device)
    #expect(Hexadecimal.text(member.key) == "57364dc7fb77866c40c91076603cb37c1f59f923ab3a")
    #expect(member.keyBits == 3 && member.hint == 0)
    #expect(contents.map(\.identity) == [nil])
  }

  @Test("Its status tells what it is and how its battery is")
  func findMyStatus() throws {
    guard case .changing(.findMy(let near)) = try Samples.reading("07ff4c001202d001").contents.first
    else {
      Issue.record("not recognised")
      return
    }
    #expect(!near.isSeparated && near.kind == .airTag && near.batteryStage == 3)
    #expect(near.key.isEmpty && near.hint == nil)
  }

  @Test(
    "Devices that change are recognised by their networks",
    arguments: [
      ("0aff4c0010050b182068dd", "apple-continuity"), ("0416edfe02", "tile"), ("0303edfe", "tile"),
      ("041684fd02", "tile"), ("04165afd02", "samsung-smarttag"), ("030369fd", "samsung-smarttag"),
      ("041633fe02", "chipolo"), ("030225fa", "pebblebee"),
      ("0616aafe400000", "google-find-hub"), ("0616aafe410000", "google-find-hub"),
    ])
  func networks(hex: String, word: String) throws {
    let contents = try Samples.reading(hex).contents
    guard case .changing(let tag) = contents.first else {
      Issue.record("not recognised")
      return
    }
    #expect(tag.word == word && contents.count == 1)
    #expect(contents.first?.identity == nil)
    #expect(contents.first?.json["is_identity"] == false)
  }

  @Test("Apple's messages stand one behind the other")
  func continuity() throws {
    let reading = try Samples.reading("0fff4c000f06a033bd08c5001002440c")
    #expect(reading.contents == [.changing(.appleContinuity(types: [0x0F, 0x10]))])
    #expect(try Samples.reading("06ff4c000f0601").faults.count == 1)
    // An unregistered AirTag says something else than one that is in use.
    #expect(
      try Samples.reading("1eff4c000719006725acc77b7e7a5cb8b8050519a2f6748a5ac7a00b890100").contents
        == [.changing(.appleContinuity(types: [7]))])
  }

  @Test("Other companies' data that look like an iBeacon are none")
  func otherCompany() throws {
    #expect(try Samples.reading("0dff80010215123480c390ffbbc5").contents.isEmpty)
  }

  @Test("Battery and iTAG are recognised")
  func battery() throws {
    let reading = try Samples.reading(Samples.data[13])
    #expect(reading.contents == [.batteryPercent(100), .iTag])
    #expect(reading.batteryPercent == 100)
    #expect(try Samples.reading("040969545900").contents.isEmpty)
    #expect(try Samples.bthome("40000901 61".filter { $0 != " " }).batteryPercent == 97)
    #expect(try Samples.bthome("4001ff").batteryPercent == nil, "more than all is nothing")
  }
}

import Advertisements
import BluetoothKeys
import Bytes
import Care
import Moments

extension FuzzedMessage {
  /// What a controller reports, what devices advertise, and what a sealed button says.
  static func radioMessages() -> [FuzzedMessage] {
    [
      radio("HCI event", Samples.events, mend: withLengths) { bytes in
        let event = AdvertisingEvent(bytes)
        return (event.reports.map { ($0.address, $0.data) }, event.fault)
      },
      radio("advertisement", Samples.advertisements) { bytes in
        let data = AdvertisingData(bytes)
        return ([(nil, data)], data.fault)
      },
      radio("BTHome, encrypted", Samples.sealed, mend: SealedFrame.withCheck) { bytes in
        let data = AdvertisingData(bytes)
        return ([(SealedFrame.sender, data)], data.fault)
      },
    ]
  }

  private typealias Heard = (sender: BluetoothAddress?, data: AdvertisingData)

  /// Everything that an advertisement goes through: structures, known contents, tags and presses.
  private static func radio(
    _ name: String, _ samples: [String], mend: @escaping ([UInt8]) -> [UInt8] = { $0 },
    hear: @escaping ([UInt8]) -> (heard: [Heard], fault: AdvertisementFault?)
  ) -> FuzzedMessage {
    var household = Household()
    let bytes = samples.compactMap { Hexadecimal.bytes($0) }
    return FuzzedMessage(name: name, samples: bytes, mend: mend) { bytes in
      let (heard, fault) = hear(bytes)
      var faults = fault.map { [$0] } ?? []
      var isOpen = true
      for (sender, data) in heard {
        let size = data.structures.reduce(0) { $0 + $1.body.count + 2 }
        if size > bytes.count { return .broken("structures are longer than their bytes") }
        let reading = AdvertisementReading(data)
        faults += reading.faults
        let verdict = household.verdict(on: reading, from: sender)
        if case .broken = verdict { return verdict }
        isOpen = isOpen && verdict == .read
      }
      if faults.contains(where: { $0.offset > bytes.count }) {
        return .broken("a fault lies outside")
      }
      return isOpen && faults.isEmpty ? .read : .refused
    }
  }

  /// The lengths of an event with one report of Bluetooth 4.
  private static func withLengths(_ bytes: [UInt8]) -> [UInt8] {
    guard (15..<256).contains(bytes.count), bytes[0] == 0x04 else { return bytes }
    var bytes = bytes
    bytes[2] = UInt8(bytes.count - 3)
    if bytes[3] == 0x02, bytes[4] == 1 { bytes[13] = UInt8(bytes.count - 15) }
    return bytes
  }

  private enum Samples {
    /// An iBeacon, an AltBeacon, BTHome, an extended report, two reports in one event.
    static let events = [
      "043e2a02010001433ea2c96b6a1e02011a1aff4c000215e2c56db5dffb48d2b060d0f5a71096e000640000c5b3",
      "043e280201020105988527406d1c1bffffffbeacd3162f5af3ee494799db09756062d0fc005a0005c400d4",
      "043e1802010000a5808fe648540c0201060816d2fc4000090161cc",
      "043e390d011300000ea4309e87700100ff7fb10000000000000000001f0201050302e0fe1716e0feba82e6c7"
        + "fc3414a442bf46ec68000462bba30100",
      "043e2e02020000a5808fe648540c0201060816d2fc4000090161cc0401a5808fe648540c0b094449592d7365"
        + "6e736f727f",
    ]
    /// Eddystone's frames, networks of changing tags, BTHome, a battery with the name iTAG.
    static let advertisements = [
      "0201060303aafe1716aafe10ee01626c7565636861726d626561636f6e730009168020691e0efe1355080942"
        + "6c7565436861",
      "0201060303aafe1716aafe00ee626c7565636861726d31000000000001000009168020691e0efe1355",
      "0201060303aafe1116aafe20000bf017000008874803fb93540916802069080efe1355",
      "02011a1aff4c000215e2c56db5dffb48d2b060d0f5a71096e000640000c5",
      "0201061816aafe400000000000000000000000000000000000000000",
      "1eff4c0012190057364dc7fb77866c40c91076603cb37c1f59f923ab3a0300",
      "0aff4c0010050b182068dd0416feed02", "1416d2fc4002ca0902cf0903b717015d3a013c0203",
      "0e16d2fc42b2188d38c1a404138a01",
      "04160f1864090969544147202020200302e0ff",
    ]
    /// Temperature and humidity as bthome.io publishes them; a press with its packet id, and one that tells its address.
    static let sealed = [
      "1216d2fc41a47266c95f730011223378237214",
      SealedFrame.text(info: 0x41, objects: [0x00, 0x09, 0x01, 0x61, 0x3A, 0x01]),
      SealedFrame.text(info: 0x47, objects: [0x00, 0x0A, 0x3A, 0x04, 0x3A, 0x80]),
    ]
  }
}

/// Tags of each kind of identity, and the filter of presses behind them.
private struct Household {
  private var matcher: TagMatcher<String>
  private var filter = BTHomePressFilter()
  private var heard: Int64 = 0

  static let identities = [
    "address:54:48:E6:8F:80:A5", "ibeacon:e2c56db5-dffb-48d2-b060-d0f5a71096e0:100:0",
    "eddystone:626c7565636861726d31:000000000001",
    "altbeacon:d3162f5af3ee494799db09756062d0fc005a0005", "irk:ec0234a357c8ad05341010a60a397d9b",
    "bthome:54:48:E6:8F:80:A5:231d39c1d7cc1ab1aee224cd096db932",
  ]

  init() {
    let known = Self.identities.compactMap { text in
      (try? TagIdentity(text)).map { (tag: text, identity: $0) }
    }
    matcher = TagMatcher(known, cipher: MbedCipher())
  }

  /// Read unless it is sealed and no key opens it.
  mutating func verdict(
    on reading: AdvertisementReading, from sender: BluetoothAddress?
  ) -> FuzzedMessage.Verdict {
    let matches = matcher.matches(in: reading, from: sender)
    if matches.count > Self.identities.count { return .broken("one tag came twice") }
    heard += 1
    for match in matches {
      guard let frame = match.bthome, let sender = frame.address ?? sender else { continue }
      if frame.isEncrypted, !frame.isAuthentic { return .broken("a sealed frame was read") }
      _ = filter.presses(in: frame, from: sender, at: .seconds(heard))
      guard filter.presses(in: frame, from: sender, at: .seconds(heard)).isEmpty else {
        return .broken("one press counted twice")
      }
    }
    guard reading.bthome?.isEncrypted == true else { return .read }
    return matches.contains { $0.bthome?.isAuthentic == true } ? .read : .refused
  }
}

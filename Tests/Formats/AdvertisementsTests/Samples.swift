import Advertisements
import Bytes
import Care
import Testing

/// Bytes of advertisements as they were captured or published, for tests that need some of each kind.
enum Samples {
  /// Whole events of a controller.
  static let events = [
    // An iBeacon at a changing address, -77 dBm.
    "043e2a02010001433ea2c96b6a1e02011a1aff4c000215e2c56db5dffb48d2b060d0f5a71096e000640000c5b3",
    "043e280201020105988527406d1c1bffffffbeacd3162f5af3ee494799db09756062d0fc005a0005c400d4",
    // BTHome: packet 9, battery 97 %.
    "043e1802010000a5808fe648540c0201060816d2fc4000090161cc",
    // An extended report.
    "043e390d011300000ea4309e87700100ff7fb10000000000000000001f0201050302e0fe1716e0feba82e6c7fc3414a442bf46ec680004"
      + "62bba30100",
    // Two reports in one event.
    "043e2e020200" + "00a5808fe648540c0201060816d2fc4000090161cc"
      + "0401a5808fe64854" + "0c0b094449592d73656e736f72" + "7f",
  ]

  /// Bare AD structures.
  static let data = [
    "0201060303aafe1716aafe10ee01626c7565636861726d626561636f6e730009168020691e0efe13550809426c7565436861",
    "0201060303aafe1716aafe00ee626c7565636861726d31000000000001000009168020691e0efe1355",
    "0201060303aafe1116aafe20000bf017000008874803fb93540916802069080efe1355",
    "1516aafe20010102030405060708090a0b0cabcd1234000000",
    "0d16aafe30ee0102030405060708",
    "0201061816aafe400000000000000000000000000000000000000000",
    "02011a05020b110a110409506564020aec05160b11506405ffe000021503500102",
    "1eff4c0012190057364dc7fb77866c40c91076603cb37c1f59f923ab3a0300",
    "0aff4c0010050b182068dd0416feed02",
    "0e16d2fc4562511158bd25b8f093645b573115",
    "1216d2fc4002ca0902cf0903b717015d3a013c0203",
    "0d16d2fc42b2188d38c1a404138a01",
    "0516d2fc53010e0a16d2fc3b0201025403010203",
    "04160f1864090969544147202020200302e0ff",
  ]

  static func bytes(_ hex: String) throws -> [UInt8] { try #require(Hexadecimal.bytes(hex)) }

  /// What is known in bare AD structures that are whole.
  static func reading(_ hex: String) throws -> AdvertisementReading {
    let data = AdvertisingData(try bytes(hex))
    #expect(data.fault == nil, "\(hex)")
    return AdvertisementReading(data)
  }

  /// What is known in the data of one service.
  static func reading(service: UInt16, _ hex: String) throws -> AdvertisementReading {
    AdvertisementReading(
      AdvertisingData(serviceData: [
        ServiceData(service: BluetoothUUID(service), bytes: try bytes(hex))
      ]))
  }

  /// The BTHome frame of service data.
  static func bthome(_ hex: String) throws -> BTHomeFrame {
    try #require(try reading(service: 0xFCD2, hex).bthome, "\(hex)")
  }
}

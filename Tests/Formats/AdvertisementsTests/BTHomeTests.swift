import Advertisements
import Bytes
import Care
import Testing

@Suite("BTHome 2")
struct BTHomeTests {
  /// The examples of the format's page: bytes, name, number, unit.
  static let numbers: [(String, String, Double, String)] = [
    ("518756", "acceleration", 22.151, "m/s²"), ("0161", "battery", 97, "%"),
    ("12e204", "co2", 1250, "ppm"), ("56e803", "conductivity", 1000, "µS/cm"),
    ("0960", "count", 96, ""), ("3d0960", "count", 24585, ""),
    ("3e2a2c0960", "count", 1_611_213_866, ""), ("59ea", "count", -22, ""),
    ("5aeaea", "count", -5398, ""), ("5bea0234ea", "count", -365_690_134, ""),
    ("434e34", "current", 13.39, "A"), ("5d02ea", "current", -5.63, "A"),
    ("08ca06", "dew-point", 17.38, "°C"), ("400c00", "distance", 12, "mm"),
    ("414e00", "distance", 7.8, "m"), ("424e3400", "duration", 13.39, "s"),
    ("4d12138a14", "energy", 344_593.17, "kWh"), ("0a138a14", "energy", 1346.067, "kWh"),
    ("4b138a14", "gas", 1346.067, "m³"), ("4c41018a01", "gas", 25_821.505, "m³"),
    ("528756", "gyroscope", 22.151, "°/s"), ("03bf13", "humidity", 50.55, "%"),
    ("2e23", "humidity", 35, "%"), ("05138a14", "illuminance", 13_460.67, "lx"),
    ("065e1f", "mass", 80.3, "kg"), ("073e1d", "mass", 74.86, "lb"),
    ("14020c", "moisture", 30.74, "%"), ("2f23", "moisture", 35, "%"),
    ("0d120c", "pm2.5", 3090, "µg/m³"), ("0e021c", "pm10", 7170, "µg/m³"),
    ("0b021b00", "power", 69.14, "W"), ("5c02fbffff", "power", -12.78, "W"),
    ("04138a01", "pressure", 1008.83, "hPa"), ("3f020c", "rotation", 307.4, "°"),
    ("444e34", "speed", 133.9, "m/s"), ("451101", "temperature", 27.3, "°C"),
    ("02ca09", "temperature", 25.06, "°C"), ("57ea", "temperature", -22, "°C"),
    ("58ea", "temperature", -7.7, "°C"), ("133301", "tvoc", 307, "µg/m³"),
    ("0c020c", "voltage", 3.074, "V"), ("4a020c", "voltage", 307.4, "V"),
    ("4e87562a01", "volume", 19_551.879, "L"), ("478756", "volume", 2215.1, "L"),
    ("48dc87", "volume", 34_780, "mL"), ("5587562a01", "volume-storage", 19_551.879, "L"),
    ("49dc87", "volume-flow-rate", 34.78, "m³/h"), ("4632", "uv-index", 5, ""),
    ("4f87562a01", "water", 19_551.879, "L"), ("0009", "packet-id", 9, ""),
    ("f00100", "device-type", 1, ""), ("62c0c62d00", "speed", 3, "m/s"),
    ("634039d2ff", "acceleration", -3, "m/s²"), ("5e6400", "direction", 1, "°"),
  ]

  @Test("Numbers of the format's page", arguments: numbers)
  func number(hex: String, name: String, number: Double, unit: String) throws {
    let frame = try Samples.bthome("40" + hex)
    #expect(frame.fault == nil && !frame.isEncrypted && !frame.isTriggered)
    let reading = try #require(frame.readings.first)
    #expect(frame.readings.count == 1)
    #expect(reading.name == name && reading.unit == unit)
    guard case .number(let found) = reading.content else {
      Issue.record("no number")
      return
    }
    #expect(found == number, "the number nearest to what is meant")
  }

  @Test("Yes or no, of each kind")
  func flags() throws {
    let ids: [UInt8] = [0x0F, 0x10, 0x11] + Array(0x15...0x2D)
    for id in ids {
      for (byte, isSet) in [(UInt8(0), false), (1, true)] {
        let frame = try Samples.bthome("40" + Hexadecimal.text([id, byte]))
        #expect(frame.readings.map(\.content) == [.flag(isSet)], "\(id)")
      }
    }
    #expect(try Samples.bthome("402101").readings.map(\.name) == ["motion"])
  }

  @Test("Texts, raw bytes, moments, versions, knobs and commands")
  func others() throws {
    let cases: [(String, BTHomeReading.Content)] = [
      ("530c48656c6c6f20576f726c6421", .text("Hello World!")),
      ("540c48656c6c6f20576f726c6421", .raw(Array("Hello World!".utf8))),
      ("505d396164", .moment(seconds: 1_684_093_277)), ("f100010204", .version("4.2.1.0")),
      ("f2000106", .version("6.1.0")), ("3c0000", .dimmer(steps: 0)),
      ("3c0103", .dimmer(steps: -3)), ("3c020a", .dimmer(steps: 10)),
      ("3b21050a", .command(5, arguments: [10])), ("5300", .text("")),
    ]
    for (hex, content) in cases {
      let frame = try Samples.bthome("40" + hex)
      #expect(frame.readings.map(\.content) == [content], "\(hex)")
      #expect(frame.fault == nil)
    }
  }

  @Test(
    "What a hand did with a button, and the gesture that it stands for",
    arguments: [
      ("00", BTHomeButton.none, nil), ("01", .press, .press), ("02", .doublePress, .double),
      ("03", .triplePress, .triple), ("04", .longPress, .hold), ("05", .longDoublePress, .hold),
      ("06", .longTriplePress, .hold), ("80", .hold, .hold), ("81", .release, nil),
      ("fe", .other(0xFE), .press),
    ] as [(String, BTHomeButton, ButtonGesture?)])
  func buttons(hex: String, button: BTHomeButton, gesture: ButtonGesture?) throws {
    let frame = try Samples.bthome("443a" + hex)
    #expect(frame.buttons == [button] && frame.isTriggered)
    #expect(button.gesture == gesture)
  }

  @Test("Reading ends at what is unknown or cut off, and keeps what stands before")
  func partial() throws {
    for (hex, count, offset) in [
      ("4002ca09ff01", 1, 4), ("4002ca0903bf", 1, 6), ("40ff", 0, 1), ("4002", 0, 2),
      ("40530548", 0, 4), ("403b", 0, 2), ("403b0201", 0, 4),
    ] {
      let frame = try Samples.bthome(hex)
      #expect(frame.readings.count == count, "\(hex)")
      #expect(frame.fault?.offset == offset, "\(hex)")
    }
    let text = try Samples.bthome("4453018701 5e".filter { $0 != " " })
    #expect(text.fault?.code == .invalidText && text.fault?.offset == 3)
    #expect(text.batteryPercent == 94, "the length of a text that is none is known all the same")
    #expect(try Samples.bthome("403c0705").readings.isEmpty)
  }

  @Test("A device may tell its address itself")
  func ownAddress() throws {
    let frame = try Samples.bthome("42b2188d38c1a404138a01")
    #expect(frame.address == BluetoothAddress("A4:C1:38:8D:18:B2"))
    #expect(frame.readings.map(\.content) == [.number(1008.83)])
  }

  @Test("What is sealed says nothing without its key")
  func sealed() throws {
    let frame = try Samples.bthome("4562511158bd25b8f093645b573115")
    #expect(frame.isEncrypted && frame.isTriggered && !frame.isAuthentic)
    #expect(frame.readings.isEmpty && frame.buttons.isEmpty && frame.packetID == nil)
    let sealed = try #require(frame.sealed)
    #expect(Hexadecimal.text(sealed.cipherText) == "62511158bd25")
    #expect(sealed.counter == 0x6493_F0B8 && Hexadecimal.text(sealed.check) == "5b573115")
  }
}

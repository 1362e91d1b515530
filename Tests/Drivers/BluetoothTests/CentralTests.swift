import BluetoothKeys
import Bytes
import Care
import JSON
import Loop
import Ports
import Testing
import Texts

@testable import Bluetooth

@Suite("Listening for tags and buttons")
@LoopActor
struct CentralTests {
  private let keys = BluetoothAddress("A4:C1:38:8D:18:B2")
  private let necklace = BluetoothAddress("F0:BE:00:00:00:01", kind: .random)

  private func house() throws -> Listening {
    let house = Listening(buttons: [.init(id: "necklace", address: try #require(necklace))])
    house.central.setTags([
      KnownTag(id: "keys", identities: [.address(try #require(keys))], awaySeconds: 120)
    ])
    return house
  }

  @Test("It says when it begins and ceases to listen")
  func listening() throws {
    let house = try house()
    #expect(house.radio.isStarted)
    let adapter = BluetoothAdapter(name: "hci0", address: nil, condition: .listening)
    house.radio.tell(.adapters([adapter]))
    house.radio.tell(.adapters([adapter]))
    house.radio.tell(.adapters([]))
    #expect(
      house.told == [
        .listening("bluetooth", isListening: true), .listening("bluetooth", isListening: false),
      ])
  }

  @Test("Of many advertisements few are passed on, and one that comes or goes at once")
  func thinned() throws {
    let house = try house()
    let address = try #require(keys)
    for _ in 0..<600 { house.hear(address, rssi: -60, afterMilliseconds: 100) }
    // Two at the beginning, then one in ten seconds.
    #expect((7...8).contains(house.sightings.count))
    house.forget()
    house.hear(address, rssi: -45, afterMilliseconds: 1000)
    #expect(house.sightings.map(\.strengthDBm) == [-45])
    house.forget()
    // After a silence two count, for one alone is not believed.
    house.hear(address, rssi: -60, afterMilliseconds: 60_000)
    house.hear(address, rssi: -60, afterMilliseconds: 50)
    house.hear(address, rssi: -60, afterMilliseconds: 1000)
    house.hear(address, rssi: -60, afterMilliseconds: 1000)
    #expect(house.sightings.count == 2)
    #expect(house.sightings.first?.hearer == "bluetooth")
  }

  @Test("Strangers, and tags that are not known any more, are nobody's business")
  func strangers() throws {
    let house = try house()
    house.hear(try #require(BluetoothAddress("00:11:22:33:44:55")))
    #expect(house.told.isEmpty)
    house.central.setTags([])
    house.hear(try #require(keys))
    #expect(house.told.isEmpty)
  }

  /// BTHome v2, not encrypted: packet id, battery, button event.
  private func press(_ packet: UInt8, _ event: UInt8) -> [UInt8] {
    [10, 0x16, 0xD2, 0xFC, 0x44, 0x00, packet, 0x01, 87, 0x3A, event]
  }

  @Test("A long press of a BTHome button is a hold, however often it is sent; a press is a press")
  func button() throws {
    let house = try house()
    let address = try #require(necklace)
    for _ in 0..<20 { house.hear(address, press(1, 4), afterMilliseconds: 50) }
    #expect(house.gestures == [.down, .hold])
    house.forget()
    for _ in 0..<20 { house.hear(address, press(2, 1), afterMilliseconds: 50) }
    #expect(house.gestures == [.down, .press])
    house.forget()
    house.hear(address, press(3, 0), afterMilliseconds: 50)
    #expect(house.gestures.isEmpty)
  }

  /// A press as bthome.io/encryption has it: AES in CCM mode with a check of four bytes over address, service, device
  /// information and counter (RFC 3610).
  private static func sealedPress(
    counter: UInt8, key: AES128Key?, from sensor: BluetoothAddress
  ) throws -> [UInt8] {
    let key = try #require(key)
    let (cipher, plain): (MbedCipher, [UInt8]) = (MbedCipher(), [0x3A, 0x01])
    let count: [UInt8] = [counter, 1, 0, 0]
    let nonce = sensor.octets.reversed() + [0xD2, 0xFC, 0x45] + count
    func stream(_ number: UInt8) throws -> [UInt8] {
      try #require(cipher.encrypt([0x01] + nonce + [0, number], key: key))
    }
    let first = try #require(
      cipher.encrypt([0x09] + nonce + [0, UInt8(plain.count)], key: key))
    let padded = plain + [UInt8](repeating: 0, count: 14)
    let check = try #require(cipher.encrypt(zip(first, padded).map { $0 ^ $1 }, key: key))
    let text = zip(plain, try stream(1)).map { $0 ^ $1 }
    let mark = zip(check.prefix(4), try stream(0)).map { $0 ^ $1 }
    let data = [0xD2, 0xFC, 0x45] + text + count + mark
    return [UInt8(data.count + 1), 0x16] + data
  }

  @Test("A recorded press that is played again after a restart stays an old one")
  func recorded() throws {
    let sensor = try #require(BluetoothAddress("54:48:E6:8F:80:A5"))
    let button = WirelessButton(
      id: "necklace", address: sensor, key: AES128Key("231d39c1d7cc1ab1aee224cd096db932"))
    let house = Listening(buttons: [button])
    #expect(house.kept.counters == nil)
    house.hear(sensor, try Self.sealedPress(counter: 100, key: button.key, from: sensor))
    #expect(house.gestures == [.down, .press])
    let again = Listening(buttons: [button], counters: house.kept.counters)
    again.hear(sensor, try Self.sealedPress(counter: 100, key: button.key, from: sensor))
    #expect(again.gestures.isEmpty)
    again.hear(sensor, try Self.sealedPress(counter: 101, key: button.key, from: sensor))
    #expect(again.gestures == [.down, .press])
  }

  @Test("A button that nobody can hear is a fault of the button")
  func deaf() throws {
    let house = try house()
    house.radio.tell(
      .health(
        HealthReport(
          component: "bluetooth", state: .failed, code: "no-adapter", detail: Message("None."))))
    #expect(house.health(of: "button/necklace")?.state == .failed)
    house.radio.tell(.health(HealthReport(component: "bluetooth", state: .working)))
    #expect(house.health(of: "button/necklace")?.state == .working)
  }

  @Test("A pairing's question is shown until it is answered")
  func question() throws {
    let house = try house()
    let meter = try #require(BluetoothAddress("C0:11:22:33:44:55", kind: .random))
    var outcome: Result<Void, BluetoothFailure>?
    house.central.pair(PairingRequest(address: meter)) { outcome = $0 }
    let questions = house.central.status["questions"]?.arrayContent
    #expect(questions == [["address": "C0:11:22:33:44:55/random", "kind": "passkey"]])
    #expect(house.central.answer(.passkey(12), for: meter))
    #expect(house.central.status["questions"] == [])
    house.radio.pairing?(.success(()))
    #expect(outcome.map { (try? $0.get()) != nil } == true)
    #expect(house.radio.answers == [.passkey(12)])
    house.radio.devices = [BluetoothDevice(address: meter, adapters: ["hci0"])]
    #expect(
      house.central.resolved(try #require(BluetoothAddress("C0:11:22:33:44:55"))) == meter)
  }

  @Test("A calibration follows every advertisement and ends with thresholds")
  func calibration() throws {
    let house = try house()
    let address = try #require(keys)
    #expect(house.central.calibrate("keys", step: .look) == nil)
    #expect(house.central.calibrate("keys", step: .begin)?["phase"] == "near")
    for _ in 0..<30 { house.hear(address, rssi: -50, afterMilliseconds: 1000) }
    #expect(house.central.calibrate("keys", step: .look)?["phase"] == "move-away")
    #expect(house.central.calibrate("keys", step: .proceed)?["phase"] == "far")
    for _ in 0..<40 { house.hear(address, rssi: -80, afterMilliseconds: 1000) }
    let done = house.central.calibrate("keys", step: .look)
    #expect(done?["phase"] == "done")
    #expect(try done?["thresholds"].map { try TagThresholds(json: $0) } != nil)
    #expect(house.central.calibrate("keys", step: .look) == nil)
  }
}

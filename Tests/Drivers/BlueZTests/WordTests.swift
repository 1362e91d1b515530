import Care
import DBus
import Moments
import Ports
import Testing
import Texts

@testable import BlueZ

@Suite("Words about Bluetooth")
struct WordTests {
  @Test(
    "An attribute's error is found in what bluetoothd says, and nowhere else",
    arguments: [
      ("Operation failed with ATT error: 0x81", 0x81), ("ATT error: 0x05", 5),
      ("ATT error: 0x", nil),
      ("ATT error: 0x100", nil), ("ATT error: 0xzz", nil), ("", nil),
      ("le-connection-abort-by-local", nil),
      ("Operation failed with ATT error: 0x0e (Unlikely)", 14),
    ] as [(String, UInt8?)])
  func attributeErrors(words: String, code: UInt8?) {
    #expect(BlueZWords.attributeError(in: words) == code)
  }

  @Test("Every error becomes a failure with a sentence, known or not")
  func failures() {
    let expected: [(String, BluetoothFailure.Code)] = [
      ("org.freedesktop.DBus.Error.NoReply", .timedOut), ("org.bluez.Error.NotReady", .noRadio),
      ("org.bluez.Error.InProgress", .busy), ("org.bluez.Error.AuthenticationFailed", .refused),
      ("org.bluez.Error.AuthenticationCanceled", .cancelled),
      ("org.bluez.Error.NotConnected", .disconnected),
      ("org.bluez.Error.NotPermitted", .refused), ("org.bluez.Error.NotSupported", .unsupported),
      ("org.bluez.Error.Failed", .disconnected), ("org.example.Odd", .failed), ("", .failed),
    ]
    for (name, code) in expected {
      let failure = BlueZWords.failure(BusFault(name: name, message: "words"))
      #expect(failure.code == code, "\(name)")
      #expect(failure.message.description.contains(" "))
    }
    #expect(BlueZWords.failure(.noConnection).code == .noRadio)
  }

  private func adapter(_ name: String, _ condition: BluetoothAdapter.Condition) -> BluetoothAdapter
  {
    BluetoothAdapter(name: name, address: nil, condition: condition)
  }

  @Test("A report is made once, and says the worst of several adapters")
  func health() {
    var health = BluetoothHealth()
    let good = adapter("hci0", .listening)
    #expect(health.become(.adapters([good], lasting: []))?.state == .working)
    #expect(health.become(.adapters([good, adapter("hci1", .starting)], lasting: [])) == nil)
    let hung = [good, adapter("hci1", .hung)]
    let first = health.become(.adapters(hung, lasting: []))
    #expect(first?.state == .degraded && first?.code == "adapter-hung")
    #expect(first?.detail.description.contains("hci1") == true)
    #expect(health.become(.adapters(hung, lasting: ["hci1"])) == nil)
    let alone = health.become(.adapters([adapter("hci1", .hung)], lasting: ["hci1"]))
    #expect(alone?.state == .failed)
    #expect(health.become(.adapters([good], lasting: []))?.code == "")
  }

  @Test("Every condition has a code of its own and a sentence")
  func conditions() {
    var health = BluetoothHealth()
    let conditions: [BluetoothHealth.Condition] = [
      .starting, .noBus(path: "/x"), .busRefuses(words: "no"), .noBluetoothd, .silentBluetoothd,
      .noAdapter(wanted: []), .adapters([adapter("a", .blocked)], lasting: []),
      .adapters([adapter("a", .forbidden)], lasting: []),
      .adapters([adapter("a", .refusing)], lasting: []),
      .adapters([adapter("a", .hung)], lasting: []),
    ]
    let reports = conditions.compactMap { health.become($0) }
    #expect(Set(reports.map(\.code)).count == conditions.count)
    #expect(
      reports.allSatisfy { $0.component == "bluetooth" && $0.detail.description.contains(" ") })
  }

  @Test("The same refusal is told once a minute, and not more than 32 at a time")
  func refusals() throws {
    var desk = PairingDesk()
    func refusal(_ number: UInt64) -> PairingRefusal {
      PairingRefusal(
        address: BluetoothAddress(bits: number), wish: .pairing, message: Message(verbatim: "no"))
    }
    let first = [1, 60, 61].map { desk.shouldTell(refusal(0), at: .seconds($0)) }
    #expect(first == [true, false, true])
    var count = 0
    for number: UInt64 in 1..<1000 where desk.shouldTell(refusal(number), at: .seconds(62)) {
      count += 1
    }
    #expect(count == 31)
    let later = desk.shouldTell(refusal(5), at: .seconds(200))
    #expect(later)
  }
}

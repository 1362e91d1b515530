import DBus
import Moments
import ShortMessage
import Testing

@testable import homeward_plugin_sms_modem

/// What ModemManager says, read by itself: sound, odd and hostile.
struct ManagedObjectTests {
  @Test(arguments: [
    ("2026-11-20T14:32:05+01", "2026-11-20T13:32:05.000Z"),
    ("2026-11-20T14:32:05-0330", nil), ("2026-11-20T14:32:05-03:30", "2026-11-20T18:02:05.000Z"),
    ("2026-11-20T14:32:05+00", "2026-11-20T14:32:05.000Z"),
    ("2026-11-20T14:32:05Z", "2026-11-20T14:32:05.000Z"), ("2026-02-30T14:32:05+01", nil),
    ("", nil), ("+01", nil), ("yesterday", nil),
  ])
  func timesAreReadWithTheShortZonesOfModemManager(text: String, expected: String?) {
    #expect(ManagedMessage.moment(text)?.iso8601 == expected)
  }

  @Test func deliveryStatesMeanWhatTheStatusOctetMeans() {
    let expected: [(Int64?, StatusReportFrame.Outcome?)] = [
      (0, .delivered), (1, .pending), (0x20, .pending), (0x3F, .pending), (0x40, .failed),
      (0x7F, .failed), (0x80, .pending), (256, nil), (-1, nil), (.max, nil), (nil, nil),
    ]
    for (state, outcome) in expected { #expect(ManagedMessage.outcome(state) == outcome) }
  }

  @Test func messagesWithoutSenseAreNothingToActOn() {
    #expect(ManagedMessage(properties: .other).content == .outgoing)
    #expect(ManagedMessage(properties: .map([:])).content == .outgoing)
    let report: BusValue = .map(["PduType": .integer(3), "MessageReference": .integer(256)])
    #expect(ManagedMessage(properties: report).content == .unreadable)
    let text: BusValue = .map([
      "PduType": .integer(1), "State": .integer(3), "Text": .flag(true), "Number": .text("Bank"),
    ])
    let sender = PhoneAddress(kind: .name, text: "Bank")
    #expect(
      ManagedMessage(properties: text).content
        == .text(ReceivedText(sender: sender, sentAt: nil, text: "", places: [])))
  }

  @Test func theModemThatDoesMessagesGoesFirstAndOddObjectsAreNone() {
    let interface = ManagedModem.interface
    func modem(_ state: Int64, _ others: [String: BusValue] = [:]) -> BusValue {
      .map(others.merging([interface: .map(["State": .integer(state)])]) { $1 })
    }
    let objects: BusValue = .map([
      "/1": modem(8), "/2": modem(3, ["\(interface).Messaging": .flag(true)]),
      "/3": modem(8, ["\(interface).Messaging": .map([:])]), "/4": .integer(1), "/5": .map([:]),
      "/6": modem(77),
    ])
    #expect(ManagedModem.all(in: objects, named: nil).map(\.path) == ["/3", "/2", "/1", "/6"])
    #expect(ManagedModem.all(in: objects, named: "/2").map(\.path) == ["/2"])
    #expect(ManagedModem.all(in: .text("no"), named: nil).isEmpty)
  }

  @Test func signalAndRegistrationAreTakenWithinTheirRanges() {
    func network(_ signal: Int64, _ registration: Int64) -> NetworkState? {
      let interface = ManagedModem.interface
      let signal = BusValue.list([.integer(signal), .flag(true)])
      let interfaces: BusValue = .map([
        interface: .map(["State": .integer(6), "SignalQuality": signal]),
        "\(interface).Modem3gpp": .map(["RegistrationState": .integer(registration)]),
      ])
      return ManagedModem(path: "/1", interfaces: interfaces)?.network
    }
    #expect(network(100, 1) == NetworkState(registration: .registered, signal: 31))
    #expect(network(0, 3) == NetworkState(registration: .denied, signal: nil))
    #expect(network(.max, 8) == NetworkState(registration: .searching, signal: nil))
    #expect(network(.min, .max) == NetworkState(registration: .unknown, signal: nil))
  }
}

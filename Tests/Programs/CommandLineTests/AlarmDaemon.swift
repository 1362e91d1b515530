import Care
import ControlSocket
import Door
import JSON
import Texts

/// People of the tests of alarms.
enum AlarmPeople {
  static let mary = Resident(
    id: "mary", name: "Mary O'Neil", timeZone: "Europe/Oslo", gpsSource: "gps")
  static let anna = Guardian(
    id: "anna", resident: "mary", name: "Anna", phone: "+4791234567", email: "anna@example.org",
    isCaregiver: true)
  static let tom = Guardian(
    id: "tom", resident: "mary", name: "Tom", phone: "+4799887766", withoutChannels: [.voice],
    tier: 2)
}

extension FakeDaemon {
  /// A daemon with Mary, her guardians and what else a test gives it.
  static func withAlarms(
    guardians: [Guardian] = [AlarmPeople.anna, AlarmPeople.tom], alarms: JSONValue = [],
    events: [JSONValue] = [], reply: JSONValue = ["alarm": "a1", "tag": "A7K2"],
    refusal: CommandReply.Refusal? = nil
  ) async throws -> FakeDaemon {
    try await FakeDaemon { request in
      switch request.method {
      case .residentsList: .success([AlarmPeople.mary.json])
      case .guardiansList: .success(.array(guardians.map(\.json)))
      case .alarmsList: .success(alarms)
      case .eventsQuery: .success(.array(events.map { $0.setting("sequence", to: 1) }))
      case .command: refusal.map { .failure(ControlError($0)) } ?? .success(reply)
      default: .failure(ControlError(.unavailable, Message(verbatim: "the store does not answer.")))
      }
    }
  }
}

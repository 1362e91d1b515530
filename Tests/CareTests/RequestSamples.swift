import Care
import CivilTime
import JSON
import Moments
import Recurrence
import Testing

/// Requests of every kind, with what they may leave out and without.
enum RequestSamples {
  static func place(_ latitude: Double = -24.5, _ longitude: Double = 133.25) throws -> Coordinate {
    try #require(Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude))
  }

  /// An item that is due each morning by the clock of a zone.
  static func item(_ id: RoutineItemID = "pill", in timeZone: String = "Europe/Oslo") -> RoutineItem
  {
    RoutineItem(
      id: id, resident: "mary", kind: .medicine, title: "Pill",
      schedule: .calendar(
        CalendarSchedule(
          start: CivilDateTime(year: 2026, month: 3, day: 2, hour: 8), timeZone: timeZone)))
  }

  static let note = Note(
    id: "n-1", resident: "mary", kind: .memo, title: "Keys", time: .seconds(1_790_000_000),
    changedAt: .seconds(1_790_000_001))
  static let message = ChatMessage(
    id: "m-1", resident: "mary", direction: .toResident, sender: "Anna", text: "hi",
    sentAt: .seconds(1_790_000_000))
  static let picture = Picture(
    id: "aa", resident: "mary", mediaType: "image/png", bytes: 1, width: 2, height: 3)
  static let recording = Recording(
    id: "rr", resident: "mary", bytes: 4, milliseconds: 5, keptAt: .seconds(1_790_000_000))
  static let keys = Care.Tag(id: "keys", resident: "mary", name: "Keys", kind: .keys)

  static func address() throws -> BluetoothAddress {
    try #require(BluetoothAddress("C0:11:22:33:44:55", kind: .random))
  }

  static func all() throws -> [Command.Request] {
    try people() + alarms.map { .alarm($0) } + rooms.map { .room($0) }
      + routine.map { .routine($0) } + notes.map { .note($0) }
      + bluetooth().map { .bluetooth($0) } + absences().map { .absence($0) }
  }

  static func people() throws -> [Command.Request] {
    [
      .putResident(Resident(id: "mary", name: "Mary", timeZone: "Australia/Darwin")),
      .eraseResident("mary"),
      .putZone(
        SafeZone(
          id: "home", resident: "mary", name: "Home", center: try place(), radiusMeters: 25)),
      .removeZone("home"),
      .putBookmark(
        Bookmark(
          id: "shop", resident: "mary", name: "Shop", address: "", coordinate: try place())),
      .removeBookmark("shop"), .putSetting(resident: "mary", name: "tierSeconds", value: 60),
      .putSetting(resident: "mary", name: "tierSeconds", value: .null),
      .setTracking(resident: "mary", isOn: false), .locate(resident: "mary"),
      .putGuardian(Guardian(id: "anna", resident: "mary", name: "Anna", push: "x")),
      .removeGuardian("anna"),
      .putConsent(resident: "mary", kind: .calls, isGranted: false, by: "Anna"),
    ]
  }

  static let alarms: [AlarmRequest] = [
    .raise(resident: "mary", kind: .medicine, trigger: .keyword, text: "fell"),
    .cancel(resident: "mary", pin: "1234", message: nil),
    .cancel(resident: "mary", pin: nil, message: "all is well"),
    .acknowledge(alarm: "A7K2", by: "anna"), .acknowledge(alarm: nil, by: nil),
    .resolve(alarm: "A7K2", by: "anna", reason: "found"),
    .resolve(alarm: nil, by: nil, reason: ""), .silence, .photograph(resident: "mary"),
    .test(resident: "mary"), .setPIN(resident: "mary", kind: .duress, pin: "9876"),
    .setPIN(resident: "mary", kind: .okay, pin: nil),
    .prepareEmergency(
      resident: "mary", profile: "GB", registered: "2026-01-02", text: "lives alone"),
    .prepareEmergency(resident: "mary", profile: "NO", registered: nil, text: ""),
    .confirmEmergency(resident: "mary", code: "1234"), .disableEmergency(resident: "mary"),
    .contactEmergency(resident: "mary", mode: .call),
  ]

  static let rooms: [RoomRequest] = [
    .startFakeCall(resident: "mary", afterSeconds: 90), .answerFakeCall, .endFakeCall,
    .playSound(name: "sos"), .say(text: "Hello", language: "zh"), .speakHelp(language: "zh"),
  ]

  static let routine: [RoutineRequest] = [
    .put(item(), revision: 3), .put(item(), revision: nil), .remove("pill", revision: 3),
    .remove("pill", revision: nil), .setOn("pill", false),
    .answer("pill", slot: "2026-03-29T02:30", .done), .answer("pill", slot: nil, .notNow),
    .answer("pill", slot: nil, .skip(reason: "asleep")),
    .answer("pill", slot: nil, .snooze(minutes: 10)),
    .answer("pill", slot: nil, .snooze(minutes: nil)), .answer("pill", slot: nil, .undo),
    .restock("pill", units: UnitCount(hundredths: 250)),
    .replace(resident: "mary", source: "work", items: [item(), item("walk")]),
    .replace(resident: "mary", source: "work", items: []),
    .answerZone(resident: "mary", .keep), .answerZone(resident: "mary", .move),
  ]

  static let notes: [NoteRequest] = [
    .put(note, revision: 2), .put(note, revision: nil), .remove("n-1", revision: 2),
    .remove("n-1", revision: nil),
    .send(
      id: "m-1", resident: "mary", .toCaregivers, sender: "Mary", text: "", recording: "rr"),
    .send(id: "m-1", resident: "mary", .toResident, sender: "Anna", text: "hi"),
    .read("m-1"), .keepPicture(picture), .keepRecording(recording), .playRecording("rr"),
  ]

  static func bluetooth() throws -> [BluetoothRequest] {
    let address = try address()
    let meter = GlucoseMeter(address: address, resident: "mary", name: "Meter")
    return [
      .putTag(keys, identities: nil), .putTag(keys, identities: []),
      .putTag(keys, identities: [.address(address)]), .removeTag("keys"), .putMeter(meter),
      .removeMeter(address), .search(for: "mary", seconds: 60), .pairMeter(meter),
      .answerPairing(address, of: "mary", PairingReply(passkey: 0)),
      .answerPairing(address, of: "mary", PairingReply(isSame: false)),
    ]
  }

  static func absences() throws -> [AbsenceRequest] {
    let from = try #require(TimeOfDay(hour: 9, minute: 0))
    let until = try #require(TimeOfDay(hour: 16, minute: 30))
    let absence = Absence(
      id: "club", resident: "mary", name: "Club", days: .weekly([.friday, .monday]), from: from,
      until: until, zone: "club")
    var once = absence
    once.days = .once(CivilDateTime(year: 2026, month: 12, day: 24))
    return [.put(absence), .put(once), .remove("club")]
  }
}

import Care
import Loop
import Moments
import Notebook
import Ports
import Recurrence
import Reminders
import TestSupport
import Testing

@testable import Store

@Suite("Routine, notes, messages and pictures in the store")
struct RoutineStoreTests {
  let directory: TemporaryDirectory
  var options: SQLiteStore.Options { .test(directory.path(of: "store")) }

  init() throws { directory = try TemporaryDirectory() }

  private static let anyText = "王芳 “Zoë” שלום'); DROP TABLE note;-- 🏠👵🏽\u{0301}\u{202E}\n\t\\"

  private static func time(_ seconds: Int64) -> Timestamp {
    Timestamp(milliseconds: 1_790_000_000_000 + seconds * 1000)
  }

  private static func item(_ id: RoutineItemID, resident: ResidentID = "mary") -> RoutineItem {
    var item = RoutineItem(
      id: id, resident: resident, kind: .medicine, title: anyText, details: anyText,
      isCritical: true, schedule: .never, stock: Stock(units: 20), recording: "/a/b.wav",
      source: "family", revision: 3)
    item.timing.attempts = 2
    return item
  }

  private static func occurrence(
    _ item: RoutineItemID, _ number: Int64, _ state: Occurrence.State,
    resident: ResidentID = "mary"
  ) -> Occurrence {
    Occurrence(
      item: item, resident: resident, slot: "slot-\(number)", due: time(number), state: state,
      prompts: number, snoozes: 1, isTold: number % 2 == 0, changedAt: time(number + 1),
      by: "button/wired", reason: anyText, isLate: number % 2 == 1)
  }

  private static func note(
    _ id: NoteID, _ number: Int64 = 0, kind: Note.Kind = .diary, text: String = anyText,
    tags: [String] = [], pictures: [PictureID] = [], resident: ResidentID = "mary"
  ) -> Note {
    Note(
      id: id, resident: resident, kind: kind, title: "Title \(number)", text: text, tags: tags,
      time: time(number), pictures: pictures, author: "Anna", changedAt: time(number + 5),
      revision: 2)
  }

  private static func message(
    _ id: MessageID, _ number: Int64, isRead: Bool = false,
    _ direction: ChatMessage.Direction = .toResident, resident: ResidentID = "mary"
  ) -> ChatMessage {
    ChatMessage(
      id: id, resident: resident, direction: direction, sender: "Anna", text: anyText,
      sentAt: time(number), spokenAt: number > 2 ? time(number + 1) : nil,
      readAt: isRead ? time(number + 2) : nil, readBy: isRead ? "button/wired" : "")
  }

  private static func picture(_ id: PictureID, resident: ResidentID = "mary") -> Picture {
    Picture(
      id: id, resident: resident, mediaType: "image/jpeg", bytes: 1234, width: 640, height: 480)
  }

  @Test("Everything comes back as it was written, text of any script included")
  func roundTrip() async throws {
    let (item, picture) = (Self.item("pill"), Self.picture("aa"))
    let note = Self.note("n1", tags: ["甜", "tea time"], pictures: ["bb", "aa"])
    let (heard, asked) = (Self.message("m2", 9), Self.message("m1", 1, .toCaregivers))
    let occurrences = [
      Self.occurrence("pill", 1, .done), Self.occurrence("pill", 2, .prompted),
    ]
    let store = try SQLiteStore.open(options)
    await store.commit(
      StepRecord(
        changes: [
          .putRoutineItem(item), .putNote(note), .putMessage(heard), .putMessage(asked),
          .putPicture(picture), .putPicture(Self.picture("bb")),
        ] + occurrences.map { .putOccurrence($0) }))
    await store.close()
    let again = try SQLiteStore.open(options)
    #expect(again.loaded.routineItems == [item])
    #expect(again.loaded.occurrences == occurrences)
    let head = NoteHead(id: "n1", resident: "mary", revision: 2, pictures: ["bb", "aa"])
    #expect(again.loaded.notes == [head])
    #expect(again.loaded.messages == [asked, heard])
    #expect(again.loaded.pictures == [picture, Self.picture("bb")])
    #expect(try await again.note("n1") == note)
    #expect(try await again.note("n2") == nil)
    #expect(try await again.message("m2") == heard)
    #expect(try await again.messages("mary", limit: 1) == [heard])
    await again.close()
  }

  @Test("A message comes back with its recording, which goes with its resident")
  func recordings() async throws {
    let own = Recording(
      id: "ab", resident: "mary", bytes: 64_044, milliseconds: 2_000, keptAt: Self.time(1),
      isSent: true)
    var (other, said) = (own, Self.message("m1", 1))
    (other.id, other.resident, other.isSent) = ("cd", "ping", false)
    (said.recording, said.text) = (own.attachment, "")
    let store = try SQLiteStore.open(options)
    await store.commit(
      StepRecord(changes: [.putRecording(own), .putRecording(other), .putMessage(said)]))
    await store.close()
    let again = try SQLiteStore.open(options)
    #expect(again.loaded.recordings == [own, other] && again.loaded.messages == [said])
    #expect(try await again.message("m1") == said)
    await again.commit(StepRecord(changes: [.removeRecording("cd"), .eraseResident("mary")]))
    await again.close()
    let last = try SQLiteStore.open(options)
    #expect(last.loaded.recordings.isEmpty && last.loaded.messages.isEmpty)
    await last.close()
  }

  @Test("A due time is one row, whatever becomes of it, and outlives its item")
  func oneRowForASlot() async throws {
    let store = try SQLiteStore.open(options)
    var changes: [StateChange] = [.putRoutineItem(Self.item("pill"))]
    for state in [Occurrence.State.pending, .prompted, .snoozed, .done] {
      changes.append(.putOccurrence(Self.occurrence("pill", 1, state)))
    }
    changes.append(.removeRoutineItem("pill"))
    await store.commit(StepRecord(changes: changes))
    #expect(
      try await store.occurrences(OccurrenceQuery(resident: "mary"))
        == [Self.occurrence("pill", 1, .done)])
    await store.close()
    let again = try SQLiteStore.open(options)
    #expect(again.loaded.routineItems.isEmpty && again.loaded.occurrences.isEmpty)
    await again.close()
  }

  @Test("A run starts with every open due time and the 16 newest that are over, of each item")
  func whatARunStartsWith() async throws {
    let store = try SQLiteStore.open(options)
    var changes: [StateChange] = [.putRoutineItem(Self.item("a")), .putRoutineItem(Self.item("b"))]
    for number in 1...40 as ClosedRange<Int64> {
      let state: Occurrence.State = number == 3 ? .snoozed : number % 2 == 0 ? .done : .missed
      changes.append(.putOccurrence(Self.occurrence("a", number, state)))
      changes.append(.putOccurrence(Self.occurrence("gone", number, state)))
    }
    changes.append(.putOccurrence(Self.occurrence("b", 7, .notNow)))
    await store.commit(StepRecord(changes: changes))
    await store.close()
    let again = try SQLiteStore.open(options)
    let loaded = again.loaded.occurrences
    let over = loaded.filter { $0.item == "a" && $0.state.isFinal }.map(\.due).sorted()
    #expect(over == (25...40).map { Self.time($0) })
    #expect(loaded.filter { !$0.state.isFinal }.map(\.item) == ["a", "gone"])
    #expect(loaded.filter { $0.item == "b" }.map(\.state) == [.notNow])
    #expect(loaded.count == 19)
    await again.close()
  }

  @Test("A run starts with the unread messages, the newest 200 of each direction, oldest first")
  func unreadMessages() async throws {
    let store = try SQLiteStore.open(options)
    await store.commit(
      StepRecord(
        changes: (1...250).flatMap { number -> [StateChange] in
          [
            .putMessage(Self.message(MessageID("r\(number)"), number)),
            .putMessage(Self.message(MessageID("c\(number)"), number, .toCaregivers)),
            .putMessage(Self.message(MessageID("x\(number)"), number, isRead: true)),
          ]
        }))
    await store.close()
    let again = try SQLiteStore.open(options)
    #expect(again.loaded.messages.count == 400)
    #expect(again.loaded.messages.allSatisfy { $0.readAt == nil })
    #expect(again.loaded.messages.first?.sentAt == Self.time(51))
    #expect(again.loaded.messages.map(\.sentAt) == again.loaded.messages.map(\.sentAt).sorted())
    await again.close()
  }

  @Test("Due times are found by item and time, the latest first, none of anybody else's")
  func occurrenceQueries() async throws {
    let store = try SQLiteStore.open(options)
    await store.commit(
      StepRecord(
        changes: (1...9).flatMap { number -> [StateChange] in
          [
            .putOccurrence(Self.occurrence("a", number, .done)),
            .putOccurrence(Self.occurrence("b", number, .missed)),
            .putOccurrence(Self.occurrence("c", number, .done, resident: "bob")),
          ]
        }))
    let all = try await store.occurrences(OccurrenceQuery(resident: "mary"))
    #expect(all.count == 18 && all.first?.due == Self.time(9))
    let some = try await store.occurrences(
      OccurrenceQuery(
        resident: "mary", item: "b", since: Self.time(3), until: Self.time(6), limit: 2))
    #expect(some.map(\.due) == [Self.time(5), Self.time(4)])
    #expect(some.allSatisfy { $0.item == "b" })
    #expect(try await store.occurrences(OccurrenceQuery(resident: "nobody")).isEmpty)
    await store.close()
  }

  @Test(
    "Notes are found by kind, words and tag, in upper or lower case and in any script",
    arguments: [
      (NoteQuery(resident: "mary"), ["n5", "n4", "n3", "n2", "n1"]),
      (NoteQuery(resident: "mary", limit: 2), ["n5", "n4"]),
      (NoteQuery(resident: "mary", limit: 0), []),
      (NoteQuery(resident: "mary", kind: .memo), ["n5"]),
      (NoteQuery(resident: "mary", text: "PORRIDGE"), ["n1"]),
      (NoteQuery(resident: "mary", text: "ÄPFEL"), ["n2"]),
      (NoteQuery(resident: "mary", text: "米饭"), ["n3"]),
      (NoteQuery(resident: "mary", text: "title 4"), ["n4"]),
      (NoteQuery(resident: "mary", text: "100%_"), ["n5"]),
      (NoteQuery(resident: "mary", text: "%"), ["n5"]),
      (NoteQuery(resident: "mary", text: ""), ["n5", "n4", "n3", "n2", "n1"]),
      (NoteQuery(resident: "mary", tag: "sweet"), ["n3", "n1"]),
      (NoteQuery(resident: "mary", text: "rice", tag: "sweet"), []),
      (NoteQuery(resident: "mary", since: Self.time(2), until: Self.time(4)), ["n3", "n2"]),
      (NoteQuery(resident: "bob"), ["n6"]),
    ])
  func noteQueries(_ query: NoteQuery, _ expected: [String]) async throws {
    let store = try SQLiteStore.open(options)
    await store.commit(
      StepRecord(changes: [
        .putNote(Self.note("n1", 1, text: "Porridge and tea", tags: ["Sweet"])),
        .putNote(Self.note("n2", 2, text: "zwei Äpfel", tags: ["fruit"])),
        .putNote(Self.note("n3", 3, text: "米饭 rice-free", tags: ["fruit", "sweet"])),
        .putNote(Self.note("n4", 4, text: "", pictures: ["bb", "aa"])),
        .putNote(Self.note("n5", 5, kind: .memo, text: "battery 100%_ full")),
        .putNote(Self.note("n6", 6, text: "Porridge", tags: ["sweet"], resident: "bob")),
      ]))
    var wanted = query
    if query.text == "rice" { wanted.text = "rice pudding" }
    let found = try await store.notes(wanted)
    #expect(found.map(\.id.rawValue) == expected)
    if expected.contains("n4") {
      #expect(found.first { $0.id == "n4" }?.pictures == ["bb", "aa"])
    }
    await store.close()
  }

  @Test("A note that is replaced keeps only its new pictures; a removed one keeps none")
  func references() async throws {
    let store = try SQLiteStore.open(options)
    await store.commit(
      StepRecord(changes: [
        .putNote(Self.note("n1", pictures: ["aa", "bb"])),
        .putNote(Self.note("n1", pictures: ["bb"])), .putNote(Self.note("n2", pictures: ["aa"])),
        .removeNote("n2"), .putPicture(Self.picture("aa")), .removePicture("aa"),
      ]))
    #expect(try await store.note("n1")?.pictures == ["bb"])
    await store.close()
    #expect(try value("SELECT count(*) FROM note_picture", in: options.carePath) == 1)
    #expect(try value("SELECT count(*) FROM picture", in: options.carePath) == 0)
  }

  @Test("Erasing a resident leaves nothing of theirs in any table, and everything of others")
  func erasing() async throws {
    let store = try SQLiteStore.open(options)
    var changes: [StateChange] = []
    for (resident, suffix) in [("mary", "1"), ("bob", "2")] as [(ResidentID, String)] {
      changes += [
        .putResident(Resident(id: resident, name: resident.rawValue, timeZone: "Europe/Oslo")),
        .putRoutineItem(Self.item(RoutineItemID("i\(suffix)"), resident: resident)),
        .putOccurrence(
          Self.occurrence(RoutineItemID("i\(suffix)"), 1, .done, resident: resident)),
        .putNote(Self.note(NoteID("n\(suffix)"), pictures: ["aa"], resident: resident)),
        .putMessage(Self.message(MessageID("m\(suffix)"), 1, resident: resident)),
        .putPicture(Self.picture(PictureID("p\(suffix)"), resident: resident)),
      ]
    }
    await store.commit(StepRecord(changes: changes))
    await store.commit(StepRecord(changes: [.eraseResident("mary")]))
    await store.close()
    for table in ["routine_item", "occurrence", "note", "message", "picture"] {
      let residents = try text("SELECT group_concat(resident) FROM \(table)", in: options.carePath)
      #expect(residents == "bob", "\(table)")
    }
    #expect(try text("SELECT group_concat(note) FROM note_picture", in: options.carePath) == "n2")
  }

  @Test("Notes, messages and due times are kept until deleted: retention leaves them alone")
  func retention() async throws {
    let store = try SQLiteStore.open(options)
    await store.commit(
      StepRecord(changes: [
        .putNote(Self.note("n1")), .putMessage(Self.message("m1", 1, isRead: true)),
        .putOccurrence(Self.occurrence("pill", 1, .done)), .putPicture(Self.picture("aa")),
        .putRoutineItem(Self.item("pill")),
      ]))
    // A hundred years later.
    await store.maintain(at: Make.moment(3_155_760_000))
    #expect(try await store.note("n1") == Self.note("n1"))
    #expect(try await store.message("m1") != nil)
    #expect(try await store.occurrences(OccurrenceQuery(resident: "mary")).count == 1)
    await store.close()
  }

  @Test("A backup carries them, and a restored one has them as they were then")
  func backup() async throws {
    let store = try SQLiteStore.open(options)
    let before = Self.note("n1", text: "before")
    await store.commit(
      StepRecord(changes: [
        .putNote(before), .putMessage(Self.message("m1", 1)), .putRoutineItem(Self.item("pill")),
        .putOccurrence(Self.occurrence("pill", 1, .prompted)),
      ]))
    let copy = directory.path(of: "copy.db")
    try await store.copied(to: copy)
    await store.commit(
      StepRecord(changes: [
        .putNote(Self.note("n1", text: "after")), .removeRoutineItem("pill"),
        .putOccurrence(Self.occurrence("pill", 1, .done)),
      ]))
    await store.close()
    try SQLiteStore.restore(backup: copy, into: options.directory)
    let again = try SQLiteStore.open(options)
    #expect(try await again.note("n1") == before)
    #expect(again.loaded.routineItems == [Self.item("pill")])
    #expect(again.loaded.occurrences.map(\.state) == [.prompted])
    #expect(again.loaded.messages == [Self.message("m1", 1)])
    await again.close()
  }

  @Test("A row that this version cannot read is passed over and stays where it is")
  func unreadableRows() async throws {
    let store = try SQLiteStore.open(options)
    await store.commit(
      StepRecord(changes: [
        .putRoutineItem(Self.item("a")), .putRoutineItem(Self.item("b")), .putNote(Self.note("n1")),
        .putOccurrence(Self.occurrence("b", 1, .done)),
      ]))
    await store.close()
    let care = try Connection(path: options.carePath, mode: .readWrite)
    try care.run("UPDATE routine_item SET content = '{\"id\":7' WHERE id = 'a'")
    try care.run("UPDATE occurrence SET state = 'dreamt'")
    try care.run("UPDATE note SET kind = 'poem'")
    care.close()
    let again = try SQLiteStore.open(options)
    #expect(again.loaded.routineItems.map(\.id) == ["b"])
    #expect(again.loaded.occurrences.isEmpty)
    #expect(try await again.notes(NoteQuery(resident: "mary")).isEmpty)
    await again.close()
    #expect(try value("SELECT count(*) FROM routine_item", in: options.carePath) == 2)
  }
}

/// Answers about notes and due times as values to await.
extension SQLiteStore {
  func occurrences(_ query: OccurrenceQuery) async throws -> [Occurrence] {
    try await withCheckedContinuation { continuation in
      occurrences(query) { continuation.resume(returning: $0) }
    }.get().elements
  }

  func notes(_ query: NoteQuery) async throws -> [Note] {
    try await withCheckedContinuation { continuation in
      notes(query) { continuation.resume(returning: $0) }
    }.get().elements
  }

  func note(_ id: NoteID) async throws -> Note? {
    try await withCheckedContinuation { continuation in
      note(id) { continuation.resume(returning: $0) }
    }.get()
  }

  func message(_ id: MessageID) async throws -> ChatMessage? {
    try await withCheckedContinuation { continuation in
      message(id) { continuation.resume(returning: $0) }
    }.get()
  }

  func messages(_ resident: ResidentID?, limit: Int) async throws -> [ChatMessage] {
    try await withCheckedContinuation { continuation in
      messages(MessageQuery(resident: resident, limit: limit)) {
        continuation.resume(returning: $0)
      }
    }.get().elements
  }
}

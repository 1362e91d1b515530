import Care
import Foundation
import Glucose
import GlucoseValues
import JSON
import Loop
import Moments
import Notebook
import Ports
import Reminders
import TestSupport
import Testing
import Tracking

@testable import Store

/// Lists that are read part by part.
@Suite struct ListPageTests {
  let directory: TemporaryDirectory
  var options: SQLiteStore.Options { .test(directory.path(of: "store")) }

  init() throws { directory = try TemporaryDirectory() }

  /// Three at each moment, so that no part of four ends between two moments.
  private static func time(_ number: Int) -> Timestamp {
    Timestamp(milliseconds: 1_790_000_000_000 + Int64(number / 3) * 1000)
  }

  private static func note(_ number: Int, kind: Note.Kind? = nil) -> Note {
    Note(
      id: NoteID("note-\(number)"), resident: number % 7 == 0 ? "olav" : "mary",
      kind: kind ?? (number % 2 == 0 ? .memo : .diary), title: "\(number)", time: time(number),
      author: "Anna", changedAt: time(number), revision: 1)
  }

  private static func message(_ number: Int) -> ChatMessage {
    ChatMessage(
      id: MessageID("message-\(number)"), resident: number % 7 == 0 ? "olav" : "mary",
      direction: .toResident, sender: "Anna", text: "\(number)", sentAt: time(number))
  }

  private static func occurrence(_ number: Int) -> Occurrence {
    Occurrence(
      item: number % 5 == 0 ? "tea" : "pill", resident: number % 7 == 0 ? "olav" : "mary",
      slot: "slot-\(number)", due: time(number), changedAt: time(number))
  }

  private static func reading(_ number: Int) throws -> GlucoseReading {
    GlucoseReading(
      id: GlucoseReadingID("reading-\(number)"), resident: "mary",
      level: try GlucoseConcentration(withUnit: "5.6 mmol/L"), time: time(number),
      receivedAt: time(number), source: .hand, origin: "Anna", revision: 1)
  }

  private static func location(_ number: Int) -> LocationRecord {
    var location = Make.location(number)
    location.time = time(number)
    return location
  }

  private static func event(_ number: Int) -> EncodedEvent {
    let lane: Lane = number % 10 == 0 ? .alarm : number % 10 == 5 ? .trace : .record
    let types: [EventType] = ["zone.left", "zone.entered", "fault.raised"]
    return Make.event(
      number, lane, type: types[number % 3], resident: number % 7 == 0 ? "olav" : "mary")
  }

  private func filled(_ count: Int = 40) async throws -> SQLiteStore {
    let store = try SQLiteStore.open(options)
    var changes: [StateChange] = []
    for number in 1...count {
      changes += [
        .putNote(Self.note(number)), .putMessage(Self.message(number)),
        .putOccurrence(Self.occurrence(number)), .putGlucoseReading(try Self.reading(number)),
        .addLocationRecord(Self.location(number)), .addLocationSample(Self.location(number)),
      ]
    }
    await store.commit(StepRecord(events: (1...count).map(Self.event), changes: changes))
    return store
  }

  /// All parts of a list, four by four; something new comes to the list before each.
  private func parts<Element: Equatable>(
    _ what: String, meanwhile: (Int) async throws -> Void = { _ in },
    _ ask: (Int, ListPlace?) async throws -> ListPage<Element>
  ) async throws {
    let whole = try await ask(1000, nil)
    #expect(whole.next == nil && whole.elements.count > 8, "\(what): \(whole.elements.count)")
    var (found, place, count): ([Element], ListPlace?, Int) = ([], nil, 0)
    repeat {
      let part = try await ask(4, place)
      #expect(part.next == nil || part.elements.count == 4, "\(what)")
      found += part.elements
      place = part.next
      count += 1
      try await meanwhile(count)
    } while place != nil && count < 100
    #expect(found == whole.elements, "\(what)")
    let exact = try await ask(whole.elements.count, nil)
    #expect(exact.next == nil && exact.elements == whole.elements, "\(what)")
    #expect(try await ask(0, nil) == ListPage([]), "\(what)")
  }

  private static let eventQueries: [JournalQuery] = [
    JournalQuery(), JournalQuery(resident: "mary"), JournalQuery(types: ["zone"]),
    JournalQuery(resident: "mary", types: ["zone.left", "fault"]),
    JournalQuery(lanes: [.alarm, .record, .trace]),
    JournalQuery(resident: "mary", types: ["zone"], lanes: [.record, .trace]),
    JournalQuery(since: Make.moment(10).utc), JournalQuery(until: Make.moment(30).utc),
    JournalQuery(resident: "mary", since: Make.moment(9).utc, until: Make.moment(33).utc),
  ]

  @Test("Each event is in one part, whatever comes meanwhile", arguments: eventQueries)
  func events(_ query: JournalQuery) async throws {
    let store = try await filled()
    let late = { (number: Int) in
      _ = await store.commit(
        StepRecord(events: [Self.event(100 + number * 2), Self.event(101 + number * 2)]))
    }
    // What comes at the beginning while one reads is no part of what one began to read.
    let limit = query.until == nil ? Make.moment(41).utc : nil
    try await parts("\(query)", meanwhile: late) { count, place in
      var query = query
      (query.limit, query.after) = (count, place)
      if let limit, place == nil { query.until = limit }
      return try await store.page(query)
    }
    await store.close()
  }

  @Test("Notes, messages, due times, readings and places are read part by part, each once")
  func rows() async throws {
    let store = try await filled()
    let many = { (number: Int) in
      _ = await store.commit(
        StepRecord(changes: [
          .putNote(Self.note(200 + number)), .putMessage(Self.message(200 + number)),
          .putOccurrence(Self.occurrence(200 + number)),
          .addLocationRecord(Self.location(200 + number)),
        ]))
    }
    let end = Self.time(60)
    for kind in [nil, Note.Kind.memo] {
      try await parts("notes", meanwhile: many) { count, place in
        try await store.part(
          NoteQuery(resident: "mary", kind: kind, until: end, limit: count, after: place),
          store.notes)
      }
    }
    try await parts("words") { count, place in
      try await store.part(
        NoteQuery(resident: "mary", text: "1", limit: count, after: place), store.notes)
    }
    for resident in [nil, "mary"] as [ResidentID?] {
      try await parts("messages") { count, place in
        try await store.part(
          MessageQuery(resident: resident, limit: count, after: place), store.messages)
      }
    }
    for item in [nil, "pill"] as [RoutineItemID?] {
      try await parts("due times", meanwhile: many) { count, place in
        try await store.part(
          OccurrenceQuery(resident: "mary", item: item, until: end, limit: count, after: place),
          store.occurrences)
      }
    }
    for isSeries in [false, true] {
      try await parts("locations", meanwhile: many) { count, place in
        try await store.part(
          LocationQuery(
            resident: "mary", isSeries: isSeries, until: end, limit: count, after: place),
          store.locations)
      }
    }
    let ids = { (page: ListPage<FeatureValue>) in
      try page.map { try $0.value(as: GlucoseReading.self).id }
    }
    try await parts("readings") { count, place in
      try ids(
        await store.part(
          GlucoseQuery(resident: "mary", limit: count, after: place), store.glucoseReadings))
    }
    await store.close()
  }

  @Test("What is removed where one stands moves nothing, and a damaged row ends no list")
  func gaps() async throws {
    let store = try await filled()
    let query = { NoteQuery(resident: "mary", limit: 4, after: $0) }
    let first = try await store.part(query(nil), store.notes)
    let second = try await store.part(query(first.next), store.notes)
    await store.commit(StepRecord(changes: first.elements.map { .removeNote($0.id) }))
    #expect(try await store.part(query(first.next), store.notes) == second)
    await store.close()
    let file = try Connection(path: options.carePath, mode: .readWrite, vfs: options.vfs)
    try file.run("UPDATE note SET title = 'x' WHERE id = ?", .text(second.elements[1].id.rawValue))
    file.close()
    let again = try SQLiteStore.open(options)
    let part = try await again.part(query(first.next), again.notes)
    #expect(part.elements.count == 4 && part.elements[1] == second.elements[2])
    await again.close()
  }

  @Test("The lists of a database from before are read in the same parts")
  func upgrade() async throws {
    let schema = Schema(
      applicationID: Schema.care.applicationID,
      migrations: Array(Schema.care.migrations.prefix(6)))
    try FileManager.default.createDirectory(
      atPath: options.directory, withIntermediateDirectories: true)
    let old = try Connection.writable(
      path: options.carePath, schema: schema, synchronous: "FULL", options: options)
    for number in 1...40 where number % 10 != 5 {
      _ = try EventWriter(care: old).append(Self.event(number))
    }
    old.close()
    let store = try SQLiteStore.open(options)
    try await parts("events") { count, place in
      try await store.page(
        JournalQuery(resident: "mary", types: ["zone"], limit: count, after: place))
    }
    await store.close()
  }

  @Test("Each part is found by an index, from where it begins, and nothing is sorted")
  func plans() async throws {
    try await filled().close()
    let reader = JournalReader(
      options: options, facts: WriterFacts(heads: LaneHeads(), isWritable: true))
    defer { reader.close() }
    let care = try reader.care()
    let place = ListPlace([Self.time(20).milliseconds, 20], ["note-20", "slot-20"])
    for query in Self.eventQueries where !query.lanes.contains(.trace) {
      var query = query
      query.after = ListPlace([20, 20])
      _ = try reader.find(query)
    }
    for kind in [nil, Note.Kind.memo] {
      _ = try NoteReader(care: care).notes(NoteQuery(resident: "mary", kind: kind, after: place))
    }
    for resident in [nil, "mary"] as [ResidentID?] {
      _ = try NoteReader(care: care).messages(MessageQuery(resident: resident, after: place))
    }
    for item in [nil, "pill"] as [RoutineItemID?] {
      _ = try RoutineReader(care: care).occurrences(
        OccurrenceQuery(resident: "mary", item: item, after: place))
    }
    for isSeries in [false, true] {
      _ = try LocationReader(care: care).locations(
        LocationQuery(resident: "mary", isSeries: isSeries, after: place))
    }
    _ = try GlucoseReader(care: care).readings(GlucoseQuery(resident: "mary", after: place))
    let lists = [
      "journal", "note", "message", "occurrence", "location_record", "location_sample",
      "glucose_reading",
    ]
    var seen: Set<String> = []
    for sql in care.preparedTexts where sql.contains("ORDER BY") && !sql.contains("note_picture") {
      var plan: [String] = []
      try care.rows("EXPLAIN QUERY PLAN \(sql)") { row in
        plan.append(row.text(3))
        return true
      }
      let table = lists.first { plan[0].hasPrefix("SEARCH \($0) USING ") }
      #expect(table != nil, "\(sql): \(plan)")
      // Due times of one moment are put in order by what is due; that is no more than a handful.
      #expect(
        plan.allSatisfy { !$0.contains("TEMP B-TREE") || $0.contains("RIGHT PART OF ORDER BY") },
        "\(sql): \(plan)")
      if let table { seen.insert(table) }
    }
    #expect(seen == Set(lists))
  }
}

extension SQLiteStore {
  /// A part of a list as a value to await.
  func part<Query, Element: Sendable>(
    _ query: Query,
    _ ask: (Query, @escaping @LoopActor @Sendable (Result<ListPage<Element>, StoreError>) -> Void)
      ->
      Void
  ) async throws -> ListPage<Element> {
    try await withCheckedContinuation { continuation in
      ask(query) { continuation.resume(returning: $0) }
    }.get()
  }
}

import Care
import Foundation
import JSON
import Moments
import Ports
import Reminders
import TestSupport

@testable import Store

/// A household whose database the tests damage byte by byte: one row of each kind that decides who is called and when.
struct Household {
  static let mary = Resident(id: "mary", name: "Mary Gardener", timeZone: "Europe/Oslo")
  static let anna = Guardian(id: "anna", resident: "mary", name: "Anna", phone: "+4791234567")
  static let bert = Guardian(id: "bert", resident: "mary", name: "Bert", phone: "+4797654321")
  static let home = Make.zone("home", name: "Cottage")
  static let button = EngineRow(
    engine: "bluetooth", subject: "gateway", name: "tag:button-1",
    content: ["address": "C0:FF:EE:00:00:01", "kind": "button"])
  static let alarm = EngineRow(
    engine: "alarms", subject: "mary", name: "alarm:event-1", content: ["stage": "dispatched"])
  static let due = Occurrence(
    item: "tea", resident: "mary", slot: "2026-11-21T08:00", due: Make.moment(2).utc,
    changedAt: Make.moment(2).utc)
  static let cursor = PluginCursor(plugin: "mqtt", lane: .alarm, sequence: 1)

  static let changes: [StateChange] = [
    .putResident(mary), .putGuardian(anna), .putGuardian(bert), .putZone(home),
    .putSetting(resident: "mary", name: "prealarmSeconds", value: 20),
    .putSetting(resident: "mary", name: "language", value: "nb"), .putEngineRow(button),
    .putEngineRow(alarm), .putOccurrence(due),
  ]

  let directory: TemporaryDirectory
  var options: SQLiteStore.Options

  init() throws {
    directory = try TemporaryDirectory()
    options = .test(directory.path(of: "store"))
    options.cardPlaces = [[directory.path(of: "card")]]
  }

  var card: String { directory.path(of: "card/emergency-card.json") }

  /// Stores the household, with a backup and a card, and answers what a run would start from.
  func settle() async throws -> StoredState {
    let store = try SQLiteStore.open(options, isRecovering: true)
    await store.commit(StepRecord(events: [Make.event(1, .alarm)], changes: Self.changes))
    for number in 2...40 { store.submit(Make.step(number)) { _ in } }
    await store.save(Self.cursor)
    await store.maintain(at: Make.moment(100))
    await store.close()
    let again = try SQLiteStore.open(options, isRecovering: true)
    let loaded = again.loaded
    await again.close()
    return loaded
  }

  /// Takes copies away, so that the database alone is left.
  func removeCopies() throws {
    try? FileManager.default.removeItem(atPath: card)
    try? FileManager.default.removeItem(atPath: options.backupDirectory)
  }

  /// Changes one bit wherever a word stands in a file, in its last letter; answers in how many places.
  @discardableResult
  static func flip(_ word: String, in path: String) throws -> Int {
    var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    let pattern = Array(word.utf8)
    var count = 0
    for start in bytes.indices.dropLast(pattern.count - 1)
    where bytes[start] == pattern[0] && bytes[start..<start + pattern.count].elementsEqual(pattern)
    {
      bytes[start + pattern.count - 1] ^= 1
      count += 1
    }
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    return count
  }
}

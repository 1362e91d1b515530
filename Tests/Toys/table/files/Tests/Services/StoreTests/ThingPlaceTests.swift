import Care
import Notebook
import Ports
import TestSupport
import Testing

@testable import Store

@Suite("Where things lie, in the store") struct ThingPlaceTests {
  let directory: TemporaryDirectory
  var options: SQLiteStore.Options { .test(directory.path(of: "store")) }

  init() throws { directory = try TemporaryDirectory() }

  private func places() throws -> [ThingPlace] {
    let care = try Connection(path: options.carePath, mode: .readOnly)
    defer { care.close() }
    var places: [ThingPlace] = []
    try care.rows("SELECT * FROM thing_place ORDER BY resident, thing") { row in
      if let place = ThingPlace(row) { places.append(place) }
      return true
    }
    return places
  }

  @Test("A place is kept, replaced and removed, and goes with its resident and with nobody else")
  func kept() async throws {
    let store = try SQLiteStore.open(options)
    let keys = ThingPlace(resident: "mary", thing: "钥匙", place: "the hook")
    let moved = ThingPlace(resident: "mary", thing: "钥匙", place: "the bowl")
    let glasses = ThingPlace(resident: "mary", thing: "glasses", place: "the desk")
    let bens = ThingPlace(resident: "ben", thing: "glasses", place: "the sill")
    await store.commit(
      StepRecord(
        changes: [keys, glasses, bens, moved].map { .putThingPlace($0) }
          + [.removeThingPlace("glasses", of: "mary")]))
    #expect(try places() == [bens, moved])
    await store.commit(StepRecord(changes: [.eraseResident("mary")]))
    #expect(try places() == [bens])
    await store.close()
  }
}

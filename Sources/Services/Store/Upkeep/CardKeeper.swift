import Care
import Ports
import Synchronization
import Texts

/// Keeps the emergency card current in all its places, each on a thread of its own: none waits for another's disk.
final class CardKeeper: Sendable {
  private struct Place {
    var isWriting = false
    var isDirty = true
    var hasFailed = false
  }

  private struct State {
    var card: EmergencyCard
    /// The card as it was before its last change; nil before the first.
    var before: EmergencyCard?
    var mayWrite = false
    var places: [Place]
  }

  /// The number of the card that the store began with.
  let numberAtStart: Int64
  private let state: Mutex<State>
  private let places: [CardPlace]
  private let workers: [Worker]
  private let health: HealthBoard

  /// A keeper of a card that nobody has written yet.
  init(card: EmergencyCard, places: [CardPlace], health: HealthBoard) {
    numberAtStart = card.number
    state = Mutex(State(card: card, places: places.map { _ in Place() }))
    self.places = places
    workers = places.map { _ in Worker(name: "homeward-card") }
    self.health = health
  }

  /// Takes what a step changes; answers the card's new number when it changes the card.
  func take(_ record: StepRecord) -> Int64? {
    guard !record.changes.isEmpty else { return nil }
    let number: Int64? = state.withLock { state in
      var isChanged = false
      let before = state.card
      for change in record.changes where state.card.apply(change) { isChanged = true }
      guard isChanged else { return nil }
      state.before = before
      state.card.number += 1
      Self.soil(&state)
      return state.card.number
    }
    if number != nil { writeSoon() }
    return number
  }

  /// Undoes the last change, which made the card of this number: the next card holds what the one before did.
  func takeBack(_ number: Int64) {
    let isUndone = state.withLock { state in
      guard state.card.number == number, var card = state.before else { return false }
      card.number = number + 1
      card.isAhead = state.card.isAhead
      state.card = card
      state.before = nil
      Self.soil(&state)
      return true
    }
    if isUndone { writeSoon() }
  }

  /// Notes whether the disk takes nothing, so that a card from then goes before the database.
  func note(isAhead: Bool) {
    let isNew = state.withLock { state in
      guard state.card.isAhead != isAhead else { return false }
      state.card.isAhead = isAhead
      if isAhead { Self.soil(&state) }
      return isAhead
    }
    if isNew { writeSoon() }
  }

  private static func soil(_ state: inout State) {
    for index in state.places.indices { state.places[index].isDirty = true }
  }

  /// Begins to write; call it once the gateway is armed, and again now and then for places that refused.
  func start() {
    state.withLock { $0.mayWrite = true }
    writeSoon()
  }

  private func writeSoon() {
    for index in places.indices {
      let isDue = state.withLock { state in
        guard state.mayWrite, state.places[index].isDirty, !state.places[index].isWriting else {
          return false
        }
        state.places[index].isWriting = true
        return true
      }
      if isDue { workers[index].perform { self.write(to: index) } }
    }
  }

  private func write(to index: Int) {
    let place = places[index]
    while let card = next(for: index) {
      do throws(StoreError) {
        if card.isAhead || !place.holds(card) { try place.write(card.file) }
        note(index, hasFailed: false)
      } catch {
        note(index, hasFailed: true)
        health.set(
          .card, .degraded, code: "card",
          detail: Message(
            "The emergency card cannot be kept current. {error}", ["error": error.message]))
        return
      }
    }
  }

  /// What came of a place; one that refused is tried again with the next change, and with the next upkeep.
  private func note(_ index: Int, hasFailed: Bool) {
    let isWell = state.withLock { state in
      state.places[index].hasFailed = hasFailed
      if hasFailed {
        state.places[index].isDirty = true
        state.places[index].isWriting = false
      }
      return !state.places.contains(where: \.hasFailed)
    }
    if isWell { health.clear(.card) }
  }

  /// The card to write now; nil when there is nothing to write any more.
  private func next(for index: Int) -> EmergencyCard? {
    state.withLock { state in
      guard state.places[index].isDirty else {
        state.places[index].isWriting = false
        return nil
      }
      state.places[index].isDirty = false
      var card = EmergencyCard(number: state.card.number, of: state.card.state, at: SystemTime.utc)
      card.isAhead = state.card.isAhead
      return card
    }
  }

  /// Writes what is still to be written; takes nothing more after that.
  func stop(_ last: @escaping @Sendable () -> Void) {
    let all = workers.reduce(last) { rest, worker in { worker.stop(rest) } }
    all()
  }
}

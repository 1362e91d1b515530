import Care

/// When the items want to be looked at, the earliest first.
///
/// A binary heap in which an item has one valid entry; a later one makes the earlier one stale, and stale ones are dropped
/// where they are met. So the cost of a step does not grow with the items that wait.
struct WakeQueue<Time: Comparable & Sendable>: Sendable {
  private struct Entry: Sendable {
    var time: Time
    var id: RoutineItemID
  }

  private var heap: [Entry] = []
  private var wanted: [RoutineItemID: Time] = [:]

  /// The earliest time that anything is wanted at; nil for never.
  var first: Time? { heap.first?.time }

  /// Sets when an item wants to be looked at; nil for not at all.
  mutating func set(_ id: RoutineItemID, _ time: Time?) {
    guard wanted[id] != time else { return }
    wanted[id] = time
    if let time {
      heap.append(Entry(time: time, id: id))
      rise(from: heap.count - 1)
    }
    if heap.count > 2 * wanted.count + 64 { rebuild() }
    dropStale()
  }

  /// Takes the items that are due, at most `limit`.
  mutating func take(through time: Time, limit: Int) -> [RoutineItemID] {
    var due: [RoutineItemID] = []
    while due.count < limit, let top = heap.first, top.time <= time {
      removeFirst()
      if wanted[top.id] == top.time {
        wanted[top.id] = nil
        due.append(top.id)
      }
    }
    dropStale()
    return due
  }

  mutating func removeAll() {
    heap.removeAll(keepingCapacity: true)
    wanted.removeAll(keepingCapacity: true)
  }

  private mutating func dropStale() {
    while let top = heap.first, wanted[top.id] != top.time { removeFirst() }
  }

  private mutating func rebuild() {
    heap = wanted.map { Entry(time: $0.value, id: $0.key) }
      .sorted { ($0.time, $0.id) < ($1.time, $1.id) }
  }

  private mutating func removeFirst() {
    let last = heap.removeLast()
    guard !heap.isEmpty else { return }
    heap[0] = last
    sink(from: 0)
  }

  private mutating func rise(from start: Int) {
    var place = start
    while place > 0, heap[place].time < heap[(place - 1) / 2].time {
      heap.swapAt(place, (place - 1) / 2)
      place = (place - 1) / 2
    }
  }

  private mutating func sink(from start: Int) {
    var place = start
    while true {
      var least = place
      for child in 2 * place + 1...2 * place + 2
      where child < heap.count && heap[child].time < heap[least].time { least = child }
      guard least != place else { return }
      heap.swapAt(place, least)
      place = least
    }
  }
}

import Care

extension Dictionary where Key: Comparable, Value: Equatable {
  /// What of the rows is to be written: first those that are gone, then those that are another than before, each by key.
  func changes(since before: Self, _ row: (Value) -> EngineRow) -> [StateChange] {
    guard before != self else { return [] }
    let gone = before.filter { self[$0.key] == nil }.sorted { $0.key < $1.key }
    let other = filter { before[$0.key] != $0.value }.sorted { $0.key < $1.key }
    return gone.map { row($0.value).removal } + other.map { .putEngineRow(row($0.value)) }
  }
}

import Care

/// Puts what was found in order.
struct Ranking {
  /// How well something fits what was typed.
  enum Level: Int, Comparable {
    /// All words are its own.
    case asked
    /// One word is its own once a letter is put right.
    case meant
    /// All words but one are its own.
    case part

    static func < (one: Level, other: Level) -> Bool { one.rawValue < other.rawValue }
  }

  private struct Entry {
    var place: FoundPlace
    var level: Level
    /// 0 for the house or thing that was asked for, 1 for a street in which it is, 2 for one that was not.
    var numberRank: Int
    /// Words of its name that nobody typed, and typed words that its name has not.
    var strangeWords: Int
    var kindRank: Int
    var meters: Double
    var order: Int

    static func isBetter(_ one: Entry, _ other: Entry) -> Bool {
      let (a, b) = (one, other)
      if a.level != b.level { return a.level < b.level }
      if a.numberRank != b.numberRank { return a.numberRank < b.numberRank }
      if a.strangeWords != b.strangeWords { return a.strangeWords < b.strangeWords }
      if a.kindRank != b.kindRank { return a.kindRank < b.kindRank }
      if a.meters != b.meters { return a.meters < b.meters }
      return a.order < b.order
    }
  }

  /// Things of one name nearer than this are shown once; of one house some maps say the town in two ways.
  private static let sameMeters = 150.0

  let near: Coordinate?
  private var entries: [Entry] = []
  private var seen: Set<Int64> = []

  init(near: Coordinate?) { self.near = near }

  var isEmpty: Bool { entries.isEmpty }
  var count: Int { entries.count }

  /// Adds a place that a search found; one that is there stays as it is.
  mutating func add(
    _ id: Int64, _ place: FoundPlace, _ level: Level, words: [QueryWord], title: [String],
    number: [String]
  ) {
    guard seen.insert(id).inserted else { return }
    // A number of the street's own name is not that of a house: "2nd Garden Street" asks for none.
    var numbers = words.filter(\.isNumber)
    for word in title {
      if let index = numbers.firstIndex(where: { $0.fits(word) }) { numbers.remove(at: index) }
    }
    let isItsNumber = !number.isEmpty && numbers.contains { word in word.fits(number[0]) }
    let asksForHouse = !numbers.isEmpty
    let own = title.filter { word in words.contains { $0.fits(word) } }
    let typed = words.filter { word in title.contains { word.fits($0) } }
    let isHouse = place.kind == "address"
    let numberRank: Int
    if isItsNumber {
      numberRank = Self.isWhole(number, words) || !isHouse ? 0 : 1
    } else {
      numberRank = asksForHouse || isHouse ? 2 : 0
    }
    entries.append(
      Entry(
        place: shown(place, level), level: level, numberRank: numberRank,
        strangeWords: title.count - own.count + min(words.count - typed.count, title.count),
        kindRank: Self.rank(place, asksForHouse: asksForHouse),
        meters: near.map { $0.distanceMeters(to: place.coordinate) } ?? 0, order: entries.count))
  }

  /// Adds a house between others.
  mutating func add(_ place: FoundPlace, _ level: Level) {
    entries.append(
      Entry(
        place: shown(place, level), level: level, numberRank: 1, strangeWords: 0, kindRank: 0,
        meters: near.map { $0.distanceMeters(to: place.coordinate) } ?? 0, order: entries.count))
  }

  private func shown(_ place: FoundPlace, _ level: Level) -> FoundPlace {
    var place = place
    place.isSuggestion = level != .asked
    return place
  }

  /// Whether all parts of a house number were typed: «12 a» is not «12».
  private static func isWhole(_ number: [String], _ words: [QueryWord]) -> Bool {
    number.allSatisfy { part in words.contains { $0.fits(part) } }
  }

  private static func rank(_ place: FoundPlace, asksForHouse: Bool) -> Int {
    switch (place.kind, place.detail) {
    case ("address", _): asksForHouse ? 0 : 4
    case ("place", "city"), ("place", "town"): 0
    case ("place", _): 1
    case ("street", _): 1
    case ("building", _), ("landuse", _): 3
    default: 2
    }
  }

  /// The best, each once.
  func best(_ limit: Int) -> [FoundPlace] {
    var best: [FoundPlace] = []
    for entry in entries.sorted(by: Entry.isBetter) where best.count < limit {
      let place = entry.place
      let isThere = best.contains { other in
        other.title == place.title
          && other.coordinate.distanceMeters(to: place.coordinate) < Self.sameMeters
      }
      if !isThere { best.append(place) }
    }
    return best
  }
}

public import Care

/// Finding by words.
extension PlaceIndex {
  /// As many rows are looked at for a query; a street of a thousand houses is found by its number.
  private static let mostCandidates = 600
  private static let mostCorrections = 24

  /// Places that fit words, the best first: what was asked for, else what may have been meant.
  ///
  /// - Parameters:
  ///   - text: What people type: any order of name, street, number, postal code and town, in any script.
  ///   - near: Where the nearer of equals is; nil for no preference.
  ///   - limit: How many at most.
  /// - Throws: ``Fault`` when the files cannot be read.
  public func search(
    _ text: String, near: Coordinate? = nil, limit: Int = 10
  ) throws(Fault) -> [FoundPlace] {
    do {
      let typed = try folder.words(
        String(text.prefix(Self.maximumCharacters)), limit: Self.maximumWords)
      guard !typed.isEmpty, limit > 0 else { return [] }
      return try find(typed.map { QueryWord($0) }, near: near, limit: limit)
    } catch {
      throw Self.fault(error)
    }
  }

  private func find(
    _ words: [QueryWord], near: Coordinate?, limit: Int
  ) throws(PlaceFault) -> [FoundPlace] {
    var ranking = Ranking(near: near)
    try collect(words, .asked, &ranking)
    if ranking.isEmpty { try collectBetween(words, .asked, &ranking) }
    if ranking.count < limit { try collectCorrected(words, &ranking) }
    if ranking.isEmpty { try collectPart(words, &ranking) }
    return ranking.best(limit)
  }

  // MARK: What was asked for

  private func collect(
    _ words: [QueryWord], _ level: Ranking.Level, _ ranking: inout Ranking
  ) throws(PlaceFault) {
    let terms = words.enumerated().map { index, word in
      word.term(isPrefix: index == words.count - 1)
    }
    var found: [(Int64, FoundPlace)] = []
    try database.rows(
      """
      SELECT \(Self.columns) FROM place_text JOIN place p ON p.id = place_text.rowid
      WHERE place_text MATCH ? ORDER BY place_text.rank LIMIT \(Self.mostCandidates)
      """, [.text(terms.joined(separator: " AND "))]
    ) { row in
      if let place = Self.place(row) { found.append((row.integer(0), place)) }
    }
    for (id, place) in found {
      ranking.add(
        id, place, level, words: words,
        title: try folder.words(place.name.isEmpty ? place.street : place.name),
        number: try folder.words(place.number))
    }
  }

  // MARK: Between two houses

  /// A house that is not on the map, between its neighbours in the street; else the street.
  private func collectBetween(
    _ words: [QueryWord], _ level: Ranking.Level, _ ranking: inout Ranking
  ) throws(PlaceFault) {
    guard let last = words.lastIndex(where: { $0.isNumber && $0.text.count <= 5 }) else { return }
    // One house may have several numbers: «11-13».
    let first =
      last > 1 && words[last - 1].isNumber && words[last - 1].text.count <= 5 ? last - 1 : last
    guard let wanted = Self.value(words[first].text), words.count > 1 else { return }
    let typed = words[first...last].map(\.text).joined(separator: "-")
    var rest = words
    rest.removeSubrange(first...last)
    // What follows a number belongs to it: «12 a».
    if first < rest.count, rest[first].text.count == 1 { rest.remove(at: first) }
    guard !rest.isEmpty else { return }
    var streets = Ranking(near: ranking.near)
    try collect(rest, .asked, &streets)
    for place in streets.best(8) where place.kind == "street" || place.kind == "address" {
      let found = try between(wanted, in: place.street, near: place.coordinate)
      if var between = found ?? (place.kind == "street" ? place : nil) {
        between.isApproximate = true
        between.number = typed
        between.name = ""
        between.kind = "address"
        ranking.add(between, level)
      }
    }
  }

  private static func value(_ number: String) -> Int? {
    Int(number.prefix { ("0"..."9").contains($0) })
  }

  private func between(
    _ wanted: Int, in street: String, near: Coordinate
  ) throws(PlaceFault) -> FoundPlace? {
    var houses: [(number: Int, place: FoundPlace)] = []
    try database.rows(
      "SELECT \(Self.columns) FROM place p WHERE p.kind = 'address' AND p.street = ?",
      [.text(street)]
    ) { row in
      guard let place = Self.place(row), place.coordinate.distanceMeters(to: near) < 5_000,
        let number = Self.value(place.number)
      else { return }
      houses.append((number, place))
    }
    houses.sort { $0.number < $1.number }
    // Even numbers are on one side, odd ones on the other.
    let side = houses.filter { $0.number % 2 == wanted % 2 }
    for row in [side, houses] {
      guard let above = row.first(where: { $0.number >= wanted }),
        let below = row.last(where: { $0.number <= wanted })
      else { continue }
      var place = below.place
      if above.number > below.number {
        let part = Double(wanted - below.number) / Double(above.number - below.number)
        let (south, north) = (below.place.coordinate, above.place.coordinate)
        place.coordinate =
          Coordinate(
            latitudeDegrees: south.latitudeDegrees
              + part * (north.latitudeDegrees - south.latitudeDegrees),
            longitudeDegrees: south.longitudeDegrees
              + part * (north.longitudeDegrees - south.longitudeDegrees)) ?? south
      }
      return place
    }
    return nil
  }

  // MARK: What may have been meant

  /// With words of the map for words that are mistyped.
  private func collectCorrected(
    _ words: [QueryWord], _ ranking: inout Ranking
  ) throws(PlaceFault) {
    var corrected: [[QueryWord]] = []
    for (index, word) in words.enumerated() where !word.isNumber {
      for other in try meant(by: word.text) {
        var attempt = words
        attempt[index] = QueryWord(other)
        corrected.append(attempt)
      }
    }
    // A space too many, or one too few; two numbers are no number.
    for index in words.indices.dropLast()
    where !words[index].isNumber || !words[index + 1].isNumber {
      var attempt = words
      attempt[index] = QueryWord(words[index].text + words[index + 1].text)
      attempt.remove(at: index + 1)
      corrected.append(attempt)
    }
    for attempt in corrected.prefix(Self.mostCorrections) {
      try collect(attempt, .meant, &ranking)
      if ranking.isEmpty { try collectBetween(attempt, .meant, &ranking) }
    }
  }

  /// Words of the map that differ from one by a letter, the nearest first.
  private func meant(by word: String) throws(PlaceFault) -> [String] {
    let letters = Array(word)
    guard (3...40).contains(letters.count) else { return [] }
    var forms: Set<String> = [word]
    for index in letters.indices.prefix(24) {
      var form = letters
      form.remove(at: index)
      forms.insert(String(form))
    }
    var found: Set<String> = []
    for form in forms.sorted() {
      try database.rows("SELECT word FROM typo WHERE form = ?", [.text(form)]) {
        found.insert($0.text(0))
      }
    }
    return found.compactMap { other in
      editDistance(letters, Array(other), atMost: 1).map { (other, $0) }
    }.filter { $0.1 > 0 }.map(\.0).sorted()
  }

  /// Without one of the words, where all of them together fit nothing.
  private func collectPart(
    _ words: [QueryWord], _ ranking: inout Ranking
  ) throws(PlaceFault) {
    guard words.count > 1 else { return }
    for index in words.indices {
      var rest = words
      rest.remove(at: index)
      guard rest.contains(where: { !$0.isNumber }) else { continue }
      try collect(rest, .part, &ranking)
    }
  }
}

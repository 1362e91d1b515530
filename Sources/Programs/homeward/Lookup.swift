/// Finds the one thing that somebody means: by its id, by its name in letters of any case, or by the beginning of its id.
struct Lookup<Thing> {
  private let things: [Thing]
  private let id: (Thing) -> String
  private let name: (Thing) -> String
  private let nothing: (String) -> String
  private let list: String?

  /// Things to choose from.
  ///
  /// - Parameters:
  ///   - nothing: the sentence that there is none of what was wanted.
  ///   - list: what to do to see them all.
  init(
    among things: [Thing], id: @escaping (Thing) -> String, name: @escaping (Thing) -> String,
    nothing: @escaping (String) -> String, list: String?
  ) {
    self.things = things
    self.id = id
    self.name = name
    self.nothing = nothing
    self.list = list
  }

  /// The thing that is wanted.
  ///
  /// - Throws: that there is none, or that there are several, with their ids.
  func find(_ wanted: String) throws(CommandFailure) -> Thing {
    if let exact = things.first(where: { id($0) == wanted }) { return exact }
    let lowered = wanted.lowercased()
    let named = things.filter { name($0).lowercased() == lowered }
    if !named.isEmpty { return try one(of: named, wanted) }
    let begun = wanted.count < 3 ? [] : things.filter { id($0).hasPrefix(lowered) }
    if !begun.isEmpty { return try one(of: begun, wanted) }
    throw CommandFailure(.refused, nothing(TextWidth.printable(wanted)), hint: list)
  }

  private func one(of found: [Thing], _ wanted: String) throws(CommandFailure) -> Thing {
    if found.count == 1, let only = found.first { return only }
    let ids = found.map { "\(id($0)) (\(TextWidth.printable(name($0))))" }
    throw CommandFailure(
      .refused,
      gettext("there are several that \"{wanted}\" may mean.", ["wanted": wanted]),
      hint: gettext("Say which, by its id: {ids}", ["ids": ids.joined(separator: ", ")]))
  }
}

/// Ids as short as they may be written: enough letters that no other id begins in the same way.
struct ShortIDs {
  private var short: [String: String] = [:]
  /// What is shorter than this is shown as it is.
  private static let enough = 12

  init(_ ids: [String]) {
    let sorted = ids.sorted()
    for (place, id) in sorted.enumerated() {
      let neighbours = [
        place > 0 ? sorted[place - 1] : "", place + 1 < sorted.count ? sorted[place + 1] : "",
      ]
      let shared = neighbours.map { Self.shared(id, $0) }.max() ?? 0
      short[id] = String(id.prefix(max(Self.enough, shared + 1)))
    }
  }

  /// The short form of an id.
  func text(_ id: String) -> String { short[id] ?? id }

  private static func shared(_ left: String, _ right: String) -> Int {
    zip(left, right).prefix { $0 == $1 }.count
  }
}

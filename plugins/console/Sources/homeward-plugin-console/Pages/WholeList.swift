import JSON

/// A list that is shown whole, or counted: asked for part by part until its end.
enum WholeList {
  /// A list of a thousand times this many elements is asked for whole; of a longer one it is said that there is more.
  static let rounds = 40

  private static func name(_ route: String, _ part: Int) -> String {
    part == 0 ? route : "\(route) \(part)"
  }

  /// How many parts were asked for.
  private static func count(_ route: String, _ visit: Visit) -> Int {
    var count = 0
    while visit.answers.has(name(route, count)) { count += 1 }
    return count
  }

  /// What is asked next; nil where all is there, or it was refused.
  static func next(_ route: String, _ params: JSONValue, _ visit: Visit) -> Question? {
    let count = count(route, visit)
    guard count > 0 else { return Question(route, params) }
    return visit.answers.cursors[name(route, count - 1)].map { cursor in
      Question(
        route, params.setting("cursor", to: .string(cursor)), as: name(route, count))
    }
  }

  /// The names of its parts, as they were answered.
  static func parts(_ route: String, _ visit: Visit) -> [String] {
    (0..<count(route, visit)).map { name(route, $0) }
  }

  /// All that came of it.
  static func elements(_ route: String, _ visit: Visit) -> [JSONValue] {
    parts(route, visit).flatMap { visit.answers.list($0) }
  }

  /// Whether there is more than was asked for.
  static func isCut(_ route: String, _ visit: Visit) -> Bool {
    parts(route, visit).last.map { visit.answers.cursors[$0] != nil } ?? false
  }

  /// That there is more, for whoever reads.
  static func words(_ visit: Visit) -> String {
    visit.gettext("There are more in this time: choose a shorter one.")
  }
}

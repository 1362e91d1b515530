import JSON
import Moments
import Texts

/// A stretch of time that a page of health is about.
enum Period {
  static let days: [Int64] = [7, 30, 90, 365]
  private static let usual: Int64 = 30

  /// For how many days back.
  static func chosen(_ visit: Visit) -> Int64 {
    visit.fields["days"].flatMap { Int64($0) }.flatMap { days.contains($0) ? $0 : nil } ?? usual
  }

  /// The beginning of the first of them.
  static func begin(_ visit: Visit) -> Timestamp {
    visit.midnight(of: visit.chosenResident, daysAgo: chosen(visit) - 1)
  }

  /// So many at most of a list in one answer.
  private static let most: Int64 = 1000

  /// Asks a list of the resident for the period, as many as one answer holds, with what is needed to write levels.
  static func questions(
    _ route: String, _ more: KeyValuePairs<String, JSONValue?> = [:]
  ) -> @Sendable (Visit) -> [Question] {
    let more = more.compactMap { name, value in value.map { JSONMember(key: name, value: $0) } }
    return { visit in
      guard !visit.answers.has(route), let resident = visit.chosenResident else { return [] }
      let period: [JSONMember] = [
        JSONMember(key: "resident", value: resident["id"] ?? .null),
        JSONMember(key: "since", value: .string(begin(visit).iso8601)),
        JSONMember(key: "limit", value: .integer(most)),
      ]
      return [
        Question(route, .object(period + more)), ReadingWords.question(about: resident),
      ]
    }
  }

  /// Which periods there are.
  static func links(_ path: String, _ visit: Visit) -> HTML {
    let here = chosen(visit)
    let links = days.map { days in
      Part.choiceLink(
        visit.ngettext("{n} day", "{n} days", Int(days), ["n": days]),
        to: Visit.address(
          path, ["resident": visit.chosenResident?["id"]?.stringContent, "days": "\(days)"]),
        isHere: days == here)
    }
    return "<nav class=\"people\" aria-label=\"\(visit.gettext("How far back"))\">\(links)</nav>"
  }
}

/// By which column a table is sorted, and which way.
struct TableOrder {
  let key: String
  let isAscending: Bool
  private let visit: Visit

  init(_ visit: Visit, keys: [String]) {
    self.visit = visit
    key = visit.fields["sort"].flatMap { keys.contains($0) ? $0 : nil } ?? keys[0]
    isAscending = visit.fields["order"] == "up"
  }

  /// A table whose heads sort it; the same once more turns it round.
  func table(
    _ heads: [(key: String, words: String)], _ rows: [HTML], _ path: String, caption: String
  ) -> HTML {
    let cells = heads.map { head -> HTML in
      let isHere = head.key == key
      let address = Visit.address(
        path,
        [
          "resident": visit.chosenResident?["id"]?.stringContent,
          "days": visit.fields["days"], "tag": visit.fields["tag"], "sort": head.key,
          "order": isHere && !isAscending ? "up" : "down",
        ])
      let sorted = isHere ? (isAscending ? "ascending" : "descending") : "none"
      let mark = isHere ? (isAscending ? " ↑" : " ↓") : ""
      return
        "<th scope=\"col\" aria-sort=\"\(sorted)\"><a href=\"\(address)\">\(head.words)\(mark)</a></th>"
    }
    return """
      <div class="scrolls" tabindex="0" role="region" aria-label="\(caption)"><table><thead><tr>\(cells)</tr></thead><tbody>\(rows)</tbody></table></div>
      """
  }
}

/// Shows those with one tag alone.
enum TagFilter {
  static func links(
    _ tags: [(word: String, name: String)], _ path: String, _ visit: Visit
  ) -> HTML {
    guard !tags.isEmpty else { return .nothing }
    let here = visit.fields["tag"] ?? ""
    let all = [(word: "", name: visit.gettext("All tags"))] + tags
    let links = all.map { tag in
      Part.choiceLink(
        tag.name,
        to: Visit.address(
          path,
          [
            "resident": visit.chosenResident?["id"]?.stringContent, "days": visit.fields["days"],
            "tag": tag.word.isEmpty ? nil : tag.word,
          ]), isHere: tag.word == here)
    }
    return "<nav class=\"people\" aria-label=\"\(visit.gettext("Which tag"))\">\(links)</nav>"
  }
}

/// The way between the pages of health.
enum HealthLinks {
  static func others(than path: String, _ visit: Visit) -> HTML {
    let pages = [
      ("/health", visit.gettext("Health")), ("/glucose", visit.gettext("Glucose")),
      ("/diary", visit.gettext("Diary")), ("/trend", visit.gettext("Trend")),
    ]
    let links = pages.map { address, words in
      Part.choiceLink(
        words,
        to: Visit.address(address, ["resident": visit.chosenResident?["id"]?.stringContent]),
        isHere: address == path)
    }
    return
      "<nav class=\"people\" aria-label=\"\(visit.gettext("Pages about health"))\">\(links)</nav>"
  }
}

public import Texts

/// Finds the word that somebody probably meant.
public enum NearestWord {
  /// The known word with the fewest edits from `written`, when they are few enough to be a slip.
  ///
  /// Upper and lower case count as equal; swapping two neighbours counts as one edit.
  public static func find(_ written: String, among known: [String]) -> String? {
    let limit = max(1, written.count / 3)
    let scored = known.map { (word: $0, edits: edits(from: written, to: $0)) }
    return scored.filter { $0.edits <= limit }.min { $0.edits < $1.edits }?.word
  }

  /// A hint for an error message: ` Did you mean "port"?`, or the list of known words, or nothing.
  public static func hint(_ written: String, among known: [String]) -> Message {
    if let word = find(written, among: known) {
      return Message(" Did you mean \"{word}\"?", ["word": word])
    }
    return known.isEmpty
      ? Message(verbatim: "")
      : Message(" Known are: {words}.", ["words": known.joined(separator: ", ")])
  }

  /// Optimal string alignment distance; words over 100 characters count as far away.
  private static func edits(from written: String, to known: String) -> Int {
    let source = Array(written.lowercased())
    let target = Array(known.lowercased())
    guard source.count <= 100, target.count <= 100 else { return .max }
    var rows = [Array(0...target.count)]
    for row in 0..<source.count {
      var next = [row + 1]
      for column in 0..<target.count {
        let change = source[row] == target[column] ? 0 : 1
        var best = min(
          rows[row][column + 1] + 1, next[column] + 1, rows[row][column] + change)
        if row > 0, column > 0, source[row] == target[column - 1],
          source[row - 1] == target[column]
        {
          best = min(best, rows[row - 1][column - 1] + 1)
        }
        next.append(best)
      }
      rows.append(next)
    }
    return rows[source.count][target.count]
  }
}

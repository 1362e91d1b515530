/// How many letters two words differ by: one more, one less, another one, or two that changed places.
///
/// - Source: the restricted edit distance, also "optimal string alignment".
func editDistance(_ one: [Character], _ other: [Character], atMost limit: Int) -> Int? {
  guard abs(one.count - other.count) <= limit else { return nil }
  var beforeLast: [Int] = []
  var last = Array(0...other.count)
  for (row, letter) in one.enumerated() {
    var current = [row + 1] + [Int](repeating: 0, count: other.count)
    for (column, otherLetter) in other.enumerated() {
      let isSame = letter == otherLetter
      var least = min(last[column + 1] + 1, current[column] + 1, last[column] + (isSame ? 0 : 1))
      if row > 0, column > 0, letter == other[column - 1], one[row - 1] == otherLetter {
        least = min(least, beforeLast[column - 1] + 1)
      }
      current[column + 1] = least
    }
    (beforeLast, last) = (last, current)
  }
  return last[other.count] <= limit ? last[other.count] : nil
}

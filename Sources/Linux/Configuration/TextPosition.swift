/// Where something stands in a text.
public struct TextPosition: Hashable, Comparable, Sendable {
  /// Counted from 1.
  public var line: Int
  /// Characters from the start of the line, counted from 1.
  public var column: Int

  /// A position from its line and column, both counted from 1.
  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  /// Order of reading.
  public static func < (left: Self, right: Self) -> Bool {
    (left.line, left.column) < (right.line, right.column)
  }
}

import CSQLite
import Care

/// Binds the values of a row one after the other, and their checksum behind the last.
struct SummedInsertion {
  private let statement: Statement
  private var checksum: RowChecksum
  /// The place of the next value, from 1.
  private var place: Int32 = 1
  /// The first fault of binding, or `SQLITE_OK`.
  private(set) var fault = SQLITE_OK

  /// An insertion by a statement with a place for each value and one for the checksum, which begins with the table's.
  init(_ statement: Statement, _ checksum: RowChecksum) {
    self.statement = statement
    self.checksum = checksum
  }

  mutating func add(_ text: String) {
    var text = text
    text.withUTF8 { add(UnsafeRawBufferPointer($0)) }
  }

  /// Adds a text by its UTF-8.
  mutating func add(_ text: [UInt8]) {
    text.withUnsafeBytes { add($0) }
  }

  mutating func add(_ number: Int64) {
    checksum.add(number)
    note(statement.bind(.integer(number), at: place))
  }

  /// Binds the checksum.
  mutating func finish() { note(statement.bind(.integer(Int64(checksum.sum)), at: place)) }

  private mutating func add(_ text: UnsafeRawBufferPointer) {
    checksum.add(SQLITE_TEXT, text)
    note(statement.bind(text: text, at: place))
  }

  private mutating func note(_ answer: Int32) {
    if fault == SQLITE_OK { fault = answer }
    place += 1
  }
}

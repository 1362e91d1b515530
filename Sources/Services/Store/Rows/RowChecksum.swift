import CGatewayShims
import CSQLite

/// The checksum of a row: CRC-32C over the name of its table and all of its values, since SQLite keeps none.
///
/// The key is among the values, so that a row does not pass in the place of another. Each value goes in as
///
///     1 byte   what it is: 1 integer, 2 real, 3 text, 4 bytes, 5 NULL
///     8 bytes  the number, or how many bytes follow; the lowest byte first
///     bytes    the text in UTF-8, or the bytes
///
/// Within SQL it is the function `homeward_checksum(table, value, …)`, which no trigger and no view may call.
///
/// - Source: RFC 3720, appendix B.4, for CRC-32C and its vectors.
struct RowChecksum {
  private var state: UInt32 = ~0

  /// The sum of nothing.
  init() {}

  /// The sum of a row without values, in the table of that name.
  init(table: String) {
    var table = table
    table.withUTF8 { add(SQLITE_TEXT, UnsafeRawBufferPointer($0)) }
  }

  /// The sum so far.
  var sum: UInt32 { ~state }

  mutating func add(_ bytes: UnsafeRawBufferPointer) {
    state = homeward_crc32c(state, bytes.baseAddress, bytes.count)
  }

  /// What a value is, and its number.
  private mutating func add(_ kind: Int32, _ number: UInt64) {
    state = homeward_crc32c_of_value(state, UInt8(truncatingIfNeeded: kind), number, nil, 0)
  }

  mutating func add(_ number: Int64) {
    add(SQLITE_INTEGER, UInt64(bitPattern: number))
  }

  /// What is written as -0.0 comes back as 0.0.
  private mutating func add(_ number: Double) { add(SQLITE_FLOAT, (number + 0).bitPattern) }

  /// A value that is bytes, by its kind.
  mutating func add(_ kind: Int32, _ bytes: UnsafeRawBufferPointer) {
    state = homeward_crc32c_of_value(
      state, UInt8(truncatingIfNeeded: kind), UInt64(bytes.count), bytes.baseAddress, bytes.count)
  }

  /// Adds a value and answers its bytes, as long as it stands; none for a number.
  @discardableResult
  private mutating func add(_ value: OpaquePointer?) -> UnsafeRawBufferPointer {
    let kind = sqlite3_value_type(value)
    switch kind {
    case SQLITE_INTEGER: add(sqlite3_value_int64(value))
    case SQLITE_FLOAT: add(sqlite3_value_double(value))
    case SQLITE_TEXT, SQLITE_BLOB:
      let start =
        kind == SQLITE_TEXT
        ? UnsafeRawPointer(sqlite3_value_text(value)) : sqlite3_value_blob(value)
      let count = start == nil ? 0 : Int(sqlite3_value_bytes(value))
      let bytes = UnsafeRawBufferPointer(start: start, count: count)
      add(kind, bytes)
      return bytes
    default: add(kind, 0)
    }
    return UnsafeRawBufferPointer(start: nil, count: 0)
  }

  /// Adds a value of the current row and answers its bytes, until the next step; none for a number.
  ///
  /// A connection is one thread's, so that the value is nobody else's meanwhile.
  @discardableResult
  mutating func add(_ row: Row, _ column: Int32) -> UnsafeRawBufferPointer {
    add(sqlite3_column_value(row.handle, column))
  }

  /// Gives a connection the function.
  static func register(on handle: OpaquePointer) -> Int32 {
    sqlite3_create_function_v2(
      handle, "homeward_checksum", -1, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY, nil,
      { @Sendable context, count, values in
        var checksum = RowChecksum()
        for index in 0..<Int(count) { checksum.add(values?[index]) }
        sqlite3_result_int64(context, Int64(checksum.sum))
      }, nil, nil, nil)
  }
}

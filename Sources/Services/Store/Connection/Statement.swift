import CSQLite
import Care

/// One value for a placeholder of a statement.
typealias Binding = ColumnValue

/// A prepared statement of one connection, used on that connection's thread.
final class Statement {
  let handle: OpaquePointer

  init(_ handle: OpaquePointer) { self.handle = handle }

  deinit { sqlite3_finalize(handle) }

  func bind(_ bindings: [Binding]) -> Int32 {
    for (offset, binding) in bindings.enumerated() {
      let answer = bind(binding, at: Int32(offset + 1))
      guard answer == SQLITE_OK else { return answer }
    }
    return SQLITE_OK
  }

  /// Ready for the next use; lets go of what was bound.
  func reset() {
    sqlite3_reset(handle)
    sqlite3_clear_bindings(handle)
  }

  func bind(_ binding: Binding, at index: Int32) -> Int32 {
    switch binding {
    case .null: return sqlite3_bind_null(handle, index)
    case .integer(let number): return sqlite3_bind_int64(handle, index, number)
    case .real(let number): return sqlite3_bind_double(handle, index, number)
    case .text(var text): return text.withUTF8 { bind(text: UnsafeRawBufferPointer($0), at: index) }
    case .textBytes(let bytes): return bytes.withUnsafeBytes { bind(text: $0, at: index) }
    case .bytes(let bytes):
      return sqlite3_bind_blob64(
        handle, index, bytes, UInt64(bytes.count), homeward_sqlite_transient())
    }
  }

  /// Binds a text by its UTF-8.
  func bind(text: UnsafeRawBufferPointer, at index: Int32) -> Int32 {
    guard let base = text.baseAddress?.assumingMemoryBound(to: CChar.self) else {
      return sqlite3_bind_text(handle, index, "", 0, homeward_sqlite_transient())
    }
    return sqlite3_bind_text64(
      handle, index, base, UInt64(text.count), homeward_sqlite_transient(), UInt8(SQLITE_UTF8))
  }
}

/// The current row of a statement; columns count from 0 and missing ones read as NULL.
struct Row: ColumnReader {
  let handle: OpaquePointer

  private func place(_ column: Int) -> Int32 { Int32(truncatingIfNeeded: column) }

  private func kind(_ column: Int) -> Int32 { sqlite3_column_type(handle, place(column)) }

  func isNull(_ column: Int) -> Bool { kind(column) == SQLITE_NULL }

  func integer(_ column: Int) -> Int64 { sqlite3_column_int64(handle, place(column)) }

  /// A whole number; nil for anything else.
  func wholeNumber(_ column: Int) -> Int64? {
    kind(column) == SQLITE_INTEGER ? integer(column) : nil
  }

  func real(_ column: Int) -> Double { sqlite3_column_double(handle, place(column)) }

  func bytes(_ column: Int) -> [UInt8] {
    guard let start = sqlite3_column_blob(handle, place(column)) else { return [] }
    return Array(UnsafeRawBufferPointer(start: start, count: byteCount(column)))
  }

  func byteCount(_ column: Int) -> Int { Int(sqlite3_column_bytes(handle, place(column))) }

  func text(_ column: Int) -> String {
    guard let start = sqlite3_column_text(handle, place(column)) else { return "" }
    return String(
      decoding: UnsafeBufferPointer(start: start, count: byteCount(column)), as: UTF8.self)
  }

  /// The value as it is, to be written elsewhere.
  func binding(_ column: Int) -> Binding {
    switch kind(column) {
    case SQLITE_INTEGER: .integer(integer(column))
    case SQLITE_FLOAT: .real(real(column))
    case SQLITE_TEXT: .textBytes(bytes(column))
    case SQLITE_BLOB: .bytes(bytes(column))
    default: .null
    }
  }
}

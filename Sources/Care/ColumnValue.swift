public import JSON
public import Moments

/// One value of a row.
public enum ColumnValue: Hashable, Sendable {
  /// Nothing.
  case null
  /// A whole number.
  case integer(Int64)
  /// A number with a fraction.
  case real(Double)
  /// A text.
  case text(String)
  /// UTF-8 that goes in and comes out byte for byte.
  case textBytes([UInt8])
  /// Bytes that are no text: what damage makes of a value, never what we write.
  case bytes([UInt8])

  /// A text, or nothing.
  public static func optional(_ text: String?) -> ColumnValue { text.map { .text($0) } ?? .null }

  /// A number, or nothing.
  public static func optional(_ number: Double?) -> ColumnValue {
    number.map { .real($0) } ?? .null
  }

  /// A time in milliseconds since 1970-01-01T00:00:00Z, or nothing.
  public static func optional(_ time: Timestamp?) -> ColumnValue {
    time.map { .integer($0.milliseconds) } ?? .null
  }

  /// A time in milliseconds since 1970-01-01T00:00:00Z.
  public static func time(_ time: Timestamp) -> ColumnValue { .integer(time.milliseconds) }

  /// 1 for true, 0 for false.
  public static func bool(_ truth: Bool) -> ColumnValue { .integer(truth ? 1 : 0) }

  /// A value of JSON as its text.
  public static func json(_ json: JSONValue) -> ColumnValue { .textBytes(json.serializedBytes) }
}

/// Reads the values of a row by the number of their column, from 0 in the order in which a ``Table`` has them.
///
/// A value of another kind is converted as SQLite does it; a missing one reads as nothing, 0 or the empty text.
public protocol ColumnReader {
  /// Whether there is no value.
  func isNull(_ column: Int) -> Bool
  /// A whole number.
  func integer(_ column: Int) -> Int64
  /// A number with a fraction.
  func real(_ column: Int) -> Double
  /// A text.
  func text(_ column: Int) -> String
  /// A text by its UTF-8, or bytes.
  func bytes(_ column: Int) -> [UInt8]
}

extension ColumnReader {
  /// A text; nil for no value.
  public func optionalText(_ column: Int) -> String? { isNull(column) ? nil : text(column) }

  /// A number; nil for no value.
  public func optionalReal(_ column: Int) -> Double? { isNull(column) ? nil : real(column) }

  /// A truth value: anything but 0 is true.
  public func bool(_ column: Int) -> Bool { integer(column) != 0 }

  /// A time from milliseconds since 1970-01-01T00:00:00Z.
  public func time(_ column: Int) -> Timestamp { Timestamp(milliseconds: integer(column)) }

  /// A time; nil for no value.
  public func optionalTime(_ column: Int) -> Timestamp? { isNull(column) ? nil : time(column) }

  /// A value of JSON from its text; nil for anything else.
  public func json(_ column: Int) -> JSONValue? { try? JSONValue(parsing: bytes(column)) }

  /// A position from latitude and, in the next column, longitude; nil where there is none such.
  public func coordinate(_ column: Int) -> Coordinate? {
    Coordinate(latitudeDegrees: real(column), longitudeDegrees: real(column + 1))
  }
}

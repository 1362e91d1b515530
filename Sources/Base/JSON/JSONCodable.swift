public import Bytes

/// A value with one JSON form, used for commands, recorded inputs and listings.
public protocol JSONCodable: Sendable {
  /// Reads the JSON form.
  ///
  /// - Throws: ``DecodeError`` naming the member that does not fit.
  init(json: JSONValue) throws(DecodeError)
  /// The JSON form.
  var json: JSONValue { get }
}

public import Bytes
public import JSON

/// The id of a request, which its answer repeats.
public enum RPCID: Hashable, Sendable {
  /// A whole number.
  case number(Int64)
  /// A text.
  case text(String)

  /// The id as JSON.
  public var json: JSONValue {
    switch self {
    case .number(let number): .integer(number)
    case .text(let text): .string(text)
    }
  }
}

/// An error answer.
///
/// - Source: JSON-RPC 2.0, section 5.1; `plugins/protocol.md`, "Errors".
public struct RPCError: Error, Hashable, Sendable {
  /// The number.
  public var code: Int64
  /// One plain sentence.
  public var message: String

  /// An error from its parts.
  public init(code: Int64, message: String) {
    self.code = code
    self.message = message
  }

  /// The line was no JSON.
  public static let parseErrorCode: Int64 = -32_700
  /// The line was no JSON-RPC.
  public static let invalidRequestCode: Int64 = -32_600
  /// There is no such method.
  public static let methodNotFoundCode: Int64 = -32_601
  /// The parameters do not fit.
  public static let invalidParametersCode: Int64 = -32_602
  /// Understood and not done; the message says why.
  public static let refusedCode: Int64 = 1001
  /// The plugin lacks the grant.
  public static let notGrantedCode: Int64 = 1002
  /// No plugin offers the service.
  public static let noServiceCode: Int64 = 1003
  /// Too much at once; try again later.
  public static let busyCode: Int64 = 1004

  /// The answer to a method that is not known.
  public static func methodNotFound(_ method: String) -> RPCError {
    RPCError(
      code: methodNotFoundCode,
      message: "there is no method \"\(method.asPluginReason(limit: 100))\"")
  }

  /// The answer to parameters that do not fit.
  public static func invalidParameters(_ fault: DecodeError) -> RPCError {
    RPCError(code: invalidParametersCode, message: "the parameters do not fit: \(fault)")
  }

  /// Reads `{"code": …, "message": …}`.
  public init(json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    self.init(code: try reader.integer("code"), message: try reader.string("message"))
  }

  /// The error as JSON.
  public var json: JSONValue { ["code": .integer(code), "message": .string(message)] }
}

/// One line of JSON-RPC 2.0 with its parameters or result unread.
///
/// Only the outer object is read at first, so that a batch of events can be handed on as the bytes that arrived.
public struct RPCMessage: Hashable, Sendable {
  /// What the line is.
  public enum Kind: Hashable, Sendable {
    /// A request; the payload is its parameters.
    case request(id: RPCID, method: String)
    /// A notification; the payload is its parameters.
    case notification(method: String)
    /// The answer to a request; the payload is the result.
    case result(id: RPCID)
    /// The error answer to a request; without id when the far side could not read ours.
    case failure(id: RPCID?, RPCError)
  }

  /// What the line is.
  public let kind: Kind
  /// The whole line.
  public let line: [UInt8]
  /// Where the parameters or the result stand in the line; nil when there are none.
  public let payloadRange: Range<Int>?

  /// Reads the outer object of one line.
  ///
  /// - Throws: ``JSON/DecodeError`` when the line is no JSON-RPC 2.0 message. The payload is checked for balanced
  ///   brackets and ended strings only.
  public init(line: [UInt8]) throws(DecodeError) {
    let envelope = try Envelope(line)
    self.line = line
    kind = try envelope.kind()
    payloadRange =
      switch kind {
      case .request, .notification: envelope.ranges["params"]
      case .result: envelope.ranges["result"]
      case .failure: nil
      }
  }

  /// The parameters or the result; an empty object when there are none.
  ///
  /// - Throws: ``JSON/DecodeError`` with the offset in the line.
  public func payload() throws(DecodeError) -> JSONValue {
    guard let payloadRange else { return .object([]) }
    return try Envelope.value(of: line, in: payloadRange)
  }
}

/// The members of a message's outer object.
private struct Envelope {
  let line: [UInt8]
  var ranges: [String: Range<Int>] = [:]

  init(_ line: [UInt8]) throws(DecodeError) {
    self.line = line
    var end = 0
    for (key, range) in try JSONSlices.members(of: line) {
      guard ranges.updateValue(range, forKey: key) == nil else {
        throw DecodeError(.duplicateKey, at: range.lowerBound, field: key)
      }
      end = range.upperBound
    }
    try Self.expectClosingBrace(of: line, after: end)
    guard let version = ranges["jsonrpc"], line[version].elementsEqual("\"2.0\"".utf8) else {
      throw DecodeError(.missingField, at: 0, field: "jsonrpc")
    }
  }

  private static func expectClosingBrace(of line: [UInt8], after end: Int) throws(DecodeError) {
    var braces = 0
    for index in end..<line.count {
      switch line[index] {
      case 0x20, 0x09, 0x0D: continue
      case UInt8(ascii: "}") where braces == 0: braces = 1
      case UInt8(ascii: "{") where end == 0: continue
      default: throw DecodeError(.unexpectedByte, at: index)
      }
    }
  }

  static func value(of line: [UInt8], in range: Range<Int>) throws(DecodeError) -> JSONValue {
    do {
      return try JSONValue(
        parsing: line[range], limits: .init(maximumBytes: PluginLimits.lineFromHostBytes))
    } catch {
      throw DecodeError(error.code, at: error.offset + range.lowerBound, field: error.field)
    }
  }

  func kind() throws(DecodeError) -> RPCMessage.Kind {
    let id = try id()
    if let method = try method() {
      guard ranges["result"] == nil, ranges["error"] == nil else {
        throw DecodeError(.unknownWord, at: 0, field: "result")
      }
      if let id { return .request(id: id, method: method) }
      return .notification(method: method)
    }
    if let fault = try fault() { return .failure(id: id, fault) }
    guard ranges["result"] != nil else { throw DecodeError(.missingField, at: 0, field: "method") }
    guard let id else { throw DecodeError(.missingField, at: 0, field: "id") }
    return .result(id: id)
  }

  private func member(_ name: String) throws(DecodeError) -> JSONValue? {
    guard let range = ranges[name] else { return nil }
    return try Self.value(of: line, in: range)
  }

  private func id() throws(DecodeError) -> RPCID? {
    switch try member("id") {
    case nil, .null: return nil
    case .integer(let number): return .number(number)
    case .string(let text) where text.utf8.count <= 200: return .text(text)
    default: throw DecodeError(.wrongType, at: ranges["id"]?.lowerBound ?? 0, field: "id")
    }
  }

  private func method() throws(DecodeError) -> String? {
    guard let value = try member("method") else { return nil }
    guard let method = value.stringContent, !method.isEmpty, method.utf8.count <= 200 else {
      throw DecodeError(.wrongType, at: ranges["method"]?.lowerBound ?? 0, field: "method")
    }
    return method
  }

  private func fault() throws(DecodeError) -> RPCError? {
    guard let value = try member("error") else { return nil }
    guard ranges["result"] == nil else { throw DecodeError(.unknownWord, at: 0, field: "result") }
    let reader = try JSONReader(value, path: "error")
    return RPCError(code: try reader.integer("code"), message: try reader.string("message"))
  }
}

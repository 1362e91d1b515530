import Bytes
import JSON
import PluginProtocol
import Testing

/// What a line is, and where it is none, is told by its outer object alone.
@Suite("Messages of JSON-RPC") struct MessageTests {
  private func message(_ text: String) throws -> RPCMessage {
    try RPCMessage(line: Array(text.utf8))
  }

  /// A message with these members besides the version.
  private func message(with members: String) throws -> RPCMessage {
    try message(#"{"jsonrpc":"2.0",\#(members)}"#)
  }

  private static let long = String(repeating: "a", count: 201)
  /// Before the first member of ``message(with:)``.
  private static let start = 17

  @Test(
    "A fault is named with its member and its place in the line",
    arguments: [
      (#""id":true,"method":"m""#, .wrongType, "id", start + 5),
      (#""id":1.0,"method":"m""#, .wrongType, "id", start + 5),
      (#""id":[1],"method":"m""#, .wrongType, "id", start + 5),
      (#""id":"\#(long)","method":"m""#, .wrongType, "id", start + 5),
      (#""method":"\#(long)""#, .wrongType, "method", start + 9),
      (#""method":null"#, .wrongType, "method", start + 9),
      (#""method":"m","method":"m""#, .duplicateKey, "method", start + 22),
      (#""method":"m","m\u0065thod":"n""#, .duplicateKey, "method", start + 27),
      (#""id":1,"method":"m","error":{"code":1,"message":""}"#, .unknownWord, "result", 0),
      (#""id":1,"result":1,"error":{"code":1,"message":""}"#, .unknownWord, "result", 0),
      (#""id":1"#, .missingField, "method", 0), (#""params":{}"#, .missingField, "method", 0),
      (#""result":1"#, .missingField, "id", 0), (#""id":null,"result":1"#, .missingField, "id", 0),
      (#""id":1,"error":"no""#, .wrongType, "error", 0),
      (#""id":1,"error":{"code":1}"#, .missingField, "error.message", 0),
      (#""id":1,"error":{"code":1.5,"message":""}"#, .wrongType, "error.code", 0),
    ] as [(String, DecodeError.Code, String, Int)])
  func refused(members: String, code: DecodeError.Code, field: String, offset: Int) {
    #expect(throws: DecodeError(code, at: offset, field: field)) { try message(with: members) }
  }

  @Test(
    "The version has to be there, as the standard writes it",
    arguments: [
      #"{"method":"m"}"#, #"{"jsonrpc":2.0,"method":"m"}"#, #"{"jsonrpc":"2","method":"m"}"#,
      #"{"jsonrpc":"2.0 ","method":"m"}"#, #"{"jsonRPC":"2.0","method":"m"}"#,
    ])
  func version(text: String) {
    #expect(throws: DecodeError(.missingField, at: 0, field: "jsonrpc")) { try message(text) }
  }

  @Test(
    "White space around a message does not matter, anything else behind it does",
    arguments: [
      (" {\"jsonrpc\" : \"2.0\" , \"method\" : \"m\" } ", true),
      ("\t{\"jsonrpc\":\"2.0\",\"method\":\"m\"\t}\r", true),
      ("{\"jsonrpc\":\"2.0\",\"method\":\"m\"}}", false),
      ("{\"jsonrpc\":\"2.0\",\"method\":\"m\"},", false),
      ("{\"jsonrpc\":\"2.0\",\"method\":\"m\"}\u{0}", false),
      ("[{\"jsonrpc\":\"2.0\",\"method\":\"m\"}]", false),
    ])
  func around(text: String, isMessage: Bool) {
    #expect(((try? message(text)) != nil) == isMessage)
  }

  @Test(
    "An id comes back as it was given",
    arguments: [
      ("0", .number(0)), ("-1", .number(-1)), ("9223372036854775807", .number(.max)),
      ("-9223372036854775808", .number(.min)), (#""""#, .text("")), (#""7""#, .text("7")),
      (#""a\"b\\c""#, .text("a\"b\\c")), (#""陳""#, .text("陳")),
    ] as [(String, RPCID)])
  func ids(text: String, id: RPCID) throws {
    #expect(try message(with: #""id":\#(text),"method":"m""#).kind == .request(id: id, method: "m"))
    for line in [
      RPCLine.result(id: id, true), RPCLine.failure(id: id, RPCError(code: 1, message: "x")),
      RPCLine.request(id: id, method: "m", params: [:]),
    ] {
      let written = String(decoding: line, as: UTF8.self)
      #expect(written.contains(#""id":\#(text)"#), "\(written)")
    }
  }

  @Test("The longest id and method are taken")
  func longest() throws {
    let word = String(repeating: "a", count: 200)
    #expect(
      try message(with: #""id":"\#(word)","method":"\#(word)""#).kind
        == .request(id: .text(word), method: word))
  }

  @Test("Brackets and quotation marks within texts end nothing")
  func texts() throws {
    let params: JSONValue = ["a": "}]{[\"\\", "b}": [["c": "],\"id\":9"]]]
    let line = RPCLine.request(id: .number(1), method: "m", params: params)
    let read = try RPCMessage(line: Array(line.dropLast()))
    #expect(read.kind == .request(id: .number(1), method: "m"))
    #expect(try read.payload() == params)
  }

  // MARK: Payloads

  @Test("What carries nothing carries an empty object")
  func nothing() throws {
    #expect(try message(with: #""method":"m""#).payload() == .object([]))
    #expect(try message(with: #""method":"m""#).payloadRange == nil)
    let failure = try message(with: #""id":1,"error":{"code":1,"message":"x"}"#)
    #expect(try failure.payload() == .object([]))
  }

  @Test("An answer carries its result, whatever else stands beside it")
  func results() throws {
    #expect(try message(with: #""id":1,"params":2,"result":3"#).payload() == 3)
    let failure = try message(with: #""id":1,"params":2,"error":{"code":1,"message":"x"}"#)
    #expect(failure.payloadRange == nil)
  }

  @Test("A payload is read only when somebody asks, and its fault has its place in the line")
  func broken() throws {
    let read = try message(with: #""method":"m","params":{"a":tru}"#)
    #expect(read.kind == .notification(method: "m"))
    #expect(throws: DecodeError(.unexpectedByte, at: 47)) { try read.payload() }
    let twice = try message(with: #""method":"m","params":{"a":1,"a":2}"#)
    #expect(throws: DecodeError(.duplicateKey, at: 46, field: "a")) { try twice.payload() }
  }

  // MARK: Lines

  @Test("A line is one line, whatever stands in it")
  func lines() {
    let text: JSONValue = "a\nb\r\u{0}"
    for (line, expected) in [
      (
        RPCLine.request(id: .number(7), method: "m", params: ["x": text]),
        #"{"jsonrpc":"2.0","id":7,"method":"m","params":{"x":"a\nb\r\u0000"}}"#
      ),
      (
        RPCLine.notification(method: "m", params: [text]),
        #"{"jsonrpc":"2.0","method":"m","params":["a\nb\r\u0000"]}"#
      ),
      (
        RPCLine.result(id: .text("x\n"), .null), #"{"jsonrpc":"2.0","id":"x\n","result":null}"#
      ),
      (
        RPCLine.failure(id: nil, RPCError(code: -32_700, message: "no\nJSON")),
        #"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"no\nJSON"}}"#
      ),
    ] {
      #expect(String(decoding: line, as: UTF8.self) == expected + "\n")
    }
  }

  @Test("An error says what was wrong, on one line and in few words")
  func errors() throws {
    let unknown = RPCError.methodNotFound("a\nb" + Self.long)
    #expect(unknown.code == -32_601)
    #expect(
      unknown.message == "there is no method \"a b" + String(repeating: "a", count: 97) + "\"")
    let unfit = RPCError.invalidParameters(DecodeError(.missingField, at: 3, field: "zone"))
    #expect(unfit.code == -32_602)
    #expect(unfit.message == "the parameters do not fit: missing field \"zone\" at byte 3")
    for error in [unknown, unfit, RPCError(code: .min, message: "")] {
      #expect(try RPCError(json: JSONValue(parsing: error.json.serialized)) == error)
    }
  }

  @Test(
    "What people read has no control characters and a bounded length",
    arguments: [
      ("a\nb\u{7F}\u{85}\u{9F}c\u{A0}", 20, "a b   c\u{A0}"), ("陳陳陳", 2, "陳陳"),
      ("e\u{301}e", 2, "e\u{301}"), ("", 5, ""), ("\u{1B}[31m", 3, " [3"), ("abc", 0, ""),
    ])
  func reasons(text: String, limit: Int, expected: String) {
    #expect(text.asPluginReason(limit: limit) == expected)
  }
}

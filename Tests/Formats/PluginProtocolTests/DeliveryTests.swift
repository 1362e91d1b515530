import Bytes
import Care
import JSON
import PluginProtocol
import Testing

/// Events go to a plugin as the bytes that are stored, and come back with one outcome each.
@Suite("Batches of events") struct DeliveryTests {
  private func batch(_ params: String) throws -> ReceivedBatch {
    let line = #"{"jsonrpc":"2.0","id":1,"method":"events.deliver","params":\#(params)}"#
    return try ReceivedBatch(RPCMessage(line: Array(line.utf8)))
  }

  @Test("A batch is written as the protocol's page has it")
  func written() {
    let durable = DeliverBatch(
      lane: .alarm, isDurable: true, sequences: 4711...4712,
      bodies: ["{\"id\":\"a\"}", "{ }"].map { Array($0.utf8) })
    #expect(
      String(decoding: durable.line(id: .number(12)), as: UTF8.self)
        == #"{"jsonrpc":"2.0","id":12,"method":"events.deliver","params":{"lane":"alarm","#
        + #""durable":true,"first":4711,"last":4712,"events":[{"id":"a"},{ }]}}"# + "\n")
    let fleeting = DeliverBatch(lane: .trace, isDurable: false, sequences: nil, bodies: [])
    #expect(
      String(decoding: fleeting.line(id: .text("a\"b")), as: UTF8.self)
        == #"{"jsonrpc":"2.0","id":"a\"b","method":"events.deliver","params":{"lane":"trace","#
        + #""durable":false,"events":[]}}"# + "\n")
  }

  @Test("Bodies come out byte for byte, wherever they stand in the line")
  func bodies() throws {
    let read = try batch(
      "{ \"events\" : [ {\"a\":[1, {}]} ,\t7, \"]}\\\"\" ] , \"durable\":true,\"lane\":\"record\"}")
    #expect(read.lane == .record && read.isDurable && read.sequences == nil)
    #expect(
      (0..<read.count).map { String(decoding: read.body($0) ?? [], as: UTF8.self) }
        == ["{\"a\":[1, {}]}", "7", "\"]}\\\"\""])
  }

  @Test(
    "A batch that does not fit is refused by its member",
    arguments: [
      (#"{"lane":"alarm","durable":true}"#, .missingField, "events"),
      (#"{"lane":"alarms","durable":true,"events":[]}"#, .unknownWord, "params.lane"),
      (#"{"durable":true,"events":[]}"#, .missingField, "params.lane"),
      (#"{"lane":7,"durable":true,"events":[]}"#, .wrongType, "params.lane"),
      (#"{"lane":"alarm","events":[]}"#, .missingField, "params.durable"),
      (#"{"lane":"alarm","durable":"yes","events":[]}"#, .wrongType, "params.durable"),
      (
        #"{"lane":"alarm","durable":true,"first":2,"last":1,"events":[]}"#, .outOfRange,
        "params.last"
      ),
      (
        #"{"lane":"alarm","durable":true,"first":"1","last":1,"events":[]}"#, .wrongType,
        "params.first"
      ),
      (#"{"lane":"alarm","lane":"alarm","durable":true,"events":[]}"#, .duplicateKey, "lane"),
    ] as [(String, DecodeError.Code, String)])
  func refused(params: String, code: DecodeError.Code, field: String) throws {
    let error = try #require(throws: DecodeError.self) { try batch(params) }
    #expect(error.code == code && error.field == field, "\(error)")
  }

  @Test(
    "What holds no list of events is no batch",
    arguments: [
      #"[]"#, #"7"#, #"{"lane":"alarm","durable":true,"events":{}}"#,
      #"{"lane":"alarm","durable":true,"events":null}"#,
      #"{"lane":"alarm","durable":true,"events":[1,]}"#,
      #"{"lane":"alarm","durable":true,"events":[}"#,
    ])
  func shapes(params: String) {
    #expect(throws: DecodeError.self) { try batch(params) }
  }

  @Test("A request without parameters is no batch")
  func empty() throws {
    let message = try RPCMessage(
      line: Array(#"{"jsonrpc":"2.0","id":1,"method":"events.deliver"}"#.utf8))
    #expect(throws: DecodeError(.missingField, at: 0, field: "params")) {
      try ReceivedBatch(message)
    }
  }

  @Test("One number of the journal alone says nothing")
  func halfASequence() throws {
    for member in ["first", "last"] {
      let read = try batch(#"{"lane":"alarm","durable":true,"\#(member)":5,"events":[]}"#)
      #expect(read.sequences == nil)
    }
  }

  // MARK: Outcomes

  @Test("Any outcomes come back one for one, and in no more spans than they change")
  func random() throws {
    let kinds: [EventOutcome] = [
      .accepted, .refused(reason: "no"), .retry(afterSeconds: 1, reason: ""),
      .retry(afterSeconds: 86_400, reason: ""),
    ]
    var random = SplitMix64(seed: 11)
    for count in 0..<200 {
      let outcomes = (0..<count).map { _ in kinds[Int(random.next() % 4)] }
      let answer = BatchOutcomes(outcomes)
      let changes = zip(outcomes, outcomes.dropFirst()).filter { $0 != $1 }.count
      #expect(answer.spans.count == (count == 0 ? 0 : changes + 1))
      let read = try BatchOutcomes(json: JSONValue(parsing: answer.json.serialized), count: count)
      #expect(read == answer && read.expanded == outcomes)
      for other in [count - 1, count + 1] {
        #expect(throws: DecodeError.self) { try BatchOutcomes(json: answer.json, count: other) }
      }
    }
  }

  @Test("One outcome for all is one span, and for nothing none")
  func all() {
    #expect(
      BatchOutcomes.all(.accepted, count: 10_000).spans
        == [BatchOutcomes.Span(positions: 0...9999, outcome: .accepted)])
    #expect(BatchOutcomes.all(.accepted, count: 0).spans.isEmpty)
  }

  private static func span(_ members: JSONValue) -> JSONValue {
    ["outcomes": [members.setting("from", to: 0).setting("to", to: 0)]]
  }

  @Test(
    "What an outcome leaves out is the usual, and its reason is fit to be read",
    arguments: [
      (["outcome": "accepted", "reason": "x"], .accepted),
      (["outcome": "refused"], .refused(reason: "")),
      (["outcome": "refused", "reason": "a\nb"], .refused(reason: "a b")),
      (["outcome": "retry"], .retry(afterSeconds: 30, reason: "")),
      (["outcome": "retry", "afterSeconds": 86_400], .retry(afterSeconds: 86_400, reason: "")),
      (
        ["outcome": "refused", "reason": .string(String(repeating: "x", count: 501))],
        .refused(reason: String(repeating: "x", count: 500))
      ),
    ] as [(JSONValue, EventOutcome)])
  func usual(members: JSONValue, outcome: EventOutcome) throws {
    #expect(try BatchOutcomes(json: Self.span(members), count: 1).expanded == [outcome])
  }

  @Test(
    "A span that does not fit is named",
    arguments: [
      (["outcomes": [["from": 1, "to": 0]]], .outOfRange, "outcomes[0].from"),
      (["outcomes": [["from": 0, "to": -1]]], .outOfRange, "outcomes[0].to"),
      (["outcomes": [["from": 0, "to": 2]]], .outOfRange, "outcomes[0].to"),
      (["outcomes": [["to": 0]]], .missingField, "outcomes[0].from"),
      (["outcomes": [["from": 0, "to": 0.5]]], .wrongType, "outcomes[0].to"),
      (["outcomes": [7]], .wrongType, "outcomes[0]"),
      (["outcomes": [["from": 0, "to": 1]]], .missingField, "outcomes[0].outcome"),
      (span(["outcome": "lost"]), .unknownWord, "outcomes[0].outcome"),
      (span(["outcome": "retry", "afterSeconds": -5]), .outOfRange, "outcomes[0].afterSeconds"),
      (span(["outcome": "retry", "reason": 7]), .wrongType, "outcomes[0].reason"),
      (span(["outcome": "accepted"]), .outOfRange, "outcomes"),
      (["outcomes": .null], .missingField, "outcomes"),
      (
        [
          "outcomes": [
            ["from": 0, "to": 0, "outcome": "accepted"],
            ["from": 0, "to": 1, "outcome": "accepted"],
          ]
        ], .outOfRange, "outcomes[1].from"
      ),
    ] as [(JSONValue, DecodeError.Code, String)])
  func unfit(json: JSONValue, code: DecodeError.Code, field: String) {
    #expect(throws: DecodeError(code, at: 0, field: field)) {
      try BatchOutcomes(json: json, count: 2)
    }
  }
}

import Bytes
import Care
import JSON
import PluginProtocol
import Testing

@Suite struct RPCMessageTests {
  private func message(_ text: String) throws -> RPCMessage {
    try RPCMessage(line: Array(text.utf8))
  }

  @Test func theFourKindsOfMessageAreTold() throws {
    let request = try message(#"{"jsonrpc":"2.0","id":7,"method":"m","params":{"a":[1,2]}}"#)
    #expect(request.kind == .request(id: .number(7), method: "m"))
    #expect(try request.payload() == ["a": [1, 2]])
    #expect(try message(#" {"method":"n","jsonrpc":"2.0"} "#).kind == .notification(method: "n"))
    let result = try message(#"{"jsonrpc":"2.0","id":"x","result":null}"#)
    #expect(result.kind == .result(id: .text("x")))
    #expect(try result.payload() == .null)
    let failure = try message(
      #"{"jsonrpc":"2.0","id":null,"error":{"code":-32601,"message":"no"}}"#)
    #expect(failure.kind == .failure(id: nil, RPCError(code: -32_601, message: "no")))
  }

  @Test(arguments: [
    "", "{}", "[]", "null", "7", "{", #"{"jsonrpc":"1.0","method":"m"}"#,
    #"{"jsonrpc":"2.0"}"#, #"{"jsonrpc":"2.0","id":1}"#,
    #"{"jsonrpc":"2.0","id":1.5,"method":"m"}"#,
    #"{"jsonrpc":"2.0","method":7}"#, #"{"jsonrpc":"2.0","method":""}"#,
    #"{"jsonrpc":"2.0","method":"m"}x"#, #"{"jsonrpc":"2.0","method":"m"}{}"#,
    #"{"jsonrpc":"2.0","method":"m","method":"n"}"#,
    #"{"jsonrpc":"2.0","id":1,"result":1,"error":{}}"#,
    #"{"jsonrpc":"2.0","id":1,"error":{"code":"x","message":"y"}}"#,
    #"{"jsonrpc":"2.0","id":1,"method":"m","result":1}"#, #"{"jsonrpc":"2.0","result":1}"#,
  ])
  func whatIsNoMessageIsRefused(text: String) {
    #expect(throws: DecodeError.self) { try message(text) }
  }

  @Test func everyPrefixOfAMessageIsRefusedAndNoBitFlipStopsTheProgram() throws {
    let lines = [
      #"{"jsonrpc":"2.0","id":7,"method":"events.deliver","params":{"lane":"alarm","durable":true,"first":1,"last":2,"events":[{"id":"a\n"},{"id":"b"}]}}"#,
      #"{"jsonrpc":"2.0","id":3,"result":{"outcomes":[{"from":0,"to":1,"outcome":"retry","afterSeconds":3,"reason":"x"}]}}"#,
    ]
    for line in lines.map({ Array($0.utf8) }) {
      for end in 0..<line.count {
        #expect(throws: DecodeError.self) { try RPCMessage(line: Array(line[..<end])) }
      }
      var survivors = 0
      for index in line.indices {
        for bit in 0..<8 {
          var flipped = line
          flipped[index] ^= 1 << UInt8(bit)
          guard let message = try? RPCMessage(line: flipped) else { continue }
          survivors += 1
          _ = try? ReceivedBatch(message)
          _ = try? BatchOutcomes(json: message.payload(), count: 2)
        }
      }
      #expect(survivors > 0)
      #expect(survivors < line.count * 8)
    }
  }

  @Test func whatIsComposedReadsBack() throws {
    let line = RPCLine.request(id: .number(1), method: "m", params: ["text": "a\nb"])
    #expect(line.last == 0x0A)
    #expect(!line.dropLast().contains(0x0A))
    let message = try RPCMessage(line: Array(line.dropLast()))
    #expect(try message.payload() == ["text": "a\nb"])
    let failure = try RPCMessage(
      line: Array(RPCLine.failure(id: .text("x"), .methodNotFound("y")).dropLast()))
    #expect(failure.kind == .failure(id: .text("x"), .methodNotFound("y")))
  }
}

@Suite struct BatchTests {
  private let bodies = ["{\"id\":\"a\",\"data\":{\"x\":[1,{}]}}", "{ \"id\" : \"]}\\\"\" }"]
    .map { Array($0.utf8) }

  @Test func storedBytesTravelUnread() throws {
    let batch = DeliverBatch(lane: .record, isDurable: true, sequences: 4...5, bodies: bodies)
    let message = try RPCMessage(line: Array(batch.line(id: .number(12)).dropLast()))
    #expect(message.kind == .request(id: .number(12), method: PluginMethod.deliver))
    let received = try ReceivedBatch(message)
    #expect(received.lane == .record)
    #expect(received.isDurable)
    #expect(received.sequences == 4...5)
    #expect((0..<received.count).map { received.body($0).map(Array.init) } == bodies)
    #expect(received.body(2) == nil)
    #expect(received.body(-1) == nil)
  }

  @Test func alarmsThatAreNotDurableHaveNoSequences() throws {
    let batch = DeliverBatch(lane: .alarm, isDurable: false, sequences: nil, bodies: [])
    let received = try ReceivedBatch(
      RPCMessage(line: Array(batch.line(id: .text("t")).dropLast())))
    #expect(!received.isDurable)
    #expect(received.sequences == nil)
    #expect(received.count == 0)
  }

  @Test func neighboursWithTheSameOutcomeBecomeOneSpan() throws {
    let outcomes: [EventOutcome] = [
      .accepted, .accepted, .retry(afterSeconds: 5, reason: "x"), .refused(reason: "y"), .accepted,
    ]
    let answer = BatchOutcomes(outcomes)
    #expect(answer.spans.count == 4)
    let read = try BatchOutcomes(json: answer.json, count: 5)
    #expect(read == answer)
    #expect(read.expanded == outcomes)
    #expect(try BatchOutcomes(json: ["outcomes": []], count: 0).spans.isEmpty)
  }

  @Test(arguments: [
    "[]", "{}", #"{"outcomes":7}"#, #"{"outcomes":[]}"#,
    #"{"outcomes":[{"from":0,"to":1,"outcome":"accepted"}]}"#,
    #"{"outcomes":[{"from":0,"to":3,"outcome":"accepted"}]}"#,
    #"{"outcomes":[{"from":1,"to":2,"outcome":"accepted"}]}"#,
    #"{"outcomes":[{"from":0,"to":9223372036854775807,"outcome":"accepted"}]}"#,
    #"{"outcomes":[{"from":-1,"to":2,"outcome":"accepted"}]}"#,
    #"{"outcomes":[{"from":0,"to":2,"outcome":"yes"}]}"#,
    #"{"outcomes":[{"from":0,"to":2,"outcome":"retry","afterSeconds":0}]}"#,
    #"{"outcomes":[{"from":0,"to":2,"outcome":"retry","afterSeconds":86401}]}"#,
    #"{"outcomes":[{"from":0,"to":2,"outcome":"accepted"},{"from":2,"to":2,"outcome":"accepted"}]}"#,
  ])
  func outcomesThatDoNotCoverThreeEventsAreRefused(text: String) {
    #expect(throws: DecodeError.self) {
      try BatchOutcomes(json: JSONValue(parsing: text), count: 3)
    }
  }
}

import Care
import ControlSocket
import Door
import Glibc
import JSON
import Loop
import TestSupport
import Testing
import Texts

@Suite struct RequestTests {
  @Test func aRequestArrivesWithItsParametersAndTheUserBehindTheSocket() async throws {
    let fixture = try await ControlFixture()
    let client = try ControlClient(connectingTo: fixture.path)
    let answer = try client.call(.zonesList, params: ["resident": "妈妈 \"🏠\""])
    #expect(answer["method"] == "zones.list")
    #expect(answer["params"]?["resident"] == "妈妈 \"🏠\"")
    let user = getpwuid(getuid()).map { String(cString: $0.pointee.pw_name) } ?? ""
    #expect(answer["principal"]?.stringContent == "local:\(user)")
    await fixture.server.stop()
  }

  @Test func aRefusalTravelsWithItsKindAndSentence() async throws {
    let fixture = try await ControlFixture { _, answer in
      answer(
        .failure(ControlError(.init(.unknownTarget, Message(verbatim: "there is no zone \"x\".")))))
    }
    let client = try ControlClient(connectingTo: fixture.path)
    #expect(
      throws: ControlError(
        .refused, Message(verbatim: "there is no zone \"x\"."), refusal: .unknownTarget)
    ) { try client.call(.command) }
    await fixture.server.stop()
  }

  @Test func aRefusalIsSaidInTheLanguageOfWhoeverAsks() async throws {
    let refusal = CommandReply.Refusal(
      .conflict, Message("No alarm is open; there is nothing to do."))
    for (language, asked, sentence) in [
      (Language.en, nil, "No alarm is open; there is nothing to do."),
      (.zh, nil, "没有未结束的警报，无需处理。"), (.en, Language.zh, "没有未结束的警报，无需处理。"),
      (.zh, .en, "No alarm is open; there is nothing to do."),
    ] {
      let fixture = try await ControlFixture(language: language) { _, answer in
        answer(.failure(ControlError(refusal)))
      }
      let client = try ControlClient(connectingTo: fixture.path, language: asked)
      #expect(
        throws: ControlError(.refused, Message(verbatim: sentence), refusal: .conflict)
      ) { try client.call(.command) }
      await fixture.server.stop()
    }
  }

  @Test func answersMayComeLateAndInAnyOrder() async throws {
    let held = Held()
    let fixture = try await ControlFixture { request, answer in
      held.answers.append(answer)
      if held.answers.count == 3 {
        for (index, answer) in held.answers.enumerated().reversed() {
          answer(.success(.integer(Int64(index))))
        }
      }
    }
    let client = RawClient(fixture.path)
    for id in 10..<13 { client.write("{\"id\":\(id),\"method\":\"status\"}\n") }
    let lines = (0..<3).compactMap { _ in client.line() }
    #expect(
      lines == [
        #"{"jsonrpc":"2.0","id":12,"result":2}"#, #"{"jsonrpc":"2.0","id":11,"result":1}"#,
        #"{"jsonrpc":"2.0","id":10,"result":0}"#,
      ])
    await fixture.server.stop()
  }

  @LoopActor final class Held: Sendable {
    var answers: [ControlServer.Answer] = []
    nonisolated init() {}
  }

  @Test func aThousandRequestsInOneWriteAreAllAnsweredInOrder() async throws {
    let fixture = try await ControlFixture()
    let client = RawClient(fixture.path)
    client.write((0..<1000).map { "{\"id\":\($0),\"method\":\"health\"}\n" }.joined())
    for id in 0..<1000 {
      let answer = try JSONValue(parsing: client.line() ?? "")
      #expect(answer["id"] == .integer(Int64(id)))
    }
    await fixture.server.stop()
  }

  @Test(arguments: [
    ("hello", -32_700, "the line is no JSON: unexpected byte at byte 0."),
    ("{\"id\":1,\"method\":\"statu", -32_700, "the line is no JSON: truncated at byte "),
    ("[]", -32_600, "a request needs an \"id\" and a \"method\"."),
    ("{\"method\":\"status\"}", -32_600, "a request needs an \"id\" and a \"method\"."),
    ("{\"id\":1,\"method\":\"rm\"}", -32_601, "there is no method \"rm\"; known are status, "),
    ("{\"id\":1,\"method\":\"status\",\"params\":[]}", -32_602, "\"params\" must be an object."),
  ]) func aBadLineIsAnsweredAndTheNextOneServed(line: String, code: Int64, sentence: String)
    async throws
  {
    let fixture = try await ControlFixture()
    let client = RawClient(fixture.path)
    client.write("\(line)\n\n{\"id\":2,\"method\":\"status\"}\n")
    let refusal = try JSONValue(parsing: client.line() ?? "")
    #expect(refusal["error"]?["code"] == .integer(code))
    #expect(refusal["error"]?["message"]?.stringContent?.hasPrefix(sentence) == true, "\(refusal)")
    let answer = try JSONValue(parsing: client.line() ?? "")
    #expect(answer["result"]?["method"] == "status")
    await fixture.server.stop()
  }

  @Test func aLineOverTheLimitIsToldSoAndEndsTheConnection() async throws {
    let fixture = try await ControlFixture()
    let client = RawClient(fixture.path)
    client.write(String(repeating: "x", count: (1 << 20) + 70_000))
    #expect(client.line()?.contains("a line is longer than 1048576 bytes.") == true)
    #expect(client.line() == nil)
    await fixture.server.stop()
  }

  @Test func aLineWithinTheLimitIsServedHoweverItIsCut() async throws {
    let fixture = try await ControlFixture()
    let client = RawClient(fixture.path)
    let padding = String(repeating: "y", count: 900_000)
    let line = "{\"id\":1,\"method\":\"status\",\"params\":{\"p\":\"\(padding)\"}}"
    for character in line.prefix(40) { client.write(String(character)) }
    client.write(String(line.dropFirst(40)))
    client.write("\r\n")
    #expect(client.line()?.contains(padding) == true)
    await fixture.server.stop()
  }
}

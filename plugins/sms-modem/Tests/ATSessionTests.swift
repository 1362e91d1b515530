import Care
import Moments
import TestSupport
import Testing

@testable import homeward_plugin_sms_modem

@Suite struct ATSessionTests {
  private static let start = Tick.seconds(100)

  private func results(
    _ command: ATCommand, _ said: String, byByte: Bool = false
  ) -> [ATSession.Action] {
    var session = ATSession()
    _ = session.send(command, at: Self.start)
    guard byByte else { return session.receive(said.utf8, at: Self.start) }
    return said.utf8.flatMap { session.receive([$0], at: Self.start) }
  }

  @Test(arguments: [false, true])
  func anAnswerIsFoundAmongEchoAndWhatComesUnasked(byByte: Bool) {
    let said =
      "AT+CSQ\r\r\n+CMTI: \"SM\",3\r\n\r\n+CSQ: 21,99\r\n+CDS: 4\r\n06AB\r\nRING\r\n\nOK\r\n"
    #expect(
      results(ATCommand("AT+CSQ", prefix: "+CSQ:"), said, byByte: byByte) == [
        .unasked("+CMTI: \"SM\",3", frame: nil), .unasked("+CDS: 4", frame: "06AB"),
        .unasked("RING", frame: nil), .finished(.done(["+CSQ: 21,99"])),
      ])
  }

  @Test func aModemThatSaysOKToEverythingIsNotBelieved() {
    #expect(results(ATCommand("AT+CPIN?", prefix: "+CPIN:"), "OK\r\n") == [.finished(.senseless)])
    let message = ATCommand("AT+CMGS=5", prefix: "+CMGS:", payload: [0x30])
    #expect(results(message, "OK\r\n") == [.finished(.senseless)])
  }

  @Test func aFrameFollowsThePromptAndEndsWithTheReference() {
    let message = ATCommand("AT+CMGS=5", prefix: "+CMGS:", payload: [0x30, 0x31])
    #expect(
      results(message, "AT+CMGS=5\r\r\n> 01\u{1A}\r\n+CMGS: 7\r\n\r\nOK\r\n") == [
        .write([0x30, 0x31, 0x1A]), .finished(.done(["+CMGS: 7"])),
      ])
    #expect(
      results(message, "\r\n+CMS ERROR: 38\r\n") == [.finished(.refused("+CMS ERROR: 38"))])
  }

  @Test func silenceEndsACommandAndALateAnswerIsNotTakenForTheNext() {
    var session = ATSession()
    _ = session.send(ATCommand("AT", timeoutMilliseconds: 1000), at: Self.start)
    #expect(session.tick(at: Self.start.advanced(byMilliseconds: 999)).isEmpty)
    let over = Self.start.advanced(byMilliseconds: 1000)
    #expect(session.tick(at: over) == [.finished(.timedOut)])
    #expect(!session.isFree)
    #expect(session.receive("OK\r\n".utf8, at: over).isEmpty)
    _ = session.tick(at: over.advanced(byMilliseconds: ATSession.restMilliseconds))
    #expect(session.isFree)
  }

  @Test func tenMegabytesWithoutALineEndTakeNoMemoryAndHarmNothing() {
    var reader = ATLineReader()
    let chunk = [UInt8](repeating: 0xE2, count: 65_536)
    for _ in 0..<160 { #expect(reader.take(chunk).isEmpty) }
    #expect(reader.overlongLines == 1)
    #expect(reader.take("\r\nOK\r\n".utf8) == [.line("OK")])
  }

  @Test func garbageNeverStopsIt() {
    var (state, session) = (UInt64(42), ATSession())
    for step in 0..<2000 {
      let now = Self.start.advanced(byMilliseconds: Int64(step) * 700)
      _ = session.send(ATCommand("AT+CMGS=1", prefix: "+CMGS:", payload: [1]), at: now)
      let bytes = (0..<50).map { _ -> UInt8 in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return UInt8(truncatingIfNeeded: state >> 33)
      }
      _ = session.receive(bytes, at: now)
      _ = session.tick(at: now)
    }
    _ = session.tick(at: Self.start.advanced(byMilliseconds: 90_000_000))
    _ = session.tick(at: Self.start.advanced(byMilliseconds: 90_001_000))
    #expect(session.isFree)
  }
}

import Care
import Foundation
import JSON
import Moments
import PluginProtocol
import TestSupport
import Testing

@testable import homeward_plugin_email

@Suite struct EmailPluginTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
  private static let hasServer = FileManager.default.fileExists(
    atPath: "/usr/lib/python3/dist-packages/aiosmtpd")

  @Test(
    "the plugin stands the tests with an independent mail server",
    .enabled(if: PythonPeer.isInstalled && hasServer, "python3-aiosmtpd is not installed"))
  func pythonTestsPass() throws {
    let peer = try PythonPeer(Self.folder.appendingPathComponent("test_email.py").path)
    #expect(peer.exitCode == 0, "\(peer.report)")
    #expect(peer.count >= 21)
  }

  @Test func datesAreThoseOfFoundation() {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(identifier: "UTC")
    formatter.dateFormat = "EEE, d MMM yyyy HH:mm:ss '+0000'"
    for seconds in stride(from: Int64(0), to: 4_000_000_000, by: 86_400 * 61 + 3601) {
      let expected = formatter.string(from: Date(timeIntervalSince1970: Double(seconds)))
      #expect(HeaderText.date(.seconds(seconds)) == expected)
    }
  }

  @Test func everyLineOfAHeaderIsShortEnoughAndPlain() {
    let texts = [
      "", "plain", String(repeating: "x", count: 500), String(repeating: "陳", count: 300),
      String(repeating: "👵🏽", count: 99), "a\r\n\u{85}\u{2028}b",
    ]
    for text in texts {
      for line in HeaderText.encoded(text).split(separator: "\r\n") {
        #expect(line.utf8.count <= 76 && line.utf8.allSatisfy { (0x20...0x7E).contains($0) })
      }
    }
  }

  @Test func aMessageIsSentOnceAndOnlyWhatWasSentIsKept() throws {
    var ledger = SentLedger()
    func key(_ attempt: Int64) -> SentLedger.Key {
      SentLedger.Key(
        AlarmMessage(
          alarm: "a", tag: "A7K2", notice: .alarm, guardian: "anna", channel: .email,
          address: "a@b", attempt: attempt, text: "", spokenText: "", language: "en",
          asksForAcknowledgement: true))
    }
    let attempts = Array(1...Int64(SentLedger.maximum)) + [1, 1000, 1]
    let taken = attempts.map { attempt in ledger.take(key(attempt)) }
    #expect(taken == Array(repeating: true, count: SentLedger.maximum) + [false, true, true])
    for (attempt, outcome) in [(1000, DeliveryReport.Outcome.sent), (1, .failed)] {
      ledger.settle(
        key(Int64(attempt)),
        DeliveryNotice(event: "a", recipient: "anna", channel: "email", outcome: outcome))
    }
    var kept = SentLedger(json: ledger.json)
    #expect(kept.outcome(of: key(1000))?.outcome == .sent)
    #expect(!kept.take(key(1000)) && kept.take(key(1)))
    for damaged: JSONValue in [.null, ["x"], [["key": [5]]], [["key": ["a"], "notice": 5]]] {
      #expect(SentLedger(json: damaged) == SentLedger())
    }
  }
}

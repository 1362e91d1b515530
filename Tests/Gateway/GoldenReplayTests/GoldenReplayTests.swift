import Core
import Foundation
import JSON
import TestSupport
import Testing

/// What a gateway tells and does in a recorded time is, byte for byte, what it told and did when the digests were kept.
///
/// A change of words or of behaviour changes digests on purpose: `make golden` keeps the new ones, and the commit says
/// which events differ and why. `HOMEWARD_GOLDEN_STORY=DIR` writes every event and action, to be compared with those of
/// another commit.
@Suite("Golden replay") struct GoldenReplayTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
  private static let environment = ProcessInfo.processInfo.environment

  /// The recording as `record.py` writes it.
  private func recording(_ name: String) throws -> [UInt8] {
    let directory = try TemporaryDirectory()
    let child = try ChildProcess(
      "/usr/bin/python3", ["-B", Self.folder.appendingPathComponent("record.py").path, name],
      log: directory.path(of: "recording"))
    try #require(child.wait() == 0, "\(child.log)")
    return Array(child.log.utf8)
  }

  private func replay(_ bytes: [UInt8]) throws -> GoldenReplay {
    let lines = bytes.split(separator: UInt8(ascii: "\n"))
    var replay = try GoldenReplay(firstLine: JSONValue(parsing: Array(try #require(lines.first))))
    for (place, line) in lines.enumerated().dropFirst() {
      do {
        try replay.feed(JSONValue(parsing: Array(line)), number: place + 1)
      } catch {
        Issue.record("line \(place + 1) (\(String(decoding: line, as: UTF8.self))): \(error)")
        throw error
      }
    }
    return replay
  }

  private func text(of replay: GoldenReplay, inputs: [UInt8]) -> String {
    var digest = OutcomeDigest()
    digest.combine(inputs)
    var lines = [
      "inputs: \(String(digest.digest, radix: 16))",
      "commands: \(replay.answered.done) done, \(replay.answered.refused) refused",
    ]
    lines += replay.types.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
    lines += replay.segments.map(\.text)
    return lines.joined(separator: "\n") + "\n"
  }

  @Test(
    "Events and actions are those of the record",
    arguments: ["sos-day", "bluetooth-day", "year"])
  func golden(name: String) throws {
    let inputs = try recording(name)
    let replay = try replay(inputs)
    if let directory = Self.environment["HOMEWARD_GOLDEN_STORY"] {
      let story = replay.story.joined(separator: "\n") + "\n"
      try story.write(toFile: "\(directory)/\(name).jsonl", atomically: true, encoding: .utf8)
    }
    let found = text(of: replay, inputs: inputs)
    let file = Self.folder.appendingPathComponent("Digests/\(name).txt")
    if Self.environment["HOMEWARD_GOLDEN_KEEP"] == "1" {
      try found.write(to: file, atomically: true, encoding: .utf8)
    }
    let kept = try String(contentsOf: file, encoding: .utf8)
    let pairs = zip(kept.split(separator: "\n"), found.split(separator: "\n"))
    let first = pairs.first { $0 != $1 }.map { "\($0) became \($1)" } ?? "its length"
    #expect(kept == found, "first: \(first); what each event was: HOMEWARD_GOLDEN_STORY")
  }

  @Test("An input that is left out is noticed, and nothing else makes a difference")
  func leftOut() throws {
    let lines = try recording("sos-day").split(separator: UInt8(ascii: "\n")).prefix(60)
    let without = lines.filter { !String(decoding: $0, as: UTF8.self).contains("bookmark.put") }
    #expect(without.count == lines.count - 1)
    func story(_ lines: some Sequence<ArraySlice<UInt8>>) throws -> [String] {
      try replay(Array(lines.joined(separator: [UInt8(ascii: "\n")]))).story
    }
    #expect(try story(lines) == story(lines))
    #expect(try story(without) != story(lines))
  }
}

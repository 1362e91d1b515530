import Bytes
import Care
import CareReports
import Foundation
import JSON
import PluginTestSupport
import Ports
import ReportTestSupport
import TestSupport
import Testing
import Texts

@testable import homeward_plugin_report

@Suite("Reports as a service", .timeLimit(.minutes(2)))
struct ReportPluginTests {
  private static let name = "a-name-nobody-guesses"

  private func parcel(_ kind: ReportRequest.Kind = .doctor) -> ReportParcel {
    ReportParcel(
      ReportDocument(ReportSamples.request(kind), ReportSamples.answers()), on: .a4)
  }

  private func base64(_ bytes: some Collection<UInt8>) -> JSONValue {
    .string(String(decoding: Base64.encode(bytes), as: UTF8.self))
  }

  private func refusal(_ answer: Result<JSONValue, ServiceFailure>) -> String {
    guard case .failure(let failure) = answer else { return "" }
    return failure.message.description
  }

  @Test("Confined by the host it draws what is brought in pieces, and hands it out in pieces, once")
  func pieces() async throws {
    let plugin = try await HostedPlugin("report")
    _ = await plugin.wait(for: .working)
    let bytes = Array(parcel().json.serialized.utf8)
    let half = bytes.count / 2
    let first = await plugin.call(
      "report.draw",
      [
        "drawing": .string(Self.name), "offset": 0, "piece": base64(bytes[..<half]),
        "isLast": false,
      ])
    #expect(try first.get() == .object([]))
    let drawn = try await plugin.call(
      "report.draw",
      [
        "drawing": .string(Self.name), "offset": .integer(Int64(half)),
        "piece": base64(bytes[half...]), "isLast": true,
      ]
    ).get()
    let size = try #require(drawn["size"]?.integerContent)
    var pdf: [UInt8] = []
    while true {
      let piece = try await plugin.call(
        "report.read", ["drawing": .string(Self.name), "offset": .integer(Int64(pdf.count))]
      ).get()
      pdf += try #require(piece["piece"]?.stringContent.flatMap { Base64.decode($0) })
      if piece["isLast"] == true { break }
    }
    #expect(pdf.count == Int(size))
    let file = try PDFFile(pdf, pages: Int(drawn["pages"]?.integerContent ?? 0))
    #expect(file.lacks(["Report for the doctor", "Mary Smith", "All readings"]) == nil)
    let again = await plugin.call("report.read", ["drawing": .string(Self.name), "offset": 0])
    #expect(refusal(again).contains("no such drawing"))
    await plugin.stop()
  }

  @Test("What is no report is refused with words, and the plugin goes on")
  func badInput() async throws {
    let plugin = try await HostedPlugin("report")
    _ = await plugin.wait(for: .working)
    func draw(_ text: String, at offset: Int64 = 0, name: String = Self.name) async -> String {
      refusal(
        await plugin.call(
          "report.draw",
          [
            "drawing": .string(name), "offset": .integer(offset), "piece": base64(Array(text.utf8)),
            "isLast": true,
          ]))
    }
    #expect(await draw("no JSON").contains("This is no report"))
    #expect(await draw("{}").contains("This is no report"))
    #expect(await draw("{}", at: 5).contains("A piece of the report is missing, from byte 0 on"))
    #expect(await draw("{}", name: "x").contains("16 to 64 characters"))
    let deep = String(repeating: "[", count: 100_000)
    #expect(await draw(deep).contains("This is no report"))
    let none = await plugin.call("report.draw", ["drawing": .string(Self.name)])
    #expect(refusal(none).contains("offset"))
    _ = await plugin.wait(for: .working)
    await plugin.stop()
  }

  @Test("Of what nobody goes on with the oldest gives way; what is too large is refused")
  func bounds() throws {
    var drawings = Drawings()
    func take(_ name: String, at offset: Int, _ bytes: [UInt8] = [1]) throws(DrawingFault) {
      _ = try drawings.take(bytes, at: offset, isLast: false, of: name)
    }
    let names = (0...Drawings.atMost).map { "a-name-nobody-guesses-\($0)" }
    for name in names { try take(name, at: 0) }
    #expect(throws: DrawingFault.self) { try take(names[0], at: 1) }
    try take(names[4], at: 1)
    let much = [UInt8](repeating: 1, count: ReportParcel.bytesAtMost)
    #expect(throws: DrawingFault.self) { try take(names[4], at: 2, much) }
    // It went with what was refused.
    try take(names[4], at: 0)
    // What is being drawn is not pushed out, and not brought again.
    for name in names.prefix(4) {
      #expect(try drawings.take([2], at: 0, isLast: true, of: name) == [2])
    }
    #expect(throws: DrawingFault.self) { try take(names[4], at: 0) }
    #expect(throws: DrawingFault.self) { try take(names[0], at: 0) }
    drawings.note([3], as: names[1])
    try take(names[4], at: 0)
    #expect(throws: DrawingFault.self) { _ = try drawings.piece(of: names[1], from: 0) }
  }

  @Test("Run by hand it draws a file to standard output, and says what is wrong with it")
  func byHand() throws {
    let directory = try TemporaryDirectory()
    let program = try BuiltProducts.path(of: "homeward-plugin-report")
    func draw(_ words: String..., to output: String = "report.pdf") throws -> ChildProcess {
      let log = try directory.write("", to: "log-\(UInt32.random(in: .min ... .max)).txt")
      let shell = "output=$1; shift; exec \"$@\" >\"$output\""
      let output = output.hasPrefix("/") ? output : directory.path(of: output)
      return try ChildProcess(
        "sh", ["-c", shell, "sh", output, program, "--draw"] + words, log: log)
    }
    let input = try directory.write(parcel(.missing).json.serialized, to: "parcel.json")
    #expect(try draw(input).wait() == 0)
    let pdf = try Data(contentsOf: URL(fileURLWithPath: directory.path(of: "report.pdf")))
    #expect(pdf.starts(with: Array("%PDF-".utf8)))
    let bad = try directory.write("{}", to: "bad.json")
    for (words, output, told) in [
      ([bad], "bad.pdf", "This is no report"),
      ([directory.path(of: "none")], "bad.pdf", "cannot be read"),
      ([input], "/dev/full", "cannot be written"), ([input, input], "bad.pdf", "give a file"),
    ] {
      let process =
        words.count == 1 ? try draw(words[0], to: output) : try draw(input, input, to: output)
      #expect(process.wait() != 0)
      #expect(process.log.contains(told), "\(process.log)")
    }
  }

  @Test("The conformance suite passes")
  func conformance() async throws {
    let (failed, count) = try await HostedPlugin.conformance("report")
    #expect(failed.isEmpty && count > 3, "\(failed)")
  }
}

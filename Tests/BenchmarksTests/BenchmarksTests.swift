import Foundation
import TestSupport
import Testing

@testable import homeward_bench

@Suite("Benchmarks")
struct BenchmarksTests {
  @Test("The exit code is 0 only when something was measured, all of it, and each budget is kept")
  func exitCode() {
    var table = Table()
    #expect(table.exitCode == 1)
    table.add("free", "1 s")
    table.add("kept", "1 ms", budget: "≤ 2 ms", isKept: true)
    #expect(table.exitCode == 0)
    var missed = table
    missed.add("missed", "3 ms", budget: "≤ 2 ms", isKept: false)
    #expect(missed.exitCode == 1)
    #expect(missed.text.contains("MISSED") && missed.text.contains("1 kept, 1 missed"))
    var failed = table
    failed.fail("drain", "no broker")
    #expect(failed.exitCode == 1)
    #expect(failed.text.contains("NOT MEASURED  drain: no broker"))
    table.add(failed)
    #expect(table.rows.count == 4 && table.failures == ["drain: no broker"])
  }

  @Test("A name stands for its part or for all parts below it, and an unknown one for none")
  func chosen() {
    #expect(Benchmarks.chosen(["reminders"])?.count == 3)
    #expect(Benchmarks.chosen(["positions-1"])?.map(\.name) == ["positions-1"])
    #expect(
      Benchmarks.chosen(["position"]) == nil && Benchmarks.chosen(["drain", "nothing"]) == nil)
    let names = Benchmarks.all.map(\.name)
    #expect(Benchmarks.chosen([])?.count == names.count && Set(names).count == names.count)
  }

  @Test("Each part is measured in a process of its own, and its verdict is the program's")
  func processes() throws {
    let program = try BuiltProducts.path(of: "homeward-bench")
    let good = try ProgramOutput(program, ["reminders-idle"])
    #expect(good.exitCode == 0)
    #expect(good.text.contains("budgets: 1 kept, 0 missed"), "\(good.text)")
    let folder = try TemporaryDirectory()
    let part = try ProgramOutput(
      program, [Benchmarks.partOption, "reminders-idle", folder.path(of: "table.json")])
    #expect(part.exitCode == 0)
    let table = try JSONDecoder().decode(
      Table.self, from: Data(contentsOf: URL(fileURLWithPath: folder.path(of: "table.json"))))
    #expect(table.rows.map(\.subject) == ["wake-ups with nothing due"])
    #expect(try ProgramOutput(program, ["nothing"]).exitCode == 2)
  }

  @Test("A part whose process ends without a word fails the whole, and the others are measured")
  func silentPart() throws {
    // Where no file can be written, each part has measured and can tell nobody.
    let program = try BuiltProducts.path(of: "homeward-bench")
    let output = try ProgramOutput(
      "/usr/bin/env", ["TMPDIR=/proc", program, "reminders-idle"], withErrors: true)
    #expect(output.exitCode == 1 && output.text.contains("NOT MEASURED  reminders-idle"))
  }

  @Test("The rig's Python gets as long as its libraries need, and its failure is told in its words")
  func libraries() throws {
    let folder = try TemporaryDirectory()
    let broken = try folder.write("#!/bin/sh\necho no network >&2\nexit 1\n", to: "python")
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: broken)
    #expect(throws: RigModem.Unready.self) {
      try RigModem.prepareLibraries(with: broken, log: folder.path(of: "log"))
    }
    #expect(try String(contentsOfFile: folder.path(of: "log"), encoding: .utf8) == "no network\n")
  }

  // In a process of its own: the bench's card and its watch over children are the whole process's.
  @Test("The gateway that alarms are measured in takes the resident that it measures with")
  func gateway() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryDirectory()
      let card = try NullCard()
      let gateway = try GatewayInProcess(
        state: folder.path(of: "state"), plugins: [], speaker: card.speaker { _, _ in })
      gateway.stop()
    }
  }
}

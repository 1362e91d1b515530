import Foundation
import Loop
import TestSupport
import Testing

@Suite("Programs that are run for their answer", .timeLimit(.minutes(1)))
struct ProgramRunTests {
  private func run(
    _ script: String, milliseconds: Int = 20_000, mostBytes: Int = 1 << 20
  ) -> ProgramRun? {
    ProgramRun(
      "/bin/sh", ["-c", script], directory: "/tmp", milliseconds: milliseconds,
      mostBytes: mostBytes)
  }

  private func text(_ bytes: [UInt8]?) -> String { String(decoding: bytes ?? [], as: UTF8.self) }

  @Test("What it says, of what it complains, where it works, and how it ends")
  func answers() throws {
    let done = try #require(run("pwd; echo trouble >&2; exit 3"))
    #expect(text(done.output) == "/tmp\n" && text(done.complaint) == "trouble\n")
    #expect(done.end == .exited(3))
    #expect(run("kill -TERM $$")?.end == .signalled(SIGTERM))
  }

  @Test("What takes too long is ended with all that it started")
  func tooLong() throws {
    let done = try #require(run("sleep 100 & echo $!; wait", milliseconds: 300))
    #expect(done.end == .stopped)
    let child = try #require(
      pid_t(text(done.output).trimmingCharacters(in: .whitespacesAndNewlines)))
    // Nobody may have collected it, but it runs no more.
    #expect(
      Eventually.holds(withinSeconds: 10) {
        (try? String(contentsOfFile: "/proc/\(child)/cmdline", encoding: .utf8))?.isEmpty ?? true
      })
  }

  @Test("What says too much is ended, and of a complaint the end is kept")
  func tooMuch() throws {
    let flood = try #require(run("yes", mostBytes: 10_000))
    #expect(flood.end == .stopped && flood.output.count == 10_000)
    let grumbler = try #require(run("head -c 9000 /dev/zero >&2; echo end >&2"))
    #expect(grumbler.complaint.count == 4096 && text(grumbler.complaint).hasSuffix("end\n"))
  }

  @Test("A program that is missing ends with 127 and says so")
  func missing() {
    let done = ProgramRun(
      "/nowhere/program", [], directory: "/tmp", milliseconds: 5_000, mostBytes: 100)
    #expect(done == nil || done?.end == .exited(127) && done?.complaint.isEmpty == false)
  }
}

import Foundation
import TestSupport
import Testing

/// The real programs, started as they should not be: they say so, and do nothing else than they were told.
@Suite(.serialized) struct LaunchTests {
  private struct Ending {
    let code: Int32
    let log: String
  }

  private static func run(
    _ program: String, _ arguments: [String], _ environment: [String: String] = [:]
  ) throws -> Ending {
    let folder = try TemporaryDirectory()
    let process = try ChildProcess(
      program, arguments, log: folder.path(of: "log"),
      environment: ProcessInfo.processInfo.environment
        .merging(["SWIFT_BACKTRACE": "enable=no", "LC_ALL": "C"]) { $1 }
        .merging(environment) { $1 })
    return Ending(code: process.wait(), log: process.log)
  }

  @Test(
    "With too few files to open, or too little memory to map, the daemon says so and does not start"
  )
  func limits() throws {
    let daemon = try BuiltProducts.path(of: "homewardd")
    let folder = try TemporaryDirectory()
    let configuration = try folder.write("gateway: {name: hub}", to: "homeward.yaml")
    let files = try Self.run(
      "prlimit",
      [
        "--nofile=64:64", daemon, "--config", configuration, "--set",
        "gateway.state=\(folder.path)",
      ])
    #expect(files.code == 1)
    #expect(files.log.contains("may open 64 files only and needs 128"), "\(files.log)")
    let memory = try Self.run(
      "prlimit",
      [
        "--data=\(128 << 20)", daemon, "--config", configuration, "--set",
        "gateway.state=\(folder.path)",
      ])
    #expect(memory.code == 1)
    #expect(memory.log.contains("may use 128 MiB of addresses only and needs 256"), "\(memory.log)")
  }

  @Test("A limit of open files that may be raised is raised")
  func raised() throws {
    let gateway = try RunningGateway(broker: nil)
    let daemon = try BuiltProducts.path(of: "homewardd")
    let process = try ChildProcess(
      "prlimit",
      ["--nofile=64:4096", daemon, "--config", gateway.directory.path(of: "homeward.yaml")],
      log: gateway.directory.path(of: "homewardd.log"))
    let isArmed = Eventually.holds(withinSeconds: 20) { process.log.contains("Armed") }
    #expect(isArmed, "\(process.log)")
    let limits = try String(contentsOfFile: "/proc/\(process.pid)/limits", encoding: .utf8)
    let line = limits.split(separator: "\n").first { $0.hasPrefix("Max open files") }
    #expect(line?.split(separator: " ").dropFirst(3).first == "1024")
    #expect(process.stop() == 0)
  }

  @Test(
    "A program whose arguments were taken by a preloaded library does not start without them",
    arguments: [
      ("homewardd", ["--no-such-option"]), ("homeward", ["status", "--no-such-option"]),
      ("homeward-hci", ["--no-such-option"]),
    ])
  func lostArguments(program: String, words: [String]) throws {
    let folder = try TemporaryDirectory()
    let source = try folder.write(
      """
      #include <stdlib.h>
      __attribute__((constructor)) static void start(void) { setenv("SOMETHING", "new", 1); }
      """, to: "preloaded.c")
    let library = folder.path(of: "preloaded.so")
    #expect(try Self.run("cc", ["-shared", "-fPIC", "-o", library, source]).code == 0)
    let path = try BuiltProducts.path(of: program)
    let honest = try Self.run(path, words)
    #expect(honest.code == 2 && honest.log.contains("--no-such-option"), "\(honest.log)")
    let robbed = try Self.run(path, words, ["LD_PRELOAD": library])
    // Where the runtime keeps the arguments all the same, they count.
    let isLost = robbed.log.contains("The arguments were lost")
    #expect(isLost || robbed.log.contains("--no-such-option"), "\(robbed.log)")
    #expect(robbed.code != 0)
  }
}

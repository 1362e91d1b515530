import Care
import Foundation
import Ports
import TestSupport
import Testing

@testable import Store

/// Whoever else opens the database must find that the gateway has it open.
@Suite struct IndexLockTests {
  /// Tries, from another process, for the lock by which SQLite knows whether anybody has the index of a log in use.
  private func isInUse(_ path: String) throws -> Bool {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "python3", "-c",
      """
      import fcntl, sys
      with open(sys.argv[1], "r+b") as index:
          try:
              fcntl.lockf(index, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, 128)
          except OSError:
              sys.exit(7)
      """, path + "-shm",
    ]
    try process.run()
    process.waitUntilExit()
    try #require([0, 7].contains(process.terminationStatus))
    return process.terminationStatus == 7
  }

  @Test("While the store is open no other process takes the index of its log for left over")
  func index() async throws {
    let directory = try TemporaryDirectory()
    let options = SQLiteStore.Options.test(directory.path(of: "store"))
    for run in 0..<2 {
      let store = try SQLiteStore.open(options)
      #expect(try isInUse(options.carePath), "after the start")
      await store.commit(StepRecord(events: [Make.event(run + 1, .alarm)]))
      #expect(try isInUse(options.carePath), "after a commit, with its mark")
      await store.close()
    }
  }
}

import ControlSocket
import Door
import Foundation
import JSON
import Moments
import TestSupport
import Testing
import Texts

@testable import Store

@Suite("Backups on the command line")
struct BackupCommandTests {
  private let directory: TemporaryDirectory
  private var state: String { directory.path(of: "state") }
  private let tool = Tool(environment: ["HOMEWARD_SOCKET": "/nowhere/s"])

  init() throws { directory = try TemporaryDirectory() }

  private func open() throws -> SQLiteStore {
    var options = SQLiteStore.Options(directory: state)
    (options.minimumFreeBytes, options.reserveBytes) = (0, 0)
    return try SQLiteStore.open(options)
  }

  private func copied(_ store: SQLiteStore) async throws -> String {
    let path = directory.path(of: "copy.db")
    return try await withCheckedContinuation { continuation in
      store.backup(to: path, at: .seconds(1_700_000_000)) { continuation.resume(returning: $0) }
    }.get()
  }

  private func close(_ store: SQLiteStore) async {
    await withCheckedContinuation { continuation in store.close { continuation.resume() } }
  }

  private func restore(_ words: String..., input: String = "") throws -> Tool.Outcome {
    try tool.run(["restore", "--state", state] + words, input: input)
  }

  @Test("A backup takes the place of the database, which stays beside it; not while a gateway runs")
  func restored() async throws {
    let store = try open()
    let copy = try await copied(store)
    let running = try restore(copy, "--yes")
    #expect(running.code == 4 && running.output.isEmpty, "\(running)")
    await close(store)
    let unasked = try restore(copy)
    #expect(unasked.code == 2 && unasked.errors.contains("add --yes"))
    let asked = try tool.talk(
      ["restore", copy, "--state", state], typing: [("Type yes: ", "y")])
    #expect(asked.code == 1 && asked.shown.contains("nothing was changed."))
    func entries() throws -> Set<String> {
      Set(try FileManager.default.contentsOfDirectory(atPath: state))
    }
    #expect(!(try entries()).contains("care.db.replaced-1"))
    let done = try restore(copy, "--yes")
    #expect(done.code == 0, "\(done.errors)")
    #expect(done.output == "Restored. Start the gateway: systemctl start homeward\n")
    #expect(try entries().isSuperset(of: ["care.db", "care.db.replaced-1"]))
    let again = try restore(copy, "--yes", "--json")
    #expect(try JSONValue(parsing: again.output) == ["restored": .string(copy)])
    await close(try open())
  }

  @Test("What is no backup changes nothing, and is said")
  func refused() async throws {
    let store = try open()
    await close(store)
    let before = FileManager.default.contents(atPath: directory.path(of: "state/care.db"))
    let text = try directory.write("no database at all", to: "text.db")
    let empty = try directory.write("", to: "empty.db")
    for path in [text, empty, directory.path(of: "missing.db"), directory.path] {
      let outcome = try restore(path, "--yes")
      #expect(outcome.code == 1 && !outcome.errors.isEmpty && outcome.output.isEmpty, "\(path)")
    }
    #expect(FileManager.default.contents(atPath: directory.path(of: "state/care.db")) == before)
  }

  @Test("Without a file the backups are listed, the newest first")
  func list() throws {
    #expect(try restore().output == "No backups in \(state)/backups.\n")
    #expect(try restore("--json").output == "[]\n")
    for name in ["care-000001-20260101T000000Z.db", "care-000002-20260301T000000Z.db", "notes.txt"]
    {
      try directory.write("", to: "state/backups/\(name)")
    }
    #expect(
      try restore().output == """
        \(state)/backups/care-000002-20260301T000000Z.db
        \(state)/backups/care-000001-20260101T000000Z.db

        """)
  }

  @Test("The gateway is told a whole path, for it runs in another folder, and its reason is said")
  func backup() async throws {
    let daemon = try await FakeDaemon { request in
      request.params["path"] == "/full/care.db"
        ? .failure(ControlError(.refused, Message(verbatim: "The stick is full.")))
        : .success(["path": "/var/lib/homeward/backups/by-hand.db"])
    }
    for (words, path) in [
      ([], nil), (["/mnt/care.db"], "/mnt/care.db"),
      (["care.db"], FileManager.default.currentDirectoryPath + "/care.db"),
    ] as [([String], String?)] {
      let outcome = try daemon.tool.run(["backup"] + words)
      #expect(outcome.output == "Backup written: /var/lib/homeward/backups/by-hand.db\n")
      #expect(await daemon.requests.last?.params["path"]?.stringContent == path)
    }
    let full = try daemon.tool.run(["backup", "/full/care.db"])
    #expect(full.code == 4 && full.errors == "homeward: The stick is full.\n")
    await daemon.stop()
  }
}

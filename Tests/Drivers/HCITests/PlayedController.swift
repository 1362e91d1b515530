import Bytes
import Foundation
import Glibc
import JSON
import TestSupport
import Testing

/// A listening Unix socket of the test; each connection is served on a thread of its own.
final class UnixServer: Sendable {
  let path: String
  private let listener: Int32

  /// Accepts from now on; `serve` owns the descriptor only for the time of the call.
  init(_ path: String, packets: Bool = false, _ serve: @escaping @Sendable (Int32) -> Void) throws {
    self.path = path
    let kind = packets ? SOCK_SEQPACKET : SOCK_STREAM
    let made = socket(AF_UNIX, Int32(kind.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    listener = made
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let isBound = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(made, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0 && listen(made, 8) == 0
      }
    }
    try #require(isBound)
    Thread.detachNewThread {
      while case let accepted = accept(made, nil, nil), accepted >= 0 {
        Thread.detachNewThread {
          serve(accepted)
          close(accepted)
        }
      }
      close(made)
    }
  }

  deinit {
    unlink(path)
    shutdown(listener, Int32(SHUT_RDWR))
  }
}

/// Plays the kernel and one controller for the real homeward-hci; see controller.c.
final class PlayedController: @unchecked Sendable {
  /// What the controller answers to a command: events.
  typealias Answers = @Sendable ([UInt8]) -> [[UInt8]]

  let folder: TemporaryDirectory
  /// Commands as they came, in hexadecimal.
  let commands = Inbox<String>()
  private let lock = NSLock()
  private var connection: Int32 = -1
  private var watcher: Int32 = -1
  private var answers: Answers
  private var servers: [UnixServer] = []
  private let library: String

  static let ownAddress = "00:1A:7D:DA:71:13"
  var socketPath: String { folder.path(of: "lines") }

  init(answers: @escaping Answers = PlayedController.bluetooth4) throws {
    folder = try TemporaryDirectory()
    self.answers = answers
    library = folder.path(of: "controller.so")
    let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("controller.c").path
    let compiler = try ChildProcess(
      "cc", ["-shared", "-fPIC", "-O1", "-o", library, source, "-lbluetooth", "-ldl"],
      log: folder.path(of: "cc.log"))
    try #require(compiler.wait() == 0, "\(compiler.log)")
    servers = [
      try UnixServer(folder.path(of: "hci0"), packets: true) { [weak self] in self?.serve($0) },
      try UnixServer(folder.path(of: "watch"), packets: true) { [weak self] descriptor in
        self?.keep(watcher: descriptor)
        _ = Self.packet(descriptor)
      },
    ]
  }

  /// Lets the kernel say this of the adapter, such as `up`; nil for no adapter.
  func becomes(_ word: String?) throws {
    let path = folder.path(of: "info")
    guard let word else {
      try FileManager.default.removeItem(atPath: path)
      return
    }
    // Moved, so that nobody reads half of it.
    let new = try folder.write("\(word) \(Self.ownAddress)", to: "info.new")
    try #require(rename(new, path) == 0)
  }

  func answer(_ answers: @escaping Answers) { lock.withLock { self.answers = answers } }

  /// Starts the program with this kernel.
  func program(_ arguments: [String] = [], error: Int32? = nil) throws -> ChildProcess {
    try ChildProcess(
      try BuiltProducts.path(of: "homeward-hci"), ["--socket", socketPath] + arguments,
      log: folder.path(of: "log"),
      environment: ["LD_PRELOAD": library, "HCI_FOLDER": folder.path, "LC_ALL": "C"], error: error)
  }

  /// A client at the program's socket.
  func client() throws -> LineClient {
    var client: LineClient?
    _ = Eventually.holds(withinSeconds: 30) {
      client = LineClient(socketPath)
      return client != nil
    }
    return try #require(client)
  }

  /// Lets the controller say something by itself.
  func say(_ hexadecimal: String) {
    let bytes = Hexadecimal.bytes(hexadecimal) ?? []
    lock.withLock { Self.send(bytes, to: connection) }
  }

  /// Lets the kernel tell that adapters have changed.
  func tellOfChange() {
    lock.withLock { Self.send(Hexadecimal.bytes("04fd06010003000000") ?? [], to: watcher) }
  }

  /// Pulls the adapter out under the program's hands.
  func unplug() throws {
    try becomes(nil)
    lock.withLock { _ = shutdown(connection, Int32(SHUT_RDWR)) }
  }

  /// Waits for commands in this order.
  func expect(_ wanted: [String]) throws {
    for command in wanted {
      let came = try commands.take(command) { _ in true }
      #expect(came == command)
    }
  }

  private func serve(_ descriptor: Int32) {
    lock.withLock { connection = descriptor }
    while let command = Self.packet(descriptor) {
      commands.add(Hexadecimal.text(command))
      let events = lock.withLock { answers }(command)
      lock.withLock { for event in events { Self.send(event, to: descriptor) } }
    }
    lock.withLock { if connection == descriptor { connection = -1 } }
  }

  private func keep(watcher descriptor: Int32) { lock.withLock { watcher = descriptor } }

  private static func packet(_ descriptor: Int32) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: 512)
    let count = recv(descriptor, &bytes, bytes.count, 0)
    return count > 0 ? Array(bytes.prefix(count)) : nil
  }

  private static func send(_ bytes: [UInt8], to descriptor: Int32) {
    _ = Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
  }

  // MARK: Controllers

  /// One of Bluetooth 4 that does all it is asked for.
  static let bluetooth4: Answers = { [done($0, commands(old: true, new: false))] }
  /// One of Bluetooth 5, which refuses the old words.
  static let bluetooth5: Answers = { command in
    switch opcode(command) {
    case 0x1002: [done(command, commands(old: true, new: true))]
    case 0x2003: [done(command, [0, 0x10, 0, 0, 0, 0, 0, 0])]
    case 0x200B, 0x200C: [done(command, status: 0x0C)]
    default: [done(command)]
    }
  }

  static func opcode(_ command: [UInt8]) -> UInt16 { UInt16(command[1]) | UInt16(command[2]) << 8 }

  /// Command Complete with a status, and what is answered to Read Local Supported Commands.
  static func done(
    _ command: [UInt8], status: UInt8 = 0, _ answer: [UInt8] = []
  ) -> [UInt8] {
    let body = [1, command[1], command[2], status] + answer
    return [0x04, 0x0E, UInt8(body.count)] + body
  }

  private static func commands(old: Bool, new: Bool) -> [UInt8] {
    var octets = [UInt8](repeating: 0, count: 64)
    if old { octets[26] = 0x0C }
    if new { octets[37] = 0x60 }
    return octets
  }
}

/// Reads lines at a socket, on a thread of its own, when asked to.
final class LineClient: @unchecked Sendable {
  let lines = Inbox<JSONValue>()
  private let descriptor: Int32

  /// Connects; nil when nobody answers.
  init?(_ path: String, reads: Bool = true) {
    let made = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    descriptor = made
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let isConnected = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(made, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
      }
    }
    guard isConnected else { return nil }
    if reads { read() }
  }

  /// Begins to read.
  func read() {
    Thread.detachNewThread { [lines, descriptor] in
      var pending: [UInt8] = []
      var block = [UInt8](repeating: 0, count: 65_536)
      while case let count = recv(descriptor, &block, block.count, 0), count > 0 {
        pending += block.prefix(count)
        while let end = pending.firstIndex(of: 0x0A) {
          lines.add((try? JSONValue(parsing: pending[..<end])) ?? "no JSON")
          pending.removeSubrange(...end)
        }
      }
    }
  }

  /// Waits for a state.
  @discardableResult
  func state(_ word: String) throws -> JSONValue {
    try lines.take("state \(word)") { $0["state"] == .string(word) }
  }

  deinit {
    shutdown(descriptor, Int32(SHUT_RDWR))
    close(descriptor)
  }
}

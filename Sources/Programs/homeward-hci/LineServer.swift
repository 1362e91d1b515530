// SPDX-License-Identifier: GPL-2.0-or-later
import CGatewayShims
import Glibc
import JSON
import Loop
import Texts

/// The Unix socket at which clients listen, with mode 0660.
@LoopActor
final class LineServer {
  /// Why it cannot serve.
  struct Fault: Error {
    var message: Message
  }

  /// More are sent away; one gateway is what there is.
  private static let mostClients = 8

  private let path: String
  private var listener: Int32 = -1
  private var clients: [Client] = []
  private var state: [UInt8]?
  private lazy var pause = LoopTimer { [weak self] in
    guard let self, listener >= 0 else { return }
    EventLoop.current.setInterest(.reading, of: listener)
  }

  init(path: String) { self.path = path }

  /// Listens; replaces the socket of one that is gone.
  func start() throws(Fault) {
    try removeStaleSocket()
    listener = homeward_unix_listen(path, 0o660, Int32(Self.mostClients))
    guard listener >= 0 else {
      throw Fault(
        message: Message(
          "The socket {path} cannot be made ({reason}): check that its folder exists and may be written to.",
          ["path": path, "reason": String(cString: strerror(errno))]))
    }
    EventLoop.current.watch(listener, for: .reading) { [weak self] _ in self?.acceptWaiting() }
  }

  func stop() {
    guard listener >= 0 else { return }
    pause.cancel()
    EventLoop.current.unwatch(listener)
    close(listener)
    listener = -1
    unlink(path)
    for client in clients { client.end() }
  }

  /// Says a state to all, and to each that comes.
  func sayState(_ json: JSONValue) {
    let line = json.serializedBytes + [0x0A]
    state = line
    for client in clients { client.sendState(line) }
  }

  func sayAdvertisement(_ json: JSONValue) {
    guard !clients.isEmpty else { return }
    let line = json.serializedBytes + [0x0A]
    for client in clients { client.sendAdvertisement(line) }
  }

  private func removeStaleSocket() throws(Fault) {
    var entry = stat()
    guard lstat(path, &entry) == 0 else { return }
    guard entry.st_mode & S_IFMT == S_IFSOCK else {
      throw Fault(
        message: Message(
          "{path} exists and is no socket: move it away and start again.", ["path": path]))
    }
    let probe = homeward_unix_connect(path, 0)
    let hasAnswered = probe >= 0 || errno == EAGAIN
    if probe >= 0 { close(probe) }
    guard !hasAnswered else {
      throw Fault(
        message: Message("Another homeward-hci answers on {path}: stop it first.", ["path": path]))
    }
    unlink(path)
  }

  private func acceptWaiting() {
    while listener >= 0 {
      let descriptor = homeward_unix_accept(listener)
      if descriptor < 0 { return pauseUnlessNobodyWaits(errno) }
      guard clients.count < Self.mostClients else {
        close(descriptor)
        continue
      }
      let client = Client(descriptor: descriptor) { [weak self] ended in
        self?.clients.removeAll { $0 === ended }
      }
      clients.append(client)
      client.start()
      if let state { client.sendState(state) }
    }
  }

  /// Out of descriptors: the waiting client would wake the loop for ever, so look again in a second.
  private func pauseUnlessNobodyWaits(_ code: Int32) {
    guard [EMFILE, ENFILE, ENOMEM, ENOBUFS].contains(code) else { return }
    EventLoop.current.setInterest([], of: listener)
    pause.set(afterMilliseconds: 1000)
  }
}

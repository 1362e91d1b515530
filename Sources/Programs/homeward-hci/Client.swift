// SPDX-License-Identifier: GPL-2.0-or-later

import Glibc
import JSON
import Loop

/// One who listens at the socket. One that does not keep pace misses advertisements, and is told how many.
@LoopActor
final class Client {
  /// What waits for a slow one; beyond that its advertisements are dropped.
  private static let mostBytes = 65_536

  private let descriptor: Int32
  private let onEnd: @LoopActor (Client) -> Void
  private var waiting: [UInt8] = []
  private var dropped: Int64 = 0
  /// The state that did not fit in; only the latest is of interest.
  private var owedState: [UInt8]?
  private var isEnded = false

  init(descriptor: Int32, onEnd: @escaping @LoopActor (Client) -> Void) {
    self.descriptor = descriptor
    self.onEnd = onEnd
  }

  func start() {
    EventLoop.current.watch(descriptor, for: .reading) { [weak self] readiness in
      guard let self else { return }
      if readiness.isWritable { self.flush() }
      if readiness.isReadable || readiness.isHungUp { self.receive() }
    }
  }

  /// Says a state; `line` has its end.
  func sendState(_ line: [UInt8]) {
    guard fits(line) else {
      owedState = line
      return
    }
    owedState = nil
    append(line)
  }

  /// Says an advertisement, or drops it; `line` has its end.
  func sendAdvertisement(_ line: [UInt8]) {
    guard fits(line), dropped == 0 else {
      dropped += 1
      return
    }
    append(line)
  }

  func end() {
    guard !isEnded else { return }
    isEnded = true
    EventLoop.current.unwatch(descriptor)
    close(descriptor)
    onEnd(self)
  }

  private func fits(_ line: [UInt8]) -> Bool { waiting.count + line.count <= Self.mostBytes }

  private func append(_ line: [UInt8]) {
    guard !isEnded else { return }
    let isFirst = waiting.isEmpty
    waiting += line
    if isFirst { flush() }
  }

  private func flush() {
    var sent = 0
    while sent < waiting.count, !isEnded {
      let count = waiting[sent...].withUnsafeBytes {
        send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
      }
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN { break }
      guard count > 0 else { return end() }
      sent += count
    }
    waiting.removeFirst(sent)
    if waiting.isEmpty { settle() }
    guard !isEnded else { return }
    EventLoop.current.setInterest(
      waiting.isEmpty ? .reading : [.reading, .writing], of: descriptor)
  }

  /// There is room again: says what could not be said before.
  private func settle() {
    if dropped > 0 {
      let line = JSONValue.object(["dropped": .integer(dropped)]).serializedBytes + [0x0A]
      dropped = 0
      append(line)
    }
    if let line = owedState { sendState(line) }
  }

  /// Clients have nothing to say: what they send is read and forgotten, until they hang up.
  private func receive() {
    guard !isEnded else { return }
    var block = [UInt8](repeating: 0, count: 4096)
    let count = recv(descriptor, &block, block.count, Int32(MSG_DONTWAIT))
    if count > 0 || (count < 0 && (errno == EAGAIN || errno == EINTR)) { return }
    end()
  }
}

// SPDX-License-Identifier: GPL-2.0-or-later

import Bytes
import Care
import Glibc
import JSON
import Loop
import Moments

/// The radio and the socket together.
@LoopActor
final class Service {
  /// How often the state is said again, so that clients know that somebody is there.
  private static let beatMilliseconds: Int64 = 30_000

  private let options: LaunchOptions
  private let server: LineServer
  private var state: RadioState?
  private lazy var radio = Radio(
    adapter: options.adapter, silenceMilliseconds: options.silenceSeconds * 1000,
    become: { [weak self] in self?.become($0) },
    heard: { [weak self] in self?.heard($0, $1, $2) })
  private lazy var beat = LoopTimer { [weak self] in self?.sayState() }
  private lazy var downTimer = LoopTimer { [weak self] in
    guard let self else { return }
    Log.write("\(self.options.adapterName) stays so: ending, to be started again")
    self.stop()
  }

  init(options: LaunchOptions) {
    self.options = options
    server = LineServer(path: options.socketPath)
  }

  func start() throws(LineServer.Fault) {
    try server.start()
    radio.start()
  }

  /// Ends the scan, then the process.
  func stop() {
    radio.stop { [server] in
      server.stop()
      exit(0)
    }
  }

  private func become(_ new: RadioState) {
    guard new != state else { return }
    state = new
    let words = new.reason(options.adapterName) ?? "\(options.adapterName): \(new.word)"
    Log.write(words)
    sayState()
    if new == .down || new == .hung, let seconds = options.endWhenDownSeconds {
      downTimer.set(afterMilliseconds: seconds * 1000)
    } else {
      downTimer.cancel()
    }
  }

  private func sayState() {
    guard let state else { return }
    server.sayState(state.json(options.adapterName))
    beat.set(afterMilliseconds: Self.beatMilliseconds)
  }

  private func heard(_ address: BluetoothAddress, _ rssi: Int8?, _ bytes: [UInt8]) {
    server.sayAdvertisement(
      .object([
        "address": .string(address.text), "kind": .string(address.kind.rawValue),
        "rssi": rssi.map { .integer(Int64($0)) }, "data": .string(Hexadecimal.text(bytes)),
        "tick": .integer(EventLoop.now.nanoseconds),
      ]))
  }
}

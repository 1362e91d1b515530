import Care
import Foundation
import Moments
import Synchronization

/// When the first frames of a sound that was never heard before were handed to the card.
final class FirstFrames: Sendable {
  private let known = Mutex<Set<SoundID>>([])
  private let arrived = Mutex<Int64?>(nil)
  private let signal = DispatchSemaphore(value: 0)

  private func expect() { arrived.withLock { $0 = nil } }

  func heard(_ sound: SoundID, at tick: Tick) {
    guard known.withLock({ $0.insert(sound).inserted }) else { return }
    arrived.withLock { $0 = tick.nanoseconds }
    signal.signal()
  }

  private func wait() throws -> Int64 {
    guard signal.wait(timeout: .now() + 10) == .success, let tick = arrived.withLock({ $0 }) else {
      throw BenchmarkFailure("the alarm made no sound")
    }
    return tick
  }

  /// Presses the button, and takes the alarm back once it sounds; milliseconds from the edge, the hold time taken off, to
  /// the first frames.
  func delay(in gateway: GatewayInProcess) throws -> Double {
    expect()
    gateway.button.press()
    let edge = gateway.button.written.withLock { $0 }
    let frame = try wait()
    gateway.button.letGo()
    try gateway.ask(.alarm(.cancel(resident: "mary", pin: nil, message: nil)))
    // The button's own wait for bounces.
    usleep(50_000)
    return Double(frame - edge) / 1e6 - Double(GatewayInProcess.holdMilliseconds)
  }
}

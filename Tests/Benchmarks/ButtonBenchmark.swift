import Buttons
import Care
import Foundation
import Glibc
import Loop
import Synchronization

/// From a button's edge to the observation on the loop.
///
/// A pipe plays the kernel's descriptor: the time from the write to the observer counts, which is ours; that from the
/// contact to the descriptor is the kernel's.
enum ButtonBenchmark {
  @LoopActor private static var source: ButtonSource?
  private static let presses = 500
  /// The share that the whole way from the edge to the first frame may take of its budget.
  private static let budgetMilliseconds = 1.0

  static var parts: [BenchmarkPart] {
    [
      BenchmarkPart(name: "button-idle") { table in
        add("button edge → observation, idle", try measure(posts: 0), to: &table)
      },
      BenchmarkPart(name: "button-under-load") { table in
        add(
          "button edge → observation, behind 10,000 posts", try measure(posts: 10_000), to: &table,
          isJudged: false)
      },
    ]
  }

  private static func add(
    _ subject: String, _ milliseconds: [Double], to table: inout Table, isJudged: Bool = true
  ) {
    let sorted = milliseconds.sorted()
    let (p50, p99) = (sorted[sorted.count / 2], sorted[sorted.count * 99 / 100])
    table.add(
      subject, "p50 \(decimal(p50, 3)) ms, p99 \(decimal(p99, 3)) ms",
      budget: isJudged ? "p99 ≤ \(decimal(budgetMilliseconds)) ms" : "",
      isKept: isJudged ? p99 <= budgetMilliseconds : nil)
  }

  private static func measure(posts: Int) throws -> [Double] {
    let button = PipeButton()
    let arrived = DispatchSemaphore(value: 0)
    let seen = Milliseconds()
    EventLoop.shared.post {
      let source = ButtonSource(
        options: .init(id: "bench", device: .input(InputDevice(device: "pipe"))), opener: button)
      source.start { observation in
        switch observation {
        case .button(let report) where report.gesture == .down:
          let now = PipeButton.monotonicNanoseconds()
          let written = button.written.withLock { $0 }
          seen.all.withLock { $0.append(Double(now - written) / 1e6) }
          arrived.signal()
        case .health: arrived.signal()
        default: break
        }
      }
      Self.source = source
    }
    guard arrived.wait(timeout: .now() + 10) == .success else {
      throw BenchmarkFailure("the button does not open")
    }
    for _ in 0..<presses {
      for _ in 0..<posts { EventLoop.shared.post {} }
      button.press()
      guard arrived.wait(timeout: .now() + 10) == .success else {
        throw BenchmarkFailure(
          "a press did not arrive; this machine is too busy to tell it from a bounce")
      }
      button.letGo()
      // Longer than the debounce time, so that the next press is one of its own.
      usleep(25_000)
    }
    EventLoop.shared.post { Self.source?.stop() }
    return seen.all.withLock { $0 }
  }
}

/// What was measured, from the loop's thread to the benchmark's.
private final class Milliseconds: Sendable {
  let all = Mutex<[Double]>([])
}

import Care
import Foundation
import Loop
import Loudspeaker
import Moments
import Ports
import Synchronization
import TestSupport

/// From the command on the loop to the first frames handed to a prepared card, alsa-lib's `null` device.
enum SoundBenchmark {
  private static let rounds = 1_000
  private static let queued = 10_000

  static var parts: [BenchmarkPart] {
    [("sound-idle", false), ("sound-under-load", true)].map { name, isLoaded in
      BenchmarkPart(name: name) { table in try measure(isLoaded: isLoaded, &table) }
    }
  }

  private static func measure(isLoaded: Bool, _ table: inout Table) throws {
    let sorted = try measure(on: NullCard(), isLoaded: isLoaded).sorted()
    let (middle, late) = (sorted[sorted.count / 2], sorted[sorted.count * 99 / 100])
    table.add(
      "play to first frame, \(isLoaded ? "under load" : "idle")",
      "p50 \(decimal(middle, 3)) ms, p99 \(decimal(late, 3)) ms, worst \(decimal(sorted.last ?? 0, 3)) ms",
      budget: "p99 ≤ 8 ms", isKept: late <= 8)
  }

  /// Milliseconds of each round, which begins when the sound before it has ended; under load the loop has 10,000 closures to run and another thread never rests.
  private static func measure(on card: NullCard, isLoaded: Bool) throws -> [Double] {
    let probe = Probe()
    let speaker = card.speaker { _, tick in probe.heard(at: tick) }
    let working = DispatchSemaphore(value: 0)
    EventLoop.shared.post {
      speaker.start { observation in
        switch observation {
        case .health(let report) where report.state == .working: working.signal()
        case .sound(let report) where report.outcome == .finished: probe.isQuiet()
        default: break
        }
      }
    }
    guard working.wait(timeout: .now() + 10) == .success else {
      throw BenchmarkFailure("the null device does not open")
    }
    let burner = isLoaded ? Burner() : nil
    let delays = (0..<rounds).map { round in
      if isLoaded { for _ in 0..<queued { EventLoop.shared.post { probe.work() } } }
      EventLoop.shared.post {
        probe.asked(at: EventLoop.now)
        speaker.play(
          SoundRequest(id: SoundID("r\(round)"), priority: .emergency, parts: [.pattern("chime")]))
      }
      if isLoaded { for _ in 0..<queued { EventLoop.shared.post { probe.work() } } }
      return probe.wait()
    }
    burner?.stop()
    EventLoop.shared.post { speaker.stop() }
    return delays
  }

  /// The two ends of a measurement.
  private final class Probe: Sendable {
    private let start = Atomic<Int64>(0)
    private let end = Atomic<Int64>(0)
    private let done = DispatchSemaphore(value: 0)
    private let quiet = DispatchSemaphore(value: 0)
    private let sum = Atomic<UInt64>(0)

    func asked(at tick: Tick) { start.store(tick.nanoseconds, ordering: .sequentiallyConsistent) }

    func heard(at tick: Tick) {
      end.store(tick.nanoseconds, ordering: .sequentiallyConsistent)
      done.signal()
    }

    func isQuiet() { quiet.signal() }

    func wait() -> Double {
      done.wait()
      quiet.wait()
      let nanoseconds =
        end.load(ordering: .sequentiallyConsistent) - start.load(ordering: .sequentiallyConsistent)
      return Double(nanoseconds) / 1e6
    }

    func work() { sum.wrappingAdd(1, ordering: .relaxed) }
  }

  /// A thread that never rests.
  private final class Burner: Sendable {
    private let isStopped = Atomic<Bool>(false)

    init() {
      Thread { [self] in while !isStopped.load(ordering: .relaxed) {} }.start()
    }

    func stop() { isStopped.store(true, ordering: .relaxed) }
  }
}

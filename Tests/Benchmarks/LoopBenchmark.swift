import Dispatch
import Foundation
import Loop
import Synchronization

/// What it costs to wait on the loop by callbacks, as everything here does, beside `async` functions on the same loop.
enum LoopBenchmark {
  private static let chains = 20_000
  private static let steps = 5
  private static let rounds = 5

  static var parts: [BenchmarkPart] {
    [BenchmarkPart(name: "loop-waiting", measure: measure)]
  }

  /// A store: answers on the loop, once, some time after it was asked.
  @LoopActor
  private final class Answering {
    func ask(_ number: Int, _ completion: @escaping @LoopActor @Sendable (Int) -> Void) {
      EventLoop.shared.post { completion(number + 1) }
    }

    func ask(_ number: Int) async -> Int {
      await withCheckedContinuation { continuation in
        ask(number) { continuation.resume(returning: $0) }
      }
    }
  }

  private static func measure(_ table: inout Table) throws {
    var (callbacks, ratios): ([Double], [Double]) = ([], [])
    for _ in 0..<rounds {
      let plain = try seconds { store, done in callback(store, 0, steps, done) }
      let waiting = try seconds { store, done in
        Task { @LoopActor in
          var number = 0
          for _ in 0..<steps { number = await store.ask(number) }
          done(number)
        }
      }
      callbacks.append(plain / Double(chains * steps) * 1e9)
      ratios.append(waiting / plain)
    }
    table.add(
      "a question on the loop and its answer, by callback",
      "\(decimal(median(callbacks), 0)) ns; by async \(decimal(median(ratios), 1)) × as long")
  }

  @LoopActor
  private static func callback(
    _ store: Answering, _ number: Int, _ left: Int,
    _ done: @escaping @LoopActor @Sendable (Int) -> Void
  ) {
    guard left > 0 else { return done(number) }
    store.ask(number) { callback(store, $0, left - 1, done) }
  }

  private typealias Chain =
    @LoopActor @Sendable (
      Answering, @escaping @LoopActor @Sendable (Int) -> Void
    ) -> Void

  /// Seconds for all chains, one after the other.
  private static func seconds(_ chain: @escaping Chain) throws -> Double {
    let finished = DispatchSemaphore(value: 0)
    let sum = Atomic<Int>(0)
    let start = ContinuousClock.now
    let runner = Runner(chain: chain) {
      sum.store($0, ordering: .sequentiallyConsistent)
      finished.signal()
    }
    EventLoop.shared.post { runner.run(left: chains, sum: 0) }
    finished.wait()
    guard sum.load(ordering: .sequentiallyConsistent) == chains * steps else {
      throw BenchmarkFailure("some answers did not come")
    }
    return (ContinuousClock.now - start) / .seconds(1)
  }

  private struct Runner: Sendable {
    let chain: Chain
    let finish: @Sendable (Int) -> Void

    @LoopActor
    func run(left: Int, sum: Int) {
      guard left > 0 else { return finish(sum) }
      chain(Answering()) { number in run(left: left - 1, sum: sum + number) }
    }
  }
}

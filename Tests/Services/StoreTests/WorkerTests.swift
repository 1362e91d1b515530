import Loop
import Synchronization
import Testing

@testable import Store

@Suite struct WorkerTests {
  private final class Facts: Sendable {
    let lastHasRun = Atomic<Bool>(false)
    let taken = Atomic<Int>(0)
    let run = Atomic<Int>(0)
    let late = Atomic<Int>(0)
    let ended = Latch()

    func job() {
      run.add(1, ordering: .relaxed)
      if lastHasRun.load(ordering: .acquiring) { late.add(1, ordering: .relaxed) }
    }
  }

  /// The last job closes what the others use: one that came later would open it again.
  @Test func jobsThatArriveWhileItStopsRunBeforeTheLastOneOrNotAtAll() async {
    for _ in 0..<100 {
      let (worker, facts) = (Worker(name: "test"), Facts())
      await withTaskGroup(of: Void.self) { group in
        group.addTask {
          while worker.perform({ facts.job() }) {
            let taken = facts.taken.add(1, ordering: .relaxed).newValue
            while taken - facts.run.load(ordering: .relaxed) > 8 { await Task.yield() }
          }
        }
        group.addTask {
          while facts.run.load(ordering: .relaxed) == 0 { await Task.yield() }
          worker.stop {
            facts.lastHasRun.store(true, ordering: .releasing)
            facts.ended.open()
          }
        }
      }
      facts.ended.wait()
      #expect(facts.late.load(ordering: .relaxed) == 0)
      #expect(facts.run.load(ordering: .relaxed) == facts.taken.load(ordering: .relaxed))
    }
  }
}

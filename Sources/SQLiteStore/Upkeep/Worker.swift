/// A thread that runs jobs one after the other.
///
/// Unchecked: the jobs are touched with the gate's lock only.
final class Worker: @unchecked Sendable {
  private let gate = Gate()
  private var jobs: [@Sendable () -> Void] = []
  private var isStopping = false
  private var isRunning = false
  private let name: String

  /// A worker whose thread starts with its first job.
  init(name: String) { self.name = name }

  /// Runs `job` after those before it; answers false once the worker stops.
  @discardableResult
  func perform(_ job: @escaping @Sendable () -> Void) -> Bool {
    let isTaken = gate.withLock {
      guard !isStopping, startIfNeeded() else { return false }
      jobs.append(job)
      return true
    }
    gate.wakeAll()
    return isTaken
  }

  /// Takes no more jobs; runs `last` on the thread after those that wait.
  func stop(_ last: @escaping @Sendable () -> Void) {
    let isTaken = perform(last)
    gate.withLock { isStopping = true }
    gate.wakeAll()
    if !isTaken { last() }
  }

  private func startIfNeeded() -> Bool {
    if !isRunning { isRunning = StoreThread.start(name: name) { self.work() } }
    return isRunning
  }

  private func work() {
    while let job = nextJob() { job() }
  }

  private func nextJob() -> (@Sendable () -> Void)? {
    gate.withLock {
      while jobs.isEmpty {
        if isStopping { return nil }
        gate.wait()
      }
      return jobs.removeFirst()
    }
  }
}

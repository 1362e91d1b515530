import Loop

/// A thread that runs jobs one after the other.
///
/// Unchecked: the jobs are touched with the gate's lock only.
final class Worker: @unchecked Sendable {
  private let gate = Gate()
  private var jobs: [@Sendable () -> Void] = []
  private var isStopping = false
  private var isRunning = false
  private let name: String
  private let givesWay: Bool

  /// A worker whose thread starts with its first job.
  ///
  /// - Parameters:
  ///   - name: what the kernel calls the thread.
  ///   - givesWay: whether threads that somebody waits for with an alarm run first.
  init(name: String, givesWay: Bool = false) {
    self.name = name
    self.givesWay = givesWay
  }

  /// Runs `job` after those before it; answers false once the worker stops.
  @discardableResult
  func perform(_ job: @escaping @Sendable () -> Void) -> Bool { take(job, isLast: false) }

  /// Takes no more jobs; runs `last` on the thread after those that wait, and nothing after it.
  func stop(_ last: @escaping @Sendable () -> Void) {
    if !take(last, isLast: true) { last() }
  }

  /// In one go with the job, so that none slips in behind the last one, which closes what the others use.
  private func take(_ job: @escaping @Sendable () -> Void, isLast: Bool) -> Bool {
    let isTaken = gate.withLock {
      defer { isStopping = isStopping || isLast }
      guard !isStopping, startIfNeeded() else { return false }
      jobs.append(job)
      return true
    }
    gate.wakeAll()
    return isTaken
  }

  private func startIfNeeded() -> Bool {
    if !isRunning {
      isRunning = SystemThread.start(name: name, givesWay: givesWay) { self.work() }
    }
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

import CGatewayShims
import Glibc

/// Threads of their own for work that blocks; each ends with its work.
///
/// A thread that is started in virtual time belongs to that loop, whose time stands still while the thread works: from its
/// start to its end, but for when it waits at a ``Gate``.
public enum SystemThread {
  /// Runs `work` on a new thread.
  ///
  /// - Parameters:
  ///   - name: what the kernel calls the thread, at most 15 bytes.
  ///   - givesWay: whether the other threads run first where there is too little of the processors for all.
  /// - Returns: false when the kernel refuses a thread; then `work` is never run.
  public static func start(
    name: String, givesWay: Bool = false, _ work: @escaping @Sendable () -> Void
  ) -> Bool {
    let work = EventLoop.place.map { $0.loop.carried(work) } ?? work
    guard givesWay else { return startPlain(name: name, work) }
    return startPlain(name: name) {
      homeward_thread_gives_way()
      work()
    }
  }

  /// The same for a thread that belongs to no loop in virtual time, whoever starts it.
  static func startPlain(name: String, _ work: @escaping @Sendable () -> Void) -> Bool {
    let job = Unmanaged.passRetained(Job(name: name, work: work))
    var thread = pthread_t()
    let failure = pthread_create(
      &thread, nil,
      { argument in
        guard let argument else { return nil }
        let job = Unmanaged<Job>.fromOpaque(argument).takeRetainedValue()
        homeward_name_thread(job.name)
        job.work()
        return nil
      }, job.toOpaque())
    guard failure == 0 else {
      job.release()
      return false
    }
    pthread_detach(thread)
    return true
  }

  /// Runs short work on a new thread; on this one where the system has no more threads: better late than never.
  public static func run(name: String, _ work: @escaping @Sendable () -> Void) {
    if !start(name: name, work) { work() }
  }
}

/// What a thread begins with; C can be handed one pointer.
private final class Job: Sendable {
  let name: String
  let work: @Sendable () -> Void

  init(name: String, work: @escaping @Sendable () -> Void) {
    self.name = name
    self.work = work
  }
}

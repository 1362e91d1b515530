import Glibc
import Loop

/// A thread for one piece of work that waits for the disk, and back to the loop with what came of it.
final class DiskThread<Answer: Sendable>: Sendable {
  private let work: @Sendable () -> Answer
  private let completion: @LoopActor @Sendable (Answer) -> Void

  private init(
    _ work: @escaping @Sendable () -> Answer,
    completion: @escaping @LoopActor @Sendable (Answer) -> Void
  ) {
    self.work = work
    self.completion = completion
  }

  /// Runs `work` on a thread of its own; `completion` is called once, on the loop.
  ///
  /// - Returns: false when the kernel refuses a thread; then neither is called.
  static func run(
    _ work: @escaping @Sendable () -> Answer,
    completion: @escaping @LoopActor @Sendable (Answer) -> Void
  ) -> Bool {
    let box = DiskThread(work, completion: completion)
    return start(box)
  }

  private static func start(_ box: DiskThread) -> Bool {
    let runnable = Runnable { [box] in box.run() }
    var thread = pthread_t()
    let argument = Unmanaged.passRetained(runnable).toOpaque()
    let started = pthread_create(
      &thread, nil,
      { argument in
        let runnable = Unmanaged<Runnable>.fromOpaque(argument.unsafelyUnwrapped)
        runnable.takeRetainedValue().body()
        return nil
      }, argument)
    guard started == 0 else {
      Unmanaged<Runnable>.fromOpaque(argument).release()
      return false
    }
    _ = pthread_detach(thread)
    return true
  }

  private func run() {
    let answer = work()
    let completion = completion
    EventLoop.shared.post { completion(answer) }
  }
}

/// What a C function can be handed: a generic type cannot be named there.
private final class Runnable: Sendable {
  let body: @Sendable () -> Void
  init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}

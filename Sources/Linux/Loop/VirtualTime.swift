import Moments
import Synchronization

/// The clock of a loop in virtual time, and how many keep it still.
final class VirtualTime: Sendable {
  private let nanoseconds: Atomic<Int64>
  private let holds = Atomic<Int>(0)
  private let isEnded = Atomic<Bool>(false)

  init(from start: Tick) { nanoseconds = Atomic(start.nanoseconds) }

  var now: Tick { Tick(nanoseconds: nanoseconds.load(ordering: .acquiring)) }

  /// Whether time stands still: something real is awaited, or the loop has ended.
  var isHeld: Bool {
    holds.load(ordering: .acquiring) > 0 || isEnded.load(ordering: .acquiring)
  }

  /// On the loop; never backwards.
  func advance(to tick: Tick) {
    if tick > now { nanoseconds.store(tick.nanoseconds, ordering: .releasing) }
  }

  func hold() { holds.add(1, ordering: .acquiringAndReleasing) }

  func release() {
    let before = holds.subtract(1, ordering: .acquiringAndReleasing).oldValue
    if before == 1 { LoopThread.shared.lookAgain() }
  }

  func end() { isEnded.store(true, ordering: .releasing) }
}

/// Something real that is awaited, such as a program's answer: virtual time stands still until it ends.
///
/// Whoever ends it posts before what came of it. One that goes away ends as well.
public final class TimeHold: Sendable {
  private let time: VirtualTime
  private let isEnded = Atomic<Bool>(false)

  init(_ time: VirtualTime) {
    self.time = time
    time.hold()
  }

  deinit { end() }

  /// It is not awaited any more; may be called on any thread, and again.
  public func end() {
    if !isEnded.exchange(true, ordering: .acquiringAndReleasing) { time.release() }
  }
}

extension EventLoop {
  /// Makes this the current loop of `body` and of all that comes of it: work posted, timers, watches, tasks and threads.
  ///
  /// For tests. Afterwards a loop in virtual time has ended: its timers are forgotten, and its time stands still. All of it
  /// is on the loop's thread, for time passes as soon as that thread has nothing to do.
  @LoopActor
  public func run<Answer: Sendable>(
    _ body: @LoopActor () async throws -> Answer
  ) async rethrows -> Answer {
    defer { end() }
    return try await Self.places.withValue(Place(loop: self, isThread: false)) {
      try await body()
    }
  }

  /// Keeps virtual time still until the answer ends; nil in real time, which nobody holds.
  public func hold() -> TimeHold? { virtualTime.map(TimeHold.init) }

  /// What a thread runs that is started here: in this loop's time, which stands still while the thread works.
  func carried(_ work: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
    guard let hold = hold() else { return work }
    return {
      Self.places.withValue(Place(loop: self, isThread: true)) { work() }
      hold.end()
    }
  }
}

public import Glibc
public import Moments

/// A lock with a condition, for threads that wait for each other.
///
/// Unchecked: the two C objects live at fixed addresses and are made for concurrent use; who rests is touched with the lock.
public final class Gate: @unchecked Sendable {
  /// A thread of a loop in virtual time that waits: it keeps that time still again from the moment it is woken.
  private final class Rest: @unchecked Sendable {
    let time: VirtualTime
    var isOver = false

    init(_ time: VirtualTime) { self.time = time }

    func end() {
      guard !isOver else { return }
      isOver = true
      time.hold()
    }
  }

  @usableFromInline let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var resting: [Rest] = []

  /// A gate that nobody waits at.
  public init() {
    pthread_mutex_init(mutex, nil)
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(condition, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  /// Runs `body` while no other thread has the lock.
  @inlinable
  public func withLock<Answer>(_ body: () -> Answer) -> Answer {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return body()
  }

  /// Wakes everybody who waits; called without the lock.
  public func wakeAll() {
    if EventLoop.isOneOfMany { withLock { endRests() } }
    pthread_cond_broadcast(condition)
  }

  /// Waits for a wake-up with the lock held, at most until `deadline`.
  public func wait(until deadline: Tick? = nil) {
    if let place = EventLoop.place, place.isThread, let time = place.loop.virtualTime {
      return rest(until: deadline, on: place.loop, time)
    }
    guard let deadline else {
      pthread_cond_wait(condition, mutex)
      return
    }
    let milliseconds = deadline.milliseconds(since: EventLoop.now)
    guard milliseconds > 0 else { return }
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    let nanoseconds = time.tv_nsec + Int(milliseconds % 1000) * 1_000_000
    time.tv_sec += Int(milliseconds / 1000) + nanoseconds / 1_000_000_000
    time.tv_nsec = nanoseconds % 1_000_000_000
    pthread_cond_timedwait(condition, mutex, &time)
  }

  // MARK: Virtual time

  private func rest(until deadline: Tick?, on loop: EventLoop, _ time: VirtualTime) {
    if let deadline, deadline <= time.now { return }
    let rest = Rest(time)
    resting.append(rest)
    // Before time may pass, so that it does not pass the deadline.
    if let deadline { alarm(rest, at: deadline, on: loop) }
    time.release()
    while !rest.isOver { pthread_cond_wait(condition, mutex) }
  }

  private func alarm(_ rest: Rest, at deadline: Tick, on loop: EventLoop) {
    loop.post {
      let timer = LoopTimer { [weak self] in self?.end(rest) }
      timer.set(at: deadline)
    }
  }

  private func end(_ rest: Rest) {
    withLock {
      rest.end()
      resting.removeAll { $0 === rest }
    }
    pthread_cond_broadcast(condition)
  }

  private func endRests() {
    for rest in resting { rest.end() }
    resting = []
  }
}

/// Something that happens once and that a thread can wait for.
///
/// Unchecked: the flag is touched with the gate's lock only.
public final class Latch: @unchecked Sendable {
  private let gate = Gate()
  private var isOpen = false

  /// Something that has not happened yet.
  public init() {}

  /// It has happened.
  public func open() {
    gate.withLock { isOpen = true }
    gate.wakeAll()
  }

  /// Returns once it has happened.
  public func wait() {
    gate.withLock { while !isOpen { gate.wait() } }
  }
}

import Glibc
import Loop
import Moments

/// A lock with a condition, for threads that wait for each other.
///
/// Unchecked: the two C objects live at fixed addresses and are made for concurrent use.
final class Gate: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  init() {
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

  func withLock<Answer>(_ body: () -> Answer) -> Answer {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return body()
  }

  func wakeAll() { pthread_cond_broadcast(condition) }

  /// Waits for a wake-up with the lock held, at most until `deadline`.
  func wait(until deadline: Tick? = nil) {
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
}

/// Something that happens once and that a thread can wait for.
///
/// Unchecked: the flag is touched with the gate's lock only.
final class Latch: @unchecked Sendable {
  private let gate = Gate()
  private var isOpen = false

  func open() {
    gate.withLock { isOpen = true }
    gate.wakeAll()
  }

  func wait() {
    gate.withLock { while !isOpen { gate.wait() } }
  }
}

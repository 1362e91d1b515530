import Glibc

/// Work that blocks for a moment, on a thread of its own that ends with it.
public enum ShortThread {
  /// Runs a job on a new thread; on this one where the system has no more threads: better late than never.
  public static func run(_ job: @escaping @Sendable () -> Void) {
    let box = Unmanaged.passRetained(JobBox(job))
    var thread = pthread_t()
    let failure = pthread_create(
      &thread, nil,
      { pointer in
        if let pointer { Unmanaged<JobBox>.fromOpaque(pointer).takeRetainedValue().job() }
        return nil
      }, box.toOpaque())
    if failure == 0 { pthread_detach(thread) } else { box.takeRetainedValue().job() }
  }
}

private final class JobBox {
  let job: @Sendable () -> Void
  init(_ job: @escaping @Sendable () -> Void) { self.job = job }
}

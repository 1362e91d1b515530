import Loop

/// A thread for one piece of work that waits for the disk, and back to the loop with what came of it.
enum DiskThread {
  /// Runs `work` on a thread of its own; `completion` is called once, on the loop.
  ///
  /// - Returns: false when the kernel refuses a thread; then neither is called.
  static func run<Answer: Sendable>(
    _ work: @escaping @Sendable () -> Answer,
    completion: @escaping @LoopActor @Sendable (Answer) -> Void
  ) -> Bool {
    SystemThread.start(name: "homeward-disk") {
      let answer = work()
      EventLoop.current.post { completion(answer) }
    }
  }
}

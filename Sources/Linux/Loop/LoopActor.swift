/// The isolation of everything that runs on the event loop.
///
/// Sources, plugin host, runtime and sockets are `@LoopActor`: they call each other without hops or locks, and the
/// compiler keeps other threads out. Other threads come in through ``EventLoop/post(_:)`` only.
@globalActor
public actor LoopActor {
  /// The one instance.
  public static let shared = LoopActor()

  /// Jobs of this actor run on the thread of the loops.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    LoopThread.shared.asUnownedSerialExecutor()
  }

  /// Runs `operation` at once; stops the process when called on another thread than the loops'.
  public static func assumeIsolated<Answer: Sendable>(
    _ operation: @LoopActor () throws -> Answer
  ) rethrows -> Answer {
    LoopThread.shared.checkIsolated()
    return try withoutActuallyEscaping(operation) { escaping in
      try unsafeBitCast(escaping, to: (() throws -> Answer).self)()
    }
  }
}

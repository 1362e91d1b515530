/// The isolation of everything that runs on the event loop.
///
/// Sources, plugin host, runtime and sockets are `@LoopActor`: they call each other without hops or locks, and the
/// compiler keeps other threads out. Other threads come in through ``EventLoop/post(_:)`` only.
@globalActor
public actor LoopActor {
  /// The one instance.
  public static let shared = LoopActor()

  /// Jobs of this actor run on the loop's thread.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    EventLoop.shared.asUnownedSerialExecutor()
  }

  /// Runs `operation` at once; stops the process when called on another thread than the loop's.
  public static func assumeIsolated<Answer: Sendable>(
    _ operation: @LoopActor () throws -> Answer
  ) rethrows -> Answer {
    EventLoop.shared.checkIsolated()
    return try withoutActuallyEscaping(operation) { escaping in
      try unsafeBitCast(escaping, to: (() throws -> Answer).self)()
    }
  }
}

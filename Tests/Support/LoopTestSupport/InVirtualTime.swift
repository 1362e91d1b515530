public import Loop
import Moments
public import Testing

/// Runs each test of a suite, or one test, with a loop of its own in virtual time.
///
/// The test has to be isolated to `LoopActor`: time passes whenever it waits. One that works elsewhere, or with a program or
/// a thread that `SystemThread` did not start, holds time (`EventLoop.hold()`) until it has its answer, or keeps real time.
public struct InVirtualTime: TestTrait, SuiteTrait, TestScoping {
  /// Of a suite, each test has a loop of its own.
  public var isRecursive: Bool { true }

  /// Makes the loop, which ends with the test.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await EventLoop(time: .virtual(from: .seconds(1000))).run { try await function() }
  }
}

extension Trait where Self == InVirtualTime {
  /// In virtual time, on a loop of its own.
  public static var inVirtualTime: Self { InVirtualTime() }
}

extension EventLoop {
  /// Returns after so many milliseconds of the current loop's time, and of nobody else's where that is virtual.
  @LoopActor
  public static func pass(milliseconds: Int64) async {
    await withLoopContinuation { continuation in
      let timer = LoopTimer { continuation.resume() }
      timer.set(afterMilliseconds: milliseconds)
    }
  }
}

/// A continuation on a loop: from the moment on that it is resumed, virtual time stands still until whoever waited goes on.
public struct LoopContinuation<Answer: Sendable>: Sendable {
  fileprivate let loop: EventLoop
  fileprivate let continuation: CheckedContinuation<(Answer, TimeHold?), Never>

  /// Lets whoever waits go on with an answer; once, on any thread.
  public func resume(returning answer: Answer) {
    continuation.resume(returning: (answer, loop.hold()))
  }
}

extension LoopContinuation where Answer == Void {
  /// Lets whoever waits go on; once, on any thread.
  public func resume() { resume(returning: ()) }
}

/// As `withCheckedContinuation`, for tests in virtual time.
///
/// Between what resumes a task and the task itself, its thread may have nothing to do; time would pass there.
@LoopActor
public func withLoopContinuation<Answer: Sendable>(
  _ body: (LoopContinuation<Answer>) -> Void
) async -> Answer {
  let loop = EventLoop.current
  let (answer, hold) = await withCheckedContinuation { continuation in
    body(LoopContinuation(loop: loop, continuation: continuation))
  }
  hold?.end()
  return answer
}

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
    // Time stands still from the moment on that is waited for until whoever waits is back on the loop.
    let hold = await withCheckedContinuation { continuation in
      let timer = LoopTimer { continuation.resume(returning: EventLoop.current.hold()) }
      timer.set(afterMilliseconds: milliseconds)
    }
    hold?.end()
  }
}

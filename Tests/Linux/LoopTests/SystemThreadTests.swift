import Glibc
import Loop
import Testing

@Suite struct SystemThreadTests {
  /// How far a new thread stands back behind others: the kernel's niceness, of the thread that asks.
  private func niceness(givesWay: Bool) async -> Int32 {
    await withCheckedContinuation { continuation in
      let isStarted = SystemThread.start(name: "test", givesWay: givesWay) {
        continuation.resume(returning: getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0))
      }
      #expect(isStarted)
    }
  }

  @Test("A thread that gives way stands behind the others of its process, and they stay")
  func givesWay() async {
    let before = await niceness(givesWay: false)
    #expect(await niceness(givesWay: true) == max(before, 10))
    #expect(await niceness(givesWay: false) == before)
  }
}

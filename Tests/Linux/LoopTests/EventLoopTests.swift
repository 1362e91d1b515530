import Glibc
import Loop
import Moments
import Testing

@Suite struct EventLoopTests {
  @Test func postedWorkRunsOnTheLoopInOrder() async {
    let seen = await withCheckedContinuation { continuation in
      EventLoop.current.post {
        var seen: [Int] = []
        EventLoop.current.post { seen.append(1) }
        EventLoop.current.post { seen.append(2) }
        EventLoop.current.post { continuation.resume(returning: seen) }
      }
    }
    #expect(seen == [1, 2])
  }

  @Test @LoopActor func workInTurnIsDonePieceByPieceAndWhatIsPostedMeanwhileComesFirst() async {
    var seen: [String] = []
    await withCheckedContinuation { continuation in
      for piece in ["a", "b", "c"] {
        EventLoop.current.postInTurn {
          seen.append(piece)
          EventLoop.current.post { seen.append("after \(piece)") }
          if piece == "a" { EventLoop.current.postInTurn { seen.append("d") } }
          if piece == "c" {
            EventLoop.current.postInTurn { EventLoop.current.post { continuation.resume() } }
          }
        }
      }
    }
    #expect(seen == ["a", "after a", "b", "after b", "c", "after c", "d"])
  }

  /// What came from each sender, and whether it came in order.
  @LoopActor private final class Arrivals {
    private(set) var counts: [Int]
    private(set) var areInOrder = true

    nonisolated init(senders: Int) { counts = Array(repeating: 0, count: senders) }

    func note(_ number: Int, from sender: Int) {
      areInOrder = areInOrder && number == counts[sender]
      counts[sender] += 1
    }
  }

  /// Under the thread sanitizer this also shows that it sees the inbox's lock while threads wait for it: if it did not,
  /// it would report races here.
  @Test func workThatManyPostAtOnceAllRunsAndInEachOnesOrder() async {
    let (senders, each) = (4, 20_000)
    let arrivals = Arrivals(senders: senders)
    await withTaskGroup(of: Void.self) { group in
      for sender in 0..<senders {
        group.addTask {
          for number in 0..<each { EventLoop.current.post { arrivals.note(number, from: sender) } }
        }
      }
    }
    let (counts, areInOrder) = await withCheckedContinuation { continuation in
      EventLoop.current.post {
        continuation.resume(returning: (arrivals.counts, arrivals.areInOrder))
      }
    }
    #expect(counts == Array(repeating: each, count: senders))
    #expect(areInOrder)
  }

  @Test @LoopActor func jobsOfTheActorRunOnTheLoop() async {
    EventLoop.current.checkIsolated()
  }

  @Test @LoopActor func aTimerFiresOnceNotBeforeItsDeadline() async {
    let start = EventLoop.now
    var fired: [Tick] = []
    await withCheckedContinuation { continuation in
      var timer: LoopTimer?
      timer = LoopTimer {
        fired.append(EventLoop.now)
        timer = nil
        continuation.resume()
      }
      timer?.set(afterMilliseconds: 20)
    }
    #expect(fired.count == 1)
    #expect(fired.allSatisfy { $0.milliseconds(since: start) >= 20 })
  }

  @Test @LoopActor func aCancelledTimerStaysSilentWhileALaterOneFires() async {
    var cancelledFired = false
    let cancelled = LoopTimer { cancelledFired = true }
    cancelled.set(afterMilliseconds: 5)
    cancelled.cancel()
    await withCheckedContinuation { continuation in
      let later = LoopTimer { continuation.resume() }
      later.set(afterMilliseconds: 15)
    }
    #expect(!cancelledFired)
  }

  @Test("A timer that is set anew, for sooner or for later, fires at its last deadline")
  @LoopActor func aTimerSetAnew() async {
    let start = EventLoop.now
    var fired: [(name: String, tick: Tick)] = []
    await withCheckedContinuation { continuation in
      let soon = LoopTimer { fired.append(("soon", EventLoop.now)) }
      let late = LoopTimer {
        fired.append(("late", EventLoop.now))
        continuation.resume()
      }
      late.set(afterMilliseconds: 5)
      soon.set(afterMilliseconds: 3_600_000)
      late.set(afterMilliseconds: 30)
      soon.set(afterMilliseconds: 15)
    }
    #expect(fired.map(\.name) == ["soon", "late"])
    for (one, least) in zip(fired, [15, 30] as [Int64]) {
      #expect(one.tick.milliseconds(since: start) >= least)
    }
  }

  @Test @LoopActor func aPipeWakesItsHandlerWithWhatArrived() async {
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    let received = await withCheckedContinuation { continuation in
      EventLoop.current.watch(ends[0], for: .reading) { readiness in
        guard readiness.isReadable else { return }
        var byte: UInt8 = 0
        read(ends[0], &byte, 1)
        EventLoop.current.unwatch(ends[0])
        continuation.resume(returning: byte)
      }
      var sent: UInt8 = 42
      write(ends[1], &sent, 1)
    }
    #expect(received == 42)
    close(ends[0])
    close(ends[1])
  }

  @Test @LoopActor func aPausedReaderIsNotWokenByAHangUpAndReadsOnAfterwards() async {
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    var wokenWhilePaused = 0
    var isPaused = true
    let received = await withCheckedContinuation { continuation in
      EventLoop.current.watch(ends[0], for: .reading) { _ in
        guard !isPaused else {
          wokenWhilePaused += 1
          return
        }
        var bytes = [UInt8](repeating: 0, count: 8)
        let count = read(ends[0], &bytes, bytes.count)
        EventLoop.current.unwatch(ends[0])
        continuation.resume(returning: bytes.prefix(max(0, count)).map { $0 })
      }
      EventLoop.current.setInterest([], of: ends[0])
      var sent: UInt8 = 7
      write(ends[1], &sent, 1)
      close(ends[1])
      let resume = LoopTimer {
        isPaused = false
        EventLoop.current.setInterest(.reading, of: ends[0])
      }
      resume.set(afterMilliseconds: 20)
    }
    #expect(received == [7])
    #expect(wokenWhilePaused == 0)
    close(ends[0])
  }

  @Test @LoopActor func aRegularFileIsRefusedAndNotWatched() {
    let file = open("/proc/self/exe", O_RDONLY)
    #expect(!EventLoop.current.watch(file, for: .reading) { _ in })
    close(file)
  }
}

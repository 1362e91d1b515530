import Glibc
import Loop
import LoopTestSupport
import Moments
import Synchronization
import Testing

@Suite("Virtual time", .inVirtualTime) @LoopActor struct VirtualTimeTests {
  /// What happened, and how many milliseconds after the beginning.
  @LoopActor private final class Notes {
    private let start = EventLoop.now
    private(set) var entries: [String] = []

    func note(_ text: String) {
      entries.append("\(text) \(EventLoop.now.milliseconds(since: start))")
    }

    /// Timers stay with the loop while they are set.
    func note(_ text: String, afterMilliseconds milliseconds: Int64) {
      timer(text).set(afterMilliseconds: milliseconds)
    }

    func timer(_ text: String) -> LoopTimer { LoopTimer { self.note(text) } }
  }

  private let notes = Notes()

  /// Lets the loop turn: what could happen without time passing has happened.
  private func turn() async {
    for _ in 0..<50 {
      await withCheckedContinuation { continuation in
        EventLoop.current.post { continuation.resume() }
      }
    }
  }

  @Test("Timers fire by their time, and those of the same time in the order in which they were set")
  func order() async {
    for number in 0..<20 { notes.note("b\(number)", afterMilliseconds: 70_000) }
    for number in 0..<20 { notes.note("a\(number)", afterMilliseconds: 5) }
    await EventLoop.pass(milliseconds: 70_000)
    let expected = (0..<20).map { "a\($0) 5" } + (0..<20).map { "b\($0) 70000" }
    #expect(notes.entries == expected)
  }

  @Test("No time passes while work waits for its turn")
  func inTurn() async {
    notes.note("late", afterMilliseconds: 10)
    for number in 0..<3 {
      EventLoop.current.postInTurn { [notes] in
        notes.note("piece \(number)")
        EventLoop.current.postInTurn { notes.note("then \(number)") }
      }
    }
    await EventLoop.pass(milliseconds: 20)
    let (pieces, rest) = ((0..<3).map { "piece \($0) 0" }, (0..<3).map { "then \($0) 0" })
    #expect(notes.entries == pieces + rest + ["late 10"])
  }

  @Test(
    "A timer that is set again takes its new time and its new place, and one that is cancelled is silent"
  )
  func setAgain() async {
    let (early, late, never) = (notes.timer("early"), notes.timer("late"), notes.timer("never"))
    for timer in [early, late, never] { timer.set(afterMilliseconds: 10) }
    early.set(afterMilliseconds: 20)
    never.cancel()
    notes.note("between", afterMilliseconds: 20)
    late.set(afterMilliseconds: 20)
    // The same time as before is no new one.
    early.set(afterMilliseconds: 20)
    await EventLoop.pass(milliseconds: 86_400_000)
    #expect(notes.entries == ["early 20", "between 20", "late 20"])
  }

  @Test(
    "A timer can cancel another that is due with it, and one that is due in no time comes after it")
  func timersOfTimers() async {
    let victim = notes.timer("victim")
    let first = LoopTimer { [notes] in
      notes.note("first")
      victim.cancel()
      notes.note("third", afterMilliseconds: 5)
      notes.note("second", afterMilliseconds: 0)
    }
    first.set(afterMilliseconds: 10)
    victim.set(afterMilliseconds: 10)
    await EventLoop.pass(milliseconds: 1000)
    #expect(notes.entries == ["first 10", "second 10", "third 15"])
  }

  @Test("What is posted runs before time passes, and so does what it posts")
  func work() async {
    notes.note("timer", afterMilliseconds: 1)
    let notes = notes
    EventLoop.current.post {
      notes.note("one")
      EventLoop.current.post { notes.note("two") }
    }
    await EventLoop.pass(milliseconds: 1)
    #expect(notes.entries == ["one 0", "two 0", "timer 1"])
  }

  @Test("A descriptor that becomes readable is read before the next timer")
  func descriptors() async {
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    let (reading, writing) = (ends[0], ends[1])
    EventLoop.current.watch(reading, for: .reading) { [notes] _ in
      var byte: UInt8 = 0
      read(reading, &byte, 1)
      notes.note("read \(byte)")
    }
    let writer = LoopTimer { [notes] in
      notes.note("written")
      var byte: UInt8 = 7
      write(writing, &byte, 1)
    }
    writer.set(afterMilliseconds: 10)
    notes.note("next", afterMilliseconds: 11)
    await EventLoop.pass(milliseconds: 11)
    EventLoop.current.unwatch(reading)
    #expect(notes.entries == ["written 10", "read 7 10", "next 11"])
    close(reading)
    close(writing)
  }

  @Test("A hold keeps time still until it ends, or goes away")
  func holds() async throws {
    let first = try #require(EventLoop.current.hold())
    var second = EventLoop.current.hold()
    #expect(second != nil)
    notes.note("timer", afterMilliseconds: 1)
    await turn()
    first.end()
    first.end()
    await turn()
    #expect(notes.entries.isEmpty)
    second = nil
    await EventLoop.pass(milliseconds: 1)
    #expect(notes.entries == ["timer 1"])
  }

  @Test("Time stands still while a thread works, which lives in its loop's time")
  func threads() async {
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    let (reading, writing) = (ends[0], ends[1])
    let start = EventLoop.now
    let notes = notes
    notes.note("timer", afterMilliseconds: 1)
    let isStarted = SystemThread.start(name: "test") {
      var byte: UInt8 = 0
      read(reading, &byte, 1)
      let isInTime = EventLoop.now == start
      EventLoop.current.post { notes.note("thread \(byte) \(isInTime)") }
    }
    #expect(isStarted)
    await turn()
    #expect(notes.entries.isEmpty)
    var byte: UInt8 = 9
    write(writing, &byte, 1)
    await EventLoop.pass(milliseconds: 1)
    #expect(notes.entries == ["thread 9 true 0", "timer 1"])
    close(reading)
    close(writing)
  }

  /// A thread that takes what it is given at a gate, and tells when.
  private final class Taker: Sendable {
    private struct State {
      var given: [String] = []
      var isOver = false
    }

    private let gate = Gate()
    private let state = Mutex(State())
    let notes: Notes

    init(_ notes: Notes) { self.notes = notes }

    /// Takes until it is told to stop; what it waits for longer than a minute, it says.
    func run() {
      while true {
        let deadline = EventLoop.now.advanced(byMilliseconds: 60_000)
        let next: State = gate.withLock {
          while state.withLock({ $0.given.isEmpty && !$0.isOver }), EventLoop.now < deadline {
            gate.wait(until: deadline)
          }
          return state.withLock { state in
            defer { state.given = [] }
            return state
          }
        }
        let notes = notes
        let words = next.given.isEmpty && !next.isOver ? ["nothing"] : next.given
        EventLoop.current.post { for word in words { notes.note(word) } }
        if next.isOver { return }
      }
    }

    func give(_ word: String) {
      gate.withLock { state.withLock { $0.given.append(word) } }
      gate.wakeAll()
    }

    func stop() {
      gate.withLock { state.withLock { $0.isOver = true } }
      gate.wakeAll()
    }
  }

  @Test(
    "A thread that waits at a gate lets time pass, wakes at its deadline, and holds time when it is woken"
  )
  func gates() async {
    let taker = Taker(notes)
    #expect(SystemThread.start(name: "test") { taker.run() })
    let giver = LoopTimer { taker.give("ball") }
    giver.set(afterMilliseconds: 90_000)
    notes.note("timer", afterMilliseconds: 90_001)
    await EventLoop.pass(milliseconds: 160_000)
    taker.stop()
    await EventLoop.pass(milliseconds: 1)
    #expect(notes.entries == ["nothing 60000", "ball 90000", "timer 90001", "nothing 150000"])
  }

  @Test("A latch that a thread waits for lets time pass until it is open")
  func latches() async {
    let (latch, notes) = (Latch(), notes)
    #expect(
      SystemThread.start(name: "test") {
        latch.wait()
        EventLoop.current.post { notes.note("open") }
      })
    let opener = LoopTimer { latch.open() }
    opener.set(afterMilliseconds: 3_600_000)
    notes.note("later", afterMilliseconds: 3_600_001)
    await EventLoop.pass(milliseconds: 3_600_001)
    #expect(notes.entries == ["open 3600000", "later 3600001"])
  }

  @Test("A year passes in a moment, an hour at a time")
  func year() async {
    let start = EventLoop.now
    let hours: Int64 = 365 * 24
    let late = await withCheckedContinuation { (continuation: CheckedContinuation<Int64, Never>) in
      var (passed, late) = (Int64(0), Int64(0))
      var next: LoopTimer?
      let timer = LoopTimer {
        passed += 1
        late = max(late, EventLoop.now.milliseconds(since: start) - passed * 3_600_000)
        guard passed < hours else {
          next = nil
          return continuation.resume(returning: late)
        }
        next?.set(at: start.advanced(byMilliseconds: (passed + 1) * 3_600_000))
      }
      next = timer
      timer.set(afterMilliseconds: 3_600_000)
    }
    #expect(late == 0)
    #expect(EventLoop.now.milliseconds(since: start) == hours * 3_600_000)
  }

  @Test("Pauses that grow take the time that they say")
  func pauses() async {
    var backoff = Backoff(firstMilliseconds: 1000, longestMilliseconds: 60_000)
    for _ in 0..<8 {
      await EventLoop.pass(milliseconds: backoff.next())
      notes.note("tried")
    }
    let moments = [1000, 3000, 7000, 15_000, 31_000, 63_000, 123_000, 183_000]
    #expect(notes.entries == moments.map { "tried \($0)" })
  }

  @Test("Each loop has its own time, and what one runs does not see the other's")
  func loops() async {
    let outer = EventLoop.current
    let start = outer.now
    let other = EventLoop(time: .virtual(from: .seconds(5)))
    await other.run {
      #expect(EventLoop.current === other && EventLoop.now == .seconds(5))
      // What the outer loop waits for comes in its own time.
      outer.post { [notes] in
        notes.note("outer")
        #expect(EventLoop.current === outer)
      }
      let held = outer.hold()
      await EventLoop.pass(milliseconds: 7000)
      #expect(EventLoop.now == .seconds(12) && outer.now == start)
      held?.end()
    }
    #expect(EventLoop.current === outer)
    #expect(notes.entries == ["outer 0"])
    #expect(EventLoop.shared !== outer && EventLoop.shared.hold() == nil)
  }

  @Test("A loop that has ended fires no timer")
  func ended() async {
    let other = EventLoop(time: .virtual(from: .seconds(5)))
    let notes = notes
    await other.run { notes.note("never", afterMilliseconds: 1) }
    await EventLoop.pass(milliseconds: 1000)
    #expect(notes.entries.isEmpty && other.now == .seconds(5))
  }
}

@Suite("Loops in real time") @LoopActor struct RealTimeTests {
  @Test("A second loop keeps the machine's time, and ends without a trace")
  func second() async {
    let loop = EventLoop(time: .real)
    let start = EventLoop.shared.now
    await loop.run {
      #expect(EventLoop.current === loop)
      await EventLoop.pass(milliseconds: 5)
      await withCheckedContinuation { continuation in
        EventLoop.current.post {
          #expect(EventLoop.current === loop)
          continuation.resume()
        }
      }
    }
    #expect(EventLoop.shared.now.milliseconds(since: start) >= 5)
    #expect(EventLoop.current === EventLoop.shared)
  }

  @Test("Timers that are due together fire in the order in which they were set")
  func order() async {
    var fired: [Int] = []
    let due = EventLoop.now.advanced(byMilliseconds: 3)
    let timers = (0..<50).map { number in LoopTimer { fired.append(number) } }
    for timer in timers.reversed() { timer.set(at: due) }
    await EventLoop.pass(milliseconds: 4)
    #expect(fired == Array((0..<50).reversed()))
  }
}

import Care
import Moments
import Testing

@testable import Loudspeaker

@Suite struct SoundQueueTests {
  private func request(
    _ id: SoundID, _ priority: SoundPriority, repetitions: Int? = 1
  ) -> SoundRequest {
    SoundRequest(id: id, priority: priority, parts: [.pattern("chime")], repetitions: repetitions)
  }

  @Test func theMostUrgentSoundsAndAmongEqualsTheFirst() {
    var queue = SoundQueue()
    for (id, priority) in [
      ("chime", SoundPriority.chime), ("first", .reminder), ("second", .reminder), ("call", .call),
      ("alarm", .emergency),
    ] { #expect(queue.put(request(SoundID(id), priority)) == []) }
    var order: [String] = []
    while let id = queue.choose(at: .seconds(1)).id {
      order.append(id.rawValue)
      queue[id] = nil
    }
    #expect(order == ["alarm", "call", "first", "second", "chime"])
  }

  @Test func aSingleSoundThatWaited30SecondsBehindAMoreUrgentOneIsNotFreshAnyMore() {
    var queue = SoundQueue()
    _ = queue.put(request("alarm", .emergency, repetitions: nil))
    _ = queue.put(request("once", .reminder))
    _ = queue.put(request("again", .call, repetitions: nil))
    #expect(queue.choose(at: .seconds(100)).reports == [])
    #expect(queue.choose(at: Tick(nanoseconds: 129_999_000_000)).reports == [])
    let outcome = queue.choose(at: .seconds(130))
    #expect(outcome.id == "alarm")
    #expect(outcome.reports == [SoundReport(sound: "once", outcome: .stopped)])
    #expect(queue.entries.map(\.request.id) == ["alarm", "again"])
  }

  @Test func whatWaitsBehindItsEqualsStaysFresh() {
    var queue = SoundQueue()
    _ = queue.put(request("nine-o-clock", .reminder))
    _ = queue.put(request("also-nine", .reminder))
    _ = queue.choose(at: .seconds(0))
    let outcome = queue.choose(at: .seconds(600))
    #expect(outcome.id == "nine-o-clock" && outcome.reports.isEmpty)
    #expect(queue.entries.count == 2)
  }

  @Test func beingInterruptedTwiceForAWhileDoesNotAddUp() {
    var queue = SoundQueue()
    _ = queue.put(request("once", .reminder))
    for start in [0, 100] as [Int64] {
      _ = queue.put(request("alarm", .emergency))
      _ = queue.choose(at: .seconds(start))
      #expect(queue.choose(at: .seconds(start + 20)).reports.isEmpty)
      queue["alarm"] = nil
      #expect(queue.choose(at: .seconds(start + 21)).id == "once")
    }
  }

  @Test func anEndlessSoundYieldsToItsEqualsOnly() {
    var queue = SoundQueue()
    _ = queue.put(request("a", .emergency, repetitions: nil))
    _ = queue.put(request("low", .chime))
    let yieldsToNobody = queue.yieldTurn("a")
    #expect(!yieldsToNobody)
    _ = queue.put(request("b", .emergency, repetitions: nil))
    #expect(queue.yieldTurn("a") == true)
    #expect(queue.choose(at: .seconds(1)).id == "b")
    #expect(queue.yieldTurn("b") == true)
    #expect(queue.choose(at: .seconds(1)).id == "a")
  }

  @Test func ofTooManyTheLeastUrgentFails() {
    var queue = SoundQueue()
    for number in 0..<SoundQueue.limit {
      #expect(queue.put(request(SoundID("r\(number)"), .reminder)).isEmpty)
    }
    #expect(
      queue.put(request("late", .reminder)) == [SoundReport(sound: "late", outcome: .failed)])
    #expect(
      queue.put(request("alarm", .emergency)) == [SoundReport(sound: "r31", outcome: .failed)])
    #expect(queue.choose(at: .seconds(1)).id == "alarm")
  }

  @Test func aSoundOfTheSameIdReplacesTheOldOneAndNothingToSoundFails() {
    var queue = SoundQueue()
    _ = queue.put(request("a", .chime))
    #expect(queue.put(request("a", .call)) == [SoundReport(sound: "a", outcome: .stopped)])
    #expect(queue.entries.map(\.request.priority) == [.call])
    #expect(
      queue.put(request("a", .call, repetitions: 0)) == [
        SoundReport(sound: "a", outcome: .stopped), SoundReport(sound: "a", outcome: .failed),
      ])
    #expect(queue.put(request("b", .call, repetitions: -3)).map(\.outcome) == [.failed])
    #expect(queue.isEmpty)
  }

  @Test func withoutACardSinglesFailAfter30SecondsAndTheOthersWait() {
    var queue = SoundQueue()
    _ = queue.put(request("once", .emergency))
    _ = queue.put(request("thrice", .reminder, repetitions: 3))
    #expect(queue.block(at: .seconds(0)).isEmpty)
    #expect(
      queue.block(at: .seconds(30)) == [SoundReport(sound: "once", outcome: .failed)])
    #expect(queue.block(at: .seconds(3_000)).isEmpty)
    #expect(queue.entries.map(\.request.id) == ["thrice"])
  }

  @Test func aMissingCardIsLookedForEveryTwoSecondsAtFirstAndOnceAMinuteInTheEnd() {
    var retry = CardRetry()
    #expect(retry.isDue(at: .seconds(0)))
    var now = Tick.seconds(0)
    var pauses: [Int64] = []
    for _ in 0..<9 {
      retry.failed(at: now)
      let next = retry.next ?? now
      #expect(!retry.isDue(at: now) && retry.isDue(at: next))
      let pause = retry.pause(at: now, whileSoundsWait: false)
      #expect(retry.isDue(at: now.advanced(byMilliseconds: pause)), "one wait, not two")
      #expect(retry.pause(at: now, whileSoundsWait: true) == 1_000)
      pauses.append(next.milliseconds(since: now))
      now = next
    }
    #expect(pauses == [2_000, 2_000, 2_000, 5_000, 10_000, 30_000, 60_000, 60_000, 60_000])
    retry.succeeded()
    #expect(retry.isDue(at: now))
  }
}

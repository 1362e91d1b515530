import Bytes
import Door
import JSON
import Testing

/// How many may ask at a time, and who makes room for whom.
@Suite("Quotas") struct QuotaTests {
  private typealias Taken = Quota.Taken<Int>

  private static let quota = Quota(ordinary: 4, share: 2, keptFree: 2)

  private static func idle(_ holder: Int) -> Taken {
    Taken(holder: holder, place: .ordinary, isIdle: true, isAtWork: false)
  }

  private static func busy(_ holder: Int) -> Taken {
    Taken(holder: holder, place: .ordinary, isIdle: false, isAtWork: true)
  }

  private static func kept(_ holder: Int, isAtWork: Bool = true) -> Taken {
    Taken(holder: holder, place: .keptFree, isIdle: !isAtWork, isAtWork: isAtWork)
  }

  private func room(for holder: Int, _ taken: [Taken]) -> Quota.Room {
    Self.quota.room(for: holder, beside: taken)
  }

  @Test("While there are places, and of one's own share, everybody gets one")
  func free() {
    #expect(room(for: 1, []) == Quota.Room(.ordinary))
    #expect(room(for: 1, [Self.busy(1), Self.busy(2), Self.busy(2)]) == Quota.Room(.ordinary))
    // Places that are kept free are none of the others.
    #expect(room(for: 1, [Self.kept(1), Self.kept(1)]) == Quota.Room(.ordinary))
  }

  @Test("Who has a full share makes room for themselves by what has been idle for longest")
  func ownShare() {
    #expect(
      room(for: 1, [Self.busy(1), Self.idle(2), Self.idle(1)])
        == Quota.Room(.ordinary, ended: 2))
    #expect(
      room(for: 1, [Self.idle(1), Self.idle(1)]) == Quota.Room(.ordinary, ended: 0))
    // Others make no room for them.
    #expect(room(for: 1, [Self.busy(1), Self.busy(1), Self.idle(2)]) == Quota.Room(.keptFree))
  }

  @Test("When all places are taken whoever has most of them makes room")
  func full() {
    let taken = [Self.idle(1), Self.busy(2), Self.idle(2), Self.idle(3)]
    #expect(room(for: 4, taken) == Quota.Room(.ordinary, ended: 2))
    // Of equals the first by name.
    let equals = [Self.idle(2), Self.idle(2), Self.idle(1), Self.idle(1)]
    #expect(room(for: 4, equals) == Quota.Room(.ordinary, ended: 2))
    let atWork = [Self.busy(2), Self.busy(2), Self.idle(1), Self.busy(3)]
    #expect(room(for: 4, atWork) == Quota.Room(.keptFree), "who has most is at work")
  }

  @Test("Beside full places a few are kept free, and there only who is at work stays")
  func keptFree() {
    let full = [Self.busy(1), Self.busy(1), Self.busy(2), Self.busy(2)]
    #expect(room(for: 1, full) == Quota.Room(.keptFree))
    #expect(room(for: 1, full + [Self.kept(1)]) == Quota.Room(.keptFree))
    #expect(
      room(for: 3, full + [Self.kept(1), Self.kept(1, isAtWork: false)])
        == Quota.Room(.keptFree, ended: 5))
    #expect(room(for: 3, full + [Self.kept(1), Self.kept(1)]) == Quota.Room(nil))
    // More than there are: those who were told that there is no place, and have not gone yet.
    let many = full + [Self.kept(1), Self.kept(1), Self.kept(3, isAtWork: false)]
    #expect(room(for: 3, many) == Quota.Room(nil))
    let told = full + [Self.kept(1), Self.kept(1), Self.kept(1, isAtWork: false)]
    #expect(room(for: 3, told) == Quota.Room(nil, ended: 6))
  }

  @Test("However many come, there are never more than places, nor than a share for each")
  func never() {
    var random = SplitMix64(seed: 7)
    var taken: [Taken] = []
    for _ in 0..<5000 {
      let holder = Int(random.next() % 5)
      let room = room(for: holder, taken)
      if let ended = room.ended { taken.remove(at: ended) }
      if let place = room.place {
        let isAtWork = random.next() % 3 == 0
        taken.append(
          Taken(
            holder: holder, place: place, isIdle: !isAtWork && random.next() % 2 == 0,
            isAtWork: isAtWork))
      }
      if random.next() % 4 == 0, !taken.isEmpty {
        taken.remove(at: Int(random.next() % UInt64(taken.count)))
      }
      let ordinary = taken.filter { $0.place == .ordinary }
      #expect(ordinary.count <= Self.quota.ordinary)
      #expect(taken.count - ordinary.count <= Self.quota.keptFree)
      for holder in 0..<5 {
        #expect(ordinary.count { $0.holder == holder } <= Self.quota.share)
      }
    }
  }

  @Test("A command is urgent by what it asks for, and everything else by its route")
  func urgent() {
    func command(_ action: String) -> JSONValue {
      ["command": ["id": "c", "request": ["action": .string(action)]]]
    }
    for action in ["sos.raise", "sos.cancel", "alarm.acknowledge", "alarm.silence"] {
      #expect(Route.command.isUrgent(with: command(action)), "\(action)")
    }
    for action in ["resident.erase", "alarm.test", "", "sos"] {
      #expect(!Route.command.isUrgent(with: command(action)), "\(action)")
    }
    #expect(!Route.command.isUrgent(with: [:]))
    #expect(Route.alarmsList.isUrgent(with: command("resident.erase")))
    #expect(!Route.status.isUrgent(with: command("sos.raise")))
  }
}

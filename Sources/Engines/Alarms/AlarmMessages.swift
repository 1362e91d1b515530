import Care
import Moments

/// What guardians are told of one alarm, each thing to each guardian by each channel once, in a fixed order.
struct AlarmMessages: Hashable, Sendable, RandomAccessCollection {
  private var list: [GuardianMessage] = []

  var startIndex: Int { list.startIndex }
  var endIndex: Int { list.endIndex }

  /// One of them; a change moves none.
  subscript(place: Int) -> GuardianMessage {
    get { list[place] }
    set { list[place] = newValue }
  }

  /// The place of what is told of something to a guardian by a channel.
  private func place(of message: GuardianMessage) -> Int? {
    list.firstIndex { $0.isSame(as: message) }
  }

  /// Those that are the same as some others, as they are stored.
  mutating func restore(_ others: AlarmMessages) {
    list += others.list
    list.sort(by: GuardianMessage.isBefore)
  }

  /// Takes one as it was stored.
  init(stored message: GuardianMessage) { list = [message] }

  init() {}

  mutating func mapStamps(_ change: (inout Stamp) -> Void) {
    for place in list.indices {
      change(&list[place].created)
      change(&list[place].since)
    }
  }

  // MARK: What became of them

  /// Those that say that help is needed.
  var ofAlarm: [GuardianMessage] { list.filter(\.notice.isAlarm) }

  /// The ways by which the alarm itself was handed to somebody.
  var told: [GuardianMessage] { ofAlarm.filter { $0.attempt > 0 } }

  /// The ways by which somebody was told that help is needed, each once, in a fixed order.
  var toldWays: [GuardianWay] {
    var ways: [GuardianWay] = []
    for message in told where !ways.contains(message.way) { ways.append(message.way) }
    return ways
  }

  /// The ways by which everybody but one was told, by a call only whom nothing else told.
  func calmWays(toAllBut helper: GuardianID) -> [GuardianWay] {
    let others = toldWays.filter { $0.guardian != helper }
    return others.filter { way in
      way.channel != .voice
        || !others.contains { $0.guardian == way.guardian && $0.channel != .voice }
    }
  }

  /// Whether none of those that say something has a way.
  func haveNoWay(_ notice: AlarmNotice) -> Bool {
    let own = list.filter { $0.notice == notice }
    return !own.isEmpty && own.allSatisfy { $0.progress == .noWay }
  }

  /// Whether all that say that help is needed have failed, and none ever got through.
  var areFailing: Bool { ofAlarm.allSatisfy { $0.failures > 0 && !$0.wasSent } }

  // MARK: Telling

  /// Adds those that are not among them yet.
  mutating func plan(_ messages: [GuardianMessage]) {
    let count = list.count
    for message in messages where place(of: message) == nil { list.append(message) }
    if list.count > count { list.sort(by: GuardianMessage.isBefore) }
  }

  /// Tells something to the given ways; what was told before is told anew.
  mutating func tell(
    _ notice: AlarmNotice, _ ways: [GuardianWay], at now: Moment
  ) {
    for way in ways {
      let message = GuardianMessage(notice, way.guardian, way.channel, at: now)
      if let place = place(of: message) {
        list[place].renew(at: now)
      } else {
        list.append(message)
      }
    }
    list.sort(by: GuardianMessage.isBefore)
  }

  /// Tells anew what is meant.
  mutating func renew(at now: Moment, where isMeant: (GuardianMessage) -> Bool) {
    for place in list.indices where isMeant(list[place]) { list[place].renew(at: now) }
  }

  /// Tells what waited for a way that there is now.
  mutating func takeUp(by carriers: Carriers, at now: Moment) {
    for place in list.indices
    where list[place].progress == .noWay && carriers.carry(list[place].channel) {
      list[place].takeUp(at: now)
    }
  }
}

import Care
import JSON
import Moments

/// What waits to be sent: alarms first, each once, at most so many.
struct Outbox: Hashable, Sendable {
  /// The most that waits.
  static let capacity = 200
  /// How many dispatches are remembered so that none is sent twice.
  static let remembered = 500
  /// How long a message waits for a modem that works, or a network.
  static let patienceMilliseconds: Int64 = 120_000
  /// How long a call waits for others to end, and for the modem: five guardians who do not answer take as long.
  static let callPatienceMilliseconds: Int64 = 600_000
  /// Waits before the second and the third try, in milliseconds.
  static let retryMilliseconds: [Int64] = [3000, 10_000]

  /// A dispatch with how it fared so far.
  struct Entry: Hashable, Sendable {
    var dispatch: Dispatch
    var takenAt: Timestamp
    var since: Tick
    var notBefore: Tick
    var tries = 0
    var lastReason = ""
  }

  /// What became of a dispatch that was handed in.
  enum Admission: Hashable, Sendable {
    case taken
    case known
    case full
  }

  private struct Attempt: Hashable {
    var key: Dispatch.Key
    var number: Int64
  }

  private(set) var waiting: [Entry] = []
  private var known: [Attempt] = []

  /// Takes a dispatch; a newer attempt takes the place of an older one that still waits.
  mutating func add(_ dispatch: Dispatch, takenAt: Timestamp, at now: Tick) -> Admission {
    let attempt = Attempt(key: dispatch.key, number: dispatch.attempt)
    guard !known.contains(attempt) else { return .known }
    let entry = Entry(dispatch: dispatch, takenAt: takenAt, since: now, notBefore: now)
    if let index = waiting.firstIndex(where: {
      $0.dispatch.key == dispatch.key && $0.dispatch.attempt < dispatch.attempt
    }) {
      waiting[index] = entry
    } else if waiting.count < Self.capacity {
      waiting.append(entry)
    } else if let index = waiting.lastIndex(where: { $0.dispatch.rank > dispatch.rank }) {
      waiting[index] = entry
    } else {
      return .full
    }
    known.append(attempt)
    if known.count > Self.remembered { known.removeFirst(known.count - Self.remembered) }
    return .taken
  }

  /// Takes out what is to be sent now by a channel: the most urgent, of those the oldest.
  mutating func next(
    _ channel: Guardian.Channel, at now: Tick, emergencyOnly: Bool = false
  ) -> Entry? {
    let ready = waiting.indices.filter {
      let entry = waiting[$0]
      return entry.dispatch.key.channel == channel && entry.notBefore <= now
        && (!emergencyOnly || entry.dispatch.isEmergency)
    }
    let first = ready.min { (waiting[$0].dispatch.rank, $0) < (waiting[$1].dispatch.rank, $1) }
    return first.map { waiting.remove(at: $0) }
  }

  /// Puts back what was refused; false when it has had its tries.
  mutating func putBack(_ entry: Entry, because reason: String, at now: Tick) -> Bool {
    guard entry.tries < Self.retryMilliseconds.count else { return false }
    var entry = entry
    entry.notBefore = now.advanced(byMilliseconds: Self.retryMilliseconds[entry.tries])
    entry.tries += 1
    entry.lastReason = reason
    waiting.append(entry)
    return true
  }

  /// Puts back what could not be tried, because the modem stopped answering; it keeps its tries.
  mutating func putBackUntried(_ entry: Entry, because reason: String) {
    var entry = entry
    entry.lastReason = reason
    waiting.insert(entry, at: 0)
  }

  /// Puts back what the network did not take because a call was on; it keeps its tries.
  mutating func putBack(_ entry: Entry, because reason: String, notBefore time: Tick) {
    putBackUntried(entry, because: reason)
    waiting[0].notBefore = time
  }

  /// Whether something waits to be sent by a channel now.
  func isWaiting(_ channel: Guardian.Channel, at now: Tick, emergencyOnly: Bool = false) -> Bool {
    waiting.contains {
      $0.dispatch.key.channel == channel && $0.notBefore <= now
        && (!emergencyOnly || $0.dispatch.isEmergency)
    }
  }

  /// Takes out what is not wanted any more.
  mutating func remove(_ key: Dispatch.Key) { waiting.removeAll { $0.dispatch.key == key } }

  /// Takes out the alarms, and the news of who took charge, that still wait when a later word of the same event comes.
  mutating func removeOutdated(by dispatch: Dispatch) -> [Entry] {
    let isOutdated: (Entry) -> Bool = {
      $0.dispatch.key.event == dispatch.key.event && $0.dispatch.isOutdated(by: dispatch)
    }
    defer { waiting.removeAll(where: isOutdated) }
    return waiting.filter(isOutdated)
  }

  private static func patience(for dispatch: Dispatch) -> Int64 {
    dispatch.key.channel == .voice ? callPatienceMilliseconds : patienceMilliseconds
  }

  /// Takes out what has waited too long.
  mutating func giveUp(at now: Tick) -> [Entry] {
    let isOver: (Entry) -> Bool = {
      now.milliseconds(since: $0.since) >= Self.patience(for: $0.dispatch)
    }
    defer { waiting.removeAll(where: isOver) }
    return waiting.filter(isOver)
  }

  /// When something changes by time alone: a try is due, or patience ends.
  func nextDeadline(at now: Tick) -> Tick? {
    waiting.flatMap {
      [$0.notBefore, $0.since.advanced(byMilliseconds: Self.patience(for: $0.dispatch))]
    }.filter { $0 > now }.min()
  }
}

extension Outbox {
  /// Reads what ``json(busy:)`` wrote; what cannot be read is left out. What was taken long ago is given up at once.
  init(json: JSONValue, now: Timestamp, tick: Tick) {
    for element in json["waiting"]?.arrayContent ?? [] {
      guard let dispatch = try? Dispatch(json: element["dispatch"] ?? .null),
        let taken = element["takenAt"]?.integerContent
      else { continue }
      // A clock that stepped must neither drop a message nor keep it for ever.
      let age = min(
        max(0, now.milliseconds(since: Timestamp(milliseconds: taken))),
        Self.patience(for: dispatch))
      waiting.append(
        Entry(
          dispatch: dispatch, takenAt: Timestamp(milliseconds: taken),
          since: tick.advanced(byMilliseconds: -age), notBefore: tick))
    }
    for element in (json["known"]?.arrayContent ?? []).suffix(Self.remembered) {
      guard let reader = try? JSONReader(element), let event = try? reader.string("event"),
        let recipient = try? reader.string("recipient"),
        let channel = try? reader.word("channel", as: Guardian.Channel.self),
        let number = try? reader.integer("attempt")
      else { continue }
      let notice = try? reader.optionalWord("notice", as: AlarmNotice.self)
      known.append(
        Attempt(
          key: .init(event: event, recipient: recipient, channel: channel, notice: notice),
          number: number))
    }
  }

  /// What survives a restart; `busy` is being sent now.
  func json(busy: [Entry]) -> JSONValue {
    [
      "waiting": .array(
        (busy + waiting).map {
          ["dispatch": $0.dispatch.json, "takenAt": .integer($0.takenAt.milliseconds)]
        }),
      "known": .array(
        known.map {
          .object([
            "event": .string($0.key.event), "recipient": .string($0.key.recipient),
            "channel": .string($0.key.channel.rawValue),
            "notice": $0.key.notice.map { .string($0.rawValue) }, "attempt": .integer($0.number),
          ])
        }),
    ]
  }
}

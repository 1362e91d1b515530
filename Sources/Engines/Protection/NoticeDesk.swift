import Bytes
import Care
import JSON
import Moments

/// What guardians must hear although no alarm is open, until it was sent to each: by every way, tried for a day.
///
/// Kept in rows, so that neither a restart nor a plugin that is not there yet forgets it.
struct NoticeDesk: Hashable, Sendable {
  /// One message to one guardian by one way.
  struct Notice: Hashable, Sendable {
    var message: AlarmMessage
    let created: Stamp
    /// When it was handed out or failed last.
    var since: Stamp
    /// Whether somebody has it and has not answered.
    var isHanded = false
    /// Whether it waits for a quieter way to the same guardian, and goes out only when none was sent in time.
    var isReserve = false

    /// Whether it still waits for the quieter way.
    var isKept: Bool { isReserve && message.attempt == 0 }

    var name: String { "\(message.alarm)/\(message.guardian)/\(message.channel.rawValue)" }

    /// When something is to be done about it.
    var due: Tick {
      if isHanded { return since.tick(after: NoticeDesk.silenceSeconds) }
      if isKept { return created.tick(after: NoticeDesk.reserveSeconds) }
      guard message.attempt > 0 else { return since.tick }
      let place = min(Int(clamping: message.attempt) - 1, NoticeDesk.retrySeconds.count - 1)
      return min(since.tick(after: NoticeDesk.retrySeconds[place]), end)
    }

    var end: Tick { created.tick(after: NoticeDesk.lifeSeconds) }
  }

  static let engine = "guards"
  private static let prefix = "notice:"
  /// How long it is tried.
  static let lifeSeconds: Int64 = 86_400
  /// After how long without an answer it counts as failed.
  static let silenceSeconds: Int64 = 90
  /// How long a message in reserve waits.
  static let reserveSeconds: Int64 = 600
  /// Pauses after the first, second and every further attempt that failed.
  static let retrySeconds: [Int64] = [30, 60, 300, 900]
  /// So many wait at most; more would be nothing that a family did.
  static let most = 128

  private var notices: [Notice] = []
  private let boot: BootID

  init(rows: [EngineRow], boot: BootID, at now: Moment) {
    self.boot = boot
    for row in rows where row.engine == Self.engine && row.name.hasPrefix(Self.prefix) {
      guard let notice = try? Notice(row: row, boot: boot, at: now) else { continue }
      notices.append(notice)
    }
  }

  var nextWake: Tick? { notices.map(\.due).min() }

  var rows: [EngineRow] { notices.map { row(of: $0) } }

  /// Takes a message that is to go out, or is kept in reserve for one that does.
  mutating func put(
    _ message: AlarmMessage, isReserve: Bool = false, at now: Moment
  ) -> [StateChange] {
    var changes: [StateChange] = []
    while notices.count >= Self.most { changes.append(removal(of: notices.removeFirst())) }
    let notice = Notice(
      message: message, created: Stamp(now), since: Stamp(now), isReserve: isReserve)
    notices.append(notice)
    return changes + [.putEngineRow(row(of: notice))]
  }

  /// Hands out what is due, and gives up what is too old.
  mutating func takeDue(at now: Moment) -> (messages: [AlarmMessage], changes: [StateChange]) {
    var changes: [StateChange] = []
    var messages: [AlarmMessage] = []
    for place in notices.indices where notices[place].due <= now.tick {
      guard notices[place].end > now.tick else { continue }
      notices[place].since = Stamp(now)
      if notices[place].isHanded {
        notices[place].isHanded = false
      } else {
        notices[place].isHanded = true
        notices[place].message.attempt += 1
        messages.append(notices[place].message)
      }
      changes.append(.putEngineRow(row(of: notices[place])))
    }
    changes += notices.filter { $0.end <= now.tick }.map { removal(of: $0) }
    notices.removeAll { $0.end <= now.tick }
    return (messages, changes)
  }

  /// Hands out again, under the same attempt, what nobody answered before the start.
  mutating func resume(at now: Moment) -> [AlarmMessage] {
    for place in notices.indices where notices[place].isHanded { notices[place].since = Stamp(now) }
    return notices.filter(\.isHanded).map(\.message)
  }

  /// Learns what became of one.
  mutating func note(_ report: DeliveryReport, at now: Moment) -> [StateChange] {
    let place = notices.firstIndex {
      $0.message.alarm.rawValue == report.event.rawValue
        && $0.message.guardian.rawValue == report.recipient
        && $0.message.channel.rawValue == report.channel
    }
    guard let place else { return [] }
    guard report.outcome == .failed else { return settle(notices[place]) }
    notices[place].isHanded = false
    notices[place].since = Stamp(now)
    return [.putEngineRow(row(of: notices[place]))]
  }

  /// Forgets what was sent, and what was in reserve for it.
  private mutating func settle(_ sent: Notice) -> [StateChange] {
    let over = notices.filter { notice in
      notice.name == sent.name
        || notice.isKept && notice.message.alarm == sent.message.alarm
          && notice.message.guardian == sent.message.guardian
    }
    notices.removeAll { over.contains($0) }
    return over.map { removal(of: $0) }
  }

  /// Tries at once what waits for its next attempt, now that plugins offer other ways.
  mutating func tryAgain(_ channels: Set<Guardian.Channel>, at now: Moment) {
    for place in notices.indices
    where !notices[place].isHanded && !notices[place].isKept
      && channels.contains(notices[place].message.channel)
    {
      let wanted = now.tick
      let late = notices[place].due.milliseconds(since: wanted)
      if late > 0 {
        notices[place].since.tick = notices[place].since.tick.advanced(byMilliseconds: -late)
      }
    }
  }

  private func row(of notice: Notice) -> EngineRow {
    EngineRow(
      engine: Self.engine, subject: "gateway", name: Self.prefix + notice.name,
      content: [
        "message": notice.message.json, "created": notice.created.json,
        "since": notice.since.json, "isHanded": .bool(notice.isHanded),
        "isReserve": .bool(notice.isReserve), "boot": .string(boot.rawValue),
      ])
  }

  private func removal(of notice: Notice) -> StateChange {
    .removeEngineRow(engine: Self.engine, subject: "gateway", name: Self.prefix + notice.name)
  }
}

extension NoticeDesk.Notice {
  fileprivate init(row: EngineRow, boot: BootID, at now: Moment) throws(DecodeError) {
    let reader = try JSONReader(row.content)
    var created = try reader.stamp("created")
    var since = try reader.stamp("since")
    if try reader.string("boot") != boot.rawValue {
      created.rebase(to: now)
      since.rebase(to: now)
    }
    self.init(
      message: try AlarmMessage(json: reader.required("message")), created: created, since: since,
      isHanded: try reader.bool("isHanded"),
      isReserve: try reader.optionalBool("isReserve") ?? false)
  }
}

import Care
import JSON
import Loop
import Moments
import Ports

/// Finds where a plugin stands in each lane, and where a new plugin begins.
///
/// A plugin that has no cursor yet gets alarms of the last hour, records of the last seven days and traces from now on,
/// counted back from the lane's newest event: enough to take over, and no flood of alarms that are long over.
@LoopActor
struct CursorLoader {
  let journal: any Journal
  let plugin: String

  static func reachMilliseconds(_ lane: Lane) -> Int64 {
    switch lane {
    case .alarm: 3_600_000
    case .record: 7 * 24 * 3_600_000
    case .trace: 0
    }
  }

  /// Hands in a cursor for each lane; tries again when the store fails.
  func load(
    heads: [Lane: Int64], retryMilliseconds: Int64,
    _ found: @escaping @LoopActor @Sendable (PluginCursor) -> Void
  ) {
    journal.cursors(plugin: plugin) { [self] answer in
      switch answer {
      case .failure(let error):
        guard error.code != .closed else { return }
        Delay.run(afterMilliseconds: retryMilliseconds) {
          load(heads: heads, retryMilliseconds: retryMilliseconds, found)
        }
      case .success(let cursors):
        for lane in Lane.allCases {
          if let cursor = cursors.first(where: { $0.lane == lane }) {
            found(cursor)
          } else {
            begin(lane, head: heads[lane] ?? 0, found)
          }
        }
      }
    }
  }

  private func begin(
    _ lane: Lane, head: Int64, _ found: @escaping @LoopActor @Sendable (PluginCursor) -> Void
  ) {
    let reach = Self.reachMilliseconds(lane)
    guard head > 0, reach > 0 else { return save(lane, sequence: head, found) }
    time(lane, after: head - 1) { newest in
      guard let newest else { return save(lane, sequence: head, found) }
      let since = newest.advanced(byMilliseconds: -reach)
      bisect(lane, low: 0, high: head, since: since) { save(lane, sequence: $0, found) }
    }
  }

  /// Looks for the last sequence before the first event at or after a time, by halving.
  private func bisect(
    _ lane: Lane, low: Int64, high: Int64, since: Timestamp,
    _ answer: @escaping @LoopActor @Sendable (Int64) -> Void
  ) {
    guard low < high else { return answer(low) }
    let middle = low + (high - low) / 2
    time(lane, after: middle) { time in
      if let time, time < since {
        bisect(lane, low: middle + 1, high: high, since: since, answer)
      } else {
        bisect(lane, low: low, high: middle, since: since, answer)
      }
    }
  }

  /// When the first event after a sequence happened; nil when there is none or it cannot be read.
  private func time(
    _ lane: Lane, after sequence: Int64,
    _ answer: @escaping @LoopActor @Sendable (Timestamp?) -> Void
  ) {
    journal.read(lane: lane, after: sequence, limit: 1, maximumBytes: 1) { rows in
      guard case .success(let rows) = rows, let body = rows.first?.body,
        let event = try? JSONValue(parsing: body, limits: .init(maximumBytes: 4 << 20)),
        let text = event["time"]?.stringContent
      else { return answer(nil) }
      answer(try? Timestamp(iso8601: text))
    }
  }

  /// Makes the beginning durable, so that a plugin that cannot start for days misses nothing.
  private func save(
    _ lane: Lane, sequence: Int64, _ found: @escaping @LoopActor @Sendable (PluginCursor) -> Void
  ) {
    let cursor = PluginCursor(plugin: plugin, lane: lane, sequence: sequence)
    found(cursor)
    journal.save(cursor: cursor, deadLetters: []) { _ in }
  }
}

/// Work that runs once, later, on the loop.
@LoopActor
enum Delay {
  private static var timers: [UInt64: LoopTimer] = [:]
  private static var next: UInt64 = 0

  static func run(afterMilliseconds milliseconds: Int64, _ work: @escaping @LoopActor () -> Void) {
    next += 1
    let key = next
    let timer = LoopTimer {
      timers[key] = nil
      work()
    }
    timers[key] = timer
    timer.set(afterMilliseconds: milliseconds)
  }
}

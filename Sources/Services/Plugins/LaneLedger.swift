import Moments
import PluginProtocol
import Ports

/// Where a plugin stands in one lane, and what it gets next: the rules, without any input or output.
///
/// An event that the plugin wants to have again later becomes an exception; later events of its subject wait behind it
/// as exceptions that were never tried. At most ``maximumExceptions`` are open; then nothing new is sent.
struct LaneLedger {
  static let maximumExceptions = 1000

  /// What to do with rows that follow the cursor.
  struct Plan: Hashable {
    /// To send, in order.
    var sent: [JournalRow] = []
    /// To hold behind an exception of their subject.
    var held: [PluginCursor.Exception] = []
    /// Refused before (from memory), now known by their sequence.
    var deadLetters: [DeadLetter] = []
    /// The last sequence that the plan covers; nil when it covers nothing.
    var through: Int64?
  }

  private(set) var cursor: PluginCursor
  /// When an exception may be tried again; missing means now.
  private var retryAt: [Int64: Tick] = [:]

  init(cursor: PluginCursor) { self.cursor = cursor }

  /// How many exceptions may still be opened.
  var room: Int { max(0, Self.maximumExceptions - cursor.exceptions.count) }

  // MARK: New events

  /// Decides about rows that follow the cursor, in order, as far as there is room.
  ///
  /// `judge` says what to do with a row when no exception of its subject holds it.
  func plan(_ rows: [JournalRow], judge: (JournalRow) -> Judgement) -> Plan {
    var plan = Plan()
    let blocked = Set(cursor.exceptions.map(\.subject))
    for row in rows where row.sequence > cursor.sequence {
      switch judge(row) {
      case .skip: break
      case .deadLetter(let letter): plan.deadLetters.append(letter)
      case .send:
        guard plan.sent.count + plan.held.count < room else { return plan }
        if blocked.contains(row.subject) {
          plan.held.append(.init(sequence: row.sequence, subject: row.subject, attempts: 0))
        } else {
          plan.sent.append(row)
        }
      }
      plan.through = row.sequence
    }
    return plan
  }

  /// What the lane makes of one row.
  enum Judgement: Hashable {
    /// The plugin does not want it, or has it already.
    case skip
    /// The plugin refused it before.
    case deadLetter(DeadLetter)
    /// It is for the plugin.
    case send
  }

  /// Moves the cursor past a plan whose sent rows were answered.
  ///
  /// - Returns: the rows refused, with the plugin's reasons.
  mutating func settle(
    _ plan: Plan, outcomes: [EventOutcome], now: Tick, retrySecondMilliseconds: Int64
  ) -> [(row: JournalRow, reason: String)] {
    var refused: [(row: JournalRow, reason: String)] = []
    var opened = plan.held
    for (row, outcome) in zip(plan.sent, outcomes) {
      switch outcome {
      case .accepted: break
      case .refused(let reason): refused.append((row, reason))
      case .retry(let seconds, _):
        opened.append(.init(sequence: row.sequence, subject: row.subject, attempts: 1))
        retryAt[row.sequence] = now.advanced(byMilliseconds: seconds * retrySecondMilliseconds)
      }
    }
    cursor.exceptions = (cursor.exceptions + opened).sorted { $0.sequence < $1.sequence }
    cursor.sequence = max(cursor.sequence, plan.through ?? cursor.sequence)
    return refused
  }

  // MARK: Exceptions

  /// Exceptions that may be tried now, in order: those of each subject up to the first that must still wait.
  func due(at now: Tick, limit: Int) -> [Int64] {
    var waiting: Set<String> = []
    var due: [Int64] = []
    for exception in cursor.exceptions where due.count < limit {
      if waiting.contains(exception.subject) { continue }
      if let tick = retryAt[exception.sequence], tick > now {
        waiting.insert(exception.subject)
      } else {
        due.append(exception.sequence)
      }
    }
    return due
  }

  /// When the next exception may be tried; nil when there is none.
  var nextDue: Tick? {
    var seen: Set<String> = []
    let heads = cursor.exceptions.filter { seen.insert($0.subject).inserted }
    return heads.compactMap { retryAt[$0.sequence] }.min()
  }

  /// Lets every exception be tried now.
  mutating func forgetWaits() { retryAt = [:] }

  /// Settles exceptions that were tried again. `missing` were erased from the journal meanwhile.
  ///
  /// - Returns: the rows refused, with the plugin's reasons.
  mutating func settleExceptions(
    _ rows: [JournalRow], outcomes: [EventOutcome], missing: Set<Int64>, now: Tick,
    retrySecondMilliseconds: Int64
  ) -> [(row: JournalRow, reason: String)] {
    var refused: [(row: JournalRow, reason: String)] = []
    var closed = missing
    for (row, outcome) in zip(rows, outcomes) {
      switch outcome {
      case .accepted: closed.insert(row.sequence)
      case .refused(let reason):
        closed.insert(row.sequence)
        refused.append((row, reason))
      case .retry(let seconds, _):
        retryAt[row.sequence] = now.advanced(byMilliseconds: seconds * retrySecondMilliseconds)
        if let index = cursor.exceptions.firstIndex(where: { $0.sequence == row.sequence }) {
          cursor.exceptions[index].attempts += 1
        }
      }
    }
    cursor.exceptions.removeAll { closed.contains($0.sequence) }
    for sequence in closed { retryAt[sequence] = nil }
    return refused
  }

  /// Opens dead letters again, as far as there is room; answers those that were opened.
  mutating func reopen(_ letters: [(letter: DeadLetter, subject: String)]) -> [DeadLetter] {
    var opened: [DeadLetter] = []
    for (letter, subject) in letters where letter.sequence <= cursor.sequence {
      guard room > 0 else { break }
      if !cursor.exceptions.contains(where: { $0.sequence == letter.sequence }) {
        cursor.exceptions.append(.init(sequence: letter.sequence, subject: subject, attempts: 0))
      }
      opened.append(letter)
    }
    cursor.exceptions.sort { $0.sequence < $1.sequence }
    return opened
  }
}

public import Care
public import Moments
import Ports
import Texts

/// What the store found damaged when it opened, and what became of it.
public struct StoreDamage: Hashable, Sendable {
  /// Where rows that could not be read came back from.
  public enum Source: Hashable, Sendable {
    /// The emergency card of that time.
    case card(Timestamp)
    /// A backup.
    case backup(String)
  }

  /// What was done about the whole database; nil when it could be opened as it was.
  public var recovery: StoreRecovery?
  /// Whether its header was wrong and was put right.
  public var hadDamagedHeader = false
  /// Events that had been stored for good and are not there any more; 0 for none.
  public var lostEvents: Int64 = 0
  /// When the newest of them was stored.
  public var lostUntil: Timestamp?
  /// Whether another event stands where the newest one stood.
  public var isOther = false
  /// Whether less of the write-ahead log could be read than had been written, though no event is missing.
  public var lostPages = false
  /// Rows that came back, by their source.
  var restored: [(source: Source, row: UnreadRow)] = []
  /// Rows that are lost.
  var lost: [UnreadRow] = []

  /// Nothing.
  public init() {}

  /// Adds what was found to be lost at an earlier start and is not there yet.
  mutating func note(lostEarlier rows: [UnreadRow]) {
    lost += rows.filter { row in !lost.contains { $0.isSame(as: row) } }
  }

  /// Two are the same when they are told alike.
  public static func == (left: StoreDamage, right: StoreDamage) -> Bool {
    left.report == right.report
  }

  /// As ``==``: by what is told.
  public func hash(into hasher: inout Hasher) { hasher.combine(report) }

  /// Whether something is gone for good.
  public var isLoss: Bool { hasLostHistory || recovery != nil || !lost.isEmpty }

  private var hasLostHistory: Bool { lostEvents > 0 || lostPages || isOther }

  /// What was damaged as the health of the store; nil for nothing.
  public var report: HealthReport? {
    guard let message else { return nil }
    var report = HealthReport(
      component: "store", state: isLoss ? .failed : .degraded, code: code, detail: message)
    report.namesPeople = !restored.isEmpty || !lost.isEmpty
    return report
  }

  private var code: String {
    if recovery != nil { return "recovered" }
    if hasLostHistory { return "events-lost" }
    if !lost.isEmpty { return "rows-lost" }
    return restored.isEmpty ? "header-damaged" : "rows-restored"
  }

  /// What was damaged and what became of it, for people.
  private var message: Message? {
    var sentences: [Message] = []
    if let recovery { sentences.append(recovery.message) }
    if lostEvents > 0 { sentences.append(messageOfEvents) }
    if isOther {
      sentences.append(
        Message(
          "The journal is not the one that was written last: events are missing, or others are in their place."
        ))
    }
    if lostEvents == 0, !isOther, lostPages {
      sentences.append(
        Message("The newest changes in the database are lost: its write-ahead log was damaged."))
    }
    if !lost.isEmpty {
      sentences.append(
        Message(
          "{things} could not be read, and no copy is left: look whether it is needed, and enter it again.",
          ["things": Self.list(lost.map(\.words))]))
    }
    sentences += messagesOfRestored
    if hadDamagedHeader {
      sentences.append(Message("The header of the database was damaged and was put right."))
    }
    guard let first = sentences.first else { return nil }
    return sentences.dropFirst().reduce(first) { text, sentence in
      Message("{first} {second}", ["first": text, "second": sentence])
    }
  }

  private var messageOfEvents: Message {
    let (events, time) = (Int(clamping: lostEvents), lostUntil?.iso8601 ?? "?")
    return Message(
      "The newest event of the journal is lost, with what it changed; it was stored at {time}.",
      plural:
        "The newest {n} events of the journal are lost, with what they changed; the last was stored at {time}.",
      events, ["time": time])
  }

  private var messagesOfRestored: [Message] {
    var sources: [Source] = []
    for (source, _) in restored where !sources.contains(source) { sources.append(source) }
    return sources.map { source in
      let things = Self.list(restored.filter { $0.source == source }.map(\.row.words))
      return switch source {
      case .card(let time):
        Message(
          "{things} could not be read and came back from the emergency card of {time}.",
          ["things": things, "time": time.iso8601])
      case .backup(let file):
        Message(
          "{things} could not be read and came back from the backup {file}; it may have been changed since.",
          ["things": things, "file": file])
      }
    }
  }

  /// A list in which each thing is named once, and of many only the first.
  private static func list(_ words: [Message]) -> Message {
    var named: [Message] = []
    for word in words where !named.contains(word) { named.append(word) }
    let shown = named.prefix(6)
    guard let first = shown.first else { return Message(verbatim: "") }
    let text = shown.dropFirst().reduce(first) { text, word in
      Message("{first}, {second}", ["first": text, "second": word])
    }
    guard named.count > shown.count else { return text }
    return Message("{first} and {count} more", ["first": text, "count": named.count - shown.count])
  }
}

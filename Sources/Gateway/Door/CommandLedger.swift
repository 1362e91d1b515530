import Bytes
public import Care
import JSON
public import Moments
import Texts

/// Remembers the answers to commands, so that one that comes twice is done once.
///
/// An id is its sender's: what somebody else sent under the same id is another command. It stands for one request, of
/// which a digest is kept. Answers are kept in the order in which they were given, as many as fit: of one principal
/// ``mostOfOne``, and ``mostAboutAlarms`` about alarms beside them, so that no flood of small requests pushes out a call
/// for help. Those that have expired go first. Principals are named by those who speak for them, so all of one plugin
/// share ``mostOfAll``, and whoever has the most gives way.
public struct CommandLedger: Hashable, Sendable {
  /// What is known of a command's id.
  public enum Verdict: Hashable, Sendable {
    /// Nothing.
    case new
    /// It was answered so.
    case answered(CommandReply)
    /// It was used for something else.
    case taken
  }

  /// Answers kept of one principal, those about alarms not counted.
  public static let mostOfOne = 256
  /// Answers about alarms kept of one principal.
  public static let mostAboutAlarms = 128
  /// Answers kept of all who speak by one plugin, or by one channel that is none.
  public static let mostOfAll = 1024

  private struct Entry: Hashable, Sendable {
    var number: Int64
    var digest: String
    var expiresAt: Timestamp?
    var isAboutAlarms: Bool
    var reply: CommandReply
  }

  private var entries: [Principal: [CommandID: Entry]] = [:]
  /// Ids of which an earlier version kept an answer, without whose they are.
  private var old: [CommandID: Int64] = [:]
  private var nextNumber: Int64 = 1

  /// What is known from earlier runs; rows of others are passed over.
  public init(rows: [EngineRow]) {
    for row in rows where row.engine == Self.engine && row.name.hasPrefix(Self.prefix) {
      let number = row.content["number"]?.integerContent ?? 0
      nextNumber = max(nextNumber, number &+ 1)
      if let (principal, id, entry) = Self.read(row.content, number: number) {
        entries[principal, default: [:]][id] = entry
      } else {
        old[CommandID(String(row.name.dropFirst(Self.prefix.count)))] = number
      }
    }
  }

  private static let engine = "core"
  private static let prefix = "command:"

  /// What is known of the id of a command.
  public func verdict(on command: Command) -> Verdict {
    guard let entry = entries[command.principal]?[command.id] else {
      return old[command.id] == nil ? .new : .taken
    }
    return entry.digest == Self.digest(of: command) ? .answered(entry.reply) : .taken
  }

  /// The replies as they are stored.
  public var rows: [EngineRow] {
    let known = entries.flatMap { principal, own in
      own.map { (number: $1.number, row: Self.row(of: $1, for: $0, of: principal)) }
    }
    let older = old.map { id, number in
      (
        number: number,
        row: EngineRow(
          engine: Self.engine, subject: "gateway", name: "\(Self.prefix)\(id)",
          content: ["number": .integer(number)])
      )
    }
    return (known + older).sorted { ($0.number, $0.row.name) < ($1.number, $1.row.name) }.map(\.row)
  }

  /// Keeps the reply to a new command, unless the same may be done another time.
  ///
  /// - Parameter isTold: whether others were told of it, who are not told again when the command is repeated.
  /// - Returns: the rows to store and to forget.
  public mutating func record(
    _ reply: CommandReply, to command: Command, isTold: Bool = false, at now: Moment
  ) -> [StateChange] {
    guard !Self.mayPass(reply) || isTold, verdict(on: command) == .new else { return [] }
    var isAboutAlarms = false
    if case .alarm = command.request { isAboutAlarms = true }
    let entry = Entry(
      number: nextNumber, digest: Self.digest(of: command), expiresAt: command.expiresAt,
      isAboutAlarms: isAboutAlarms, reply: reply)
    nextNumber += 1
    entries[command.principal, default: [:]][command.id] = entry
    return [.putEngineRow(Self.row(of: entry, for: command.id, of: command.principal))]
      + makeRoom(for: command.principal, isAboutAlarms: isAboutAlarms, at: now) + forgetOld()
  }

  /// Whether the same command may be done another time. What was counted, as a wrong PIN, is not counted again.
  private static func mayPass(_ reply: CommandReply) -> Bool {
    guard case .refused(let refusal) = reply else { return false }
    switch refusal.code {
    case .notNow, .conflict, .unknownTarget, .expired, .loggedOut, .unconfirmed:
      return true
    case .invalid, .forbidden: return false
    }
  }

  // MARK: Room

  private mutating func makeRoom(
    for principal: Principal, isAboutAlarms: Bool, at now: Moment
  ) -> [StateChange] {
    let own = (entries[principal] ?? [:]).values.filter { $0.isAboutAlarms == isAboutAlarms }
    if own.count > (isAboutAlarms ? Self.mostAboutAlarms : Self.mostOfOne) {
      return forget(of: principal, isAboutAlarms: isAboutAlarms, at: now)
    }
    let house = entries.filter { Self.house(of: $0.key) == Self.house(of: principal) }
    guard house.values.reduce(0, { $0 + $1.count }) > Self.mostOfAll else { return [] }
    // Among equals whoever came last, so that names made up for the purpose push out nobody.
    let sizes = house.map { (key: $0.key, size: $0.value.count, since: Self.first(of: $0.value)) }
    let largest = sizes.max { ($0.size, $0.since) < ($1.size, $1.since) }
    guard let largest, let own = entries[largest.key] else { return [] }
    let isOnlyAboutAlarms = own.values.allSatisfy(\.isAboutAlarms)
    return forget(of: largest.key, isAboutAlarms: isOnlyAboutAlarms, at: now)
  }

  private static func first(of entries: [CommandID: Entry]) -> Int64 {
    entries.values.map(\.number).min() ?? 0
  }

  /// Forgets the first that has expired, else the first.
  private mutating func forget(
    of principal: Principal, isAboutAlarms: Bool, at now: Moment
  ) -> [StateChange] {
    func isOver(_ entry: Entry) -> Bool {
      now.quality.isTrusted && entry.expiresAt.map { $0 <= now.utc } ?? false
    }
    let candidates = (entries[principal] ?? [:]).filter { $0.value.isAboutAlarms == isAboutAlarms }
    let first = candidates.min { left, right in
      (isOver(left.value) ? 0 : 1, left.value.number)
        < (isOver(right.value) ? 0 : 1, right.value.number)
    }
    guard let id = first?.key else { return [] }
    entries[principal]?[id] = nil
    if entries[principal]?.isEmpty == true { entries[principal] = nil }
    return [Self.removal(of: Self.name(id, of: principal))]
  }

  private mutating func forgetOld() -> [StateChange] {
    guard let first = old.min(by: { $0.value < $1.value }) else { return [] }
    old[first.key] = nil
    return [Self.removal(of: "\(Self.prefix)\(first.key)")]
  }

  /// Who speaks for a principal: a plugin, or the channel itself.
  private static func house(of principal: Principal) -> Substring {
    principal.plugin ?? principal.channel.rawValue[...]
  }

  // MARK: Rows

  /// A digest of what is asked, and of what its PIN and its credentials were worth.
  private static func digest(of command: Command) -> String {
    let proof: JSONValue? =
      switch command.pinProof {
      case .verdict(let verdict): .string(verdict.rawValue)
      case .hash(let hash): .string(hash)
      case nil: nil
      }
    var asked = command.request.json.setting("proof", to: proof ?? .null)
    if let credentials = command.credentials {
      asked = asked.setting("credentials", to: credentials.json)
    }
    return Hexadecimal.text(SHA256.hash(Array(asked.serialized.utf8)))
  }

  /// A row's name tells who sent what, and cannot be made to be another's.
  private static func name(_ id: CommandID, of principal: Principal) -> String {
    let key: JSONValue = [
      .string(principal.channel.rawValue), .string(principal.name), .string(id.rawValue),
    ]
    return prefix + Hexadecimal.text(Array(SHA256.hash(Array(key.serialized.utf8)).prefix(16)))
  }

  private static func row(
    of entry: Entry, for id: CommandID, of principal: Principal
  ) -> EngineRow {
    let (code, message, done): (JSONValue?, JSONValue?, JSONValue?) =
      switch entry.reply {
      case .done(let result): (nil, nil, result)
      case .refused(let refusal):
        (.string(refusal.code.rawValue), .string(refusal.message.description), nil)
      }
    return EngineRow(
      engine: engine, subject: "gateway", name: name(id, of: principal),
      content: .object([
        "number": .integer(entry.number), "channel": .string(principal.channel.rawValue),
        "principal": .string(principal.name), "id": .string(id.rawValue),
        "digest": .string(entry.digest), "expiresAt": entry.expiresAt.map { .string($0.iso8601) },
        "isAboutAlarms": .bool(entry.isAboutAlarms), "code": code, "message": message, "done": done,
      ]))
  }

  private static func read(
    _ content: JSONValue, number: Int64
  ) -> (Principal, CommandID, Entry)? {
    guard let channel = content["channel"]?.stringContent.flatMap(Principal.Channel.init),
      let name = content["principal"]?.stringContent, let id = content["id"]?.stringContent,
      let digest = content["digest"]?.stringContent
    else { return nil }
    let entry = Entry(
      number: number, digest: digest,
      expiresAt: content["expiresAt"]?.stringContent.flatMap { try? Timestamp(iso8601: $0) },
      isAboutAlarms: content["isAboutAlarms"]?.boolContent ?? false, reply: reply(from: content))
    return (Principal(channel: channel, name: name), CommandID(id), entry)
  }

  private static func reply(from content: JSONValue) -> CommandReply {
    if let code = content["code"]?.stringContent.flatMap(CommandReply.Refusal.Code.init) {
      return .refused(
        CommandReply.Refusal(
          code,
          content["message"]?.stringContent.map { Message(verbatim: $0) }
            ?? Message("It was refused.")))
    }
    return .done(content["done"] ?? .null)
  }

  private static func removal(of name: String) -> StateChange {
    .removeEngineRow(engine: engine, subject: "gateway", name: name)
  }
}

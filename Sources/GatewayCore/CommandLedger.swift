import CareModel
import Texts

/// Remembers the answers to recent commands, so that one that comes twice is done once.
struct CommandLedger: Hashable, Sendable {
  private var replies: [CommandID: CommandReply] = [:]
  private var numbers: [CommandID: Int64] = [:]
  private var order: [CommandID] = []
  private let capacity = 256

  init(rows: [EngineRow]) {
    let stored = rows.filter { $0.engine == "core" && $0.name.hasPrefix("command:") }
      .sorted {
        ($0.content["number"]?.integerContent ?? 0) < ($1.content["number"]?.integerContent ?? 0)
      }
    for row in stored {
      let id = CommandID(String(row.name.dropFirst("command:".count)))
      replies[id] = Self.reply(from: row.content)
      numbers[id] = row.content["number"]?.integerContent ?? 0
      order.append(id)
      nextNumber = max(nextNumber, (row.content["number"]?.integerContent ?? 0) + 1)
    }
  }

  private var nextNumber: Int64 = 1

  subscript(id: CommandID) -> CommandReply? { replies[id] }

  /// The replies as they are stored.
  var rows: [EngineRow] {
    order.compactMap { id in replies[id].map { row(of: $0, for: id) } }
  }

  /// Keeps the reply; answers the rows to store and to forget.
  mutating func record(_ reply: CommandReply, for id: CommandID) -> [StateChange] {
    guard replies.updateValue(reply, forKey: id) == nil else { return [] }
    numbers[id] = nextNumber
    nextNumber += 1
    order.append(id)
    var changes: [StateChange] = [.putEngineRow(row(of: reply, for: id))]
    if order.count > capacity {
      let forgotten = order.removeFirst()
      replies[forgotten] = nil
      numbers[forgotten] = nil
      changes.append(
        .removeEngineRow(engine: "core", subject: "gateway", name: "command:\(forgotten)"))
    }
    return changes
  }

  private func row(of reply: CommandReply, for id: CommandID) -> EngineRow {
    EngineRow(
      engine: "core", subject: "gateway", name: "command:\(id)",
      content: Self.content(of: reply, number: numbers[id] ?? 0))
  }

  private static func content(of reply: CommandReply, number: Int64) -> JSONValue {
    switch reply {
    case .done(let result): ["number": .integer(number), "done": result]
    case .refused(let refusal):
      [
        "number": .integer(number), "code": .string(refusal.code.rawValue),
        "message": .string(refusal.message.description),
      ]
    }
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
}

import Bytes
public import Care
public import JSON
public import Moments

/// One account asks another to be linked: a caregiver a resident, or a resident a caregiver.
///
/// Whoever is asked has it until they answer; whoever asked keeps it with the answer until they put it away.
public struct LinkRequest: Hashable, Sendable {
  /// What whoever was asked said.
  public struct Answer: Hashable, Sendable {
    /// Whether it was yes.
    public var isAccepted: Bool
    /// When they said so.
    public var time: Timestamp
  }

  /// Its name among the requests.
  public var id: String
  /// Who asks.
  public var from: AccountID
  /// Who is asked, and may say yes or no.
  public var to: AccountID
  /// When it was asked.
  public var asked: Timestamp
  /// What they said; nil while they did not.
  public var answer: Answer?
}

extension LinkRequest {
  static let rowPrefix = "link-request:"

  /// A request from its row.
  init(row: EngineRow) throws(DecodeError) {
    let reader = try JSONReader(row.content)
    id = try reader.string("id")
    guard row.name == Self.rowPrefix + id else { throw reader.error(.outOfRange, "id") }
    from = AccountID(try reader.string("from"))
    to = AccountID(try reader.string("to"))
    asked = try reader.timestamp("asked")
    answer = try reader.optional("answer").map { json throws(DecodeError) in
      let answer = try JSONReader(json)
      return Answer(
        isAccepted: try answer.bool("isAccepted"), time: try answer.timestamp("time"))
    }
  }

  /// The request as a row.
  var row: EngineRow {
    EngineRow(
      engine: UserAccount.engine, subject: "gateway", name: Self.rowPrefix + id, content: json)
  }

  /// The request as both see it: `{id, from, to, asked, answer?: {isAccepted, time}}`.
  public var json: JSONValue {
    .object([
      "id": .string(id), "from": .string(from.rawValue), "to": .string(to.rawValue),
      "asked": .string(asked.iso8601),
      "answer": answer.map {
        ["isAccepted": .bool($0.isAccepted), "time": .string($0.time.iso8601)]
      },
    ])
  }
}

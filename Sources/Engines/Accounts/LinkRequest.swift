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

/// A code that a resident's page shows, by which one caregiver is linked.
///
/// Eight of 56 letters and digits are 9.7 × 10¹³ codes. One account is let try at most ten times in the first half hour and
/// then four times an hour, so that all two hundred together find one of them within the ten minutes that it is shown with
/// a chance of less than 10⁻¹⁰. A restart forgets it, and the page shows another.
struct LinkCode: Hashable, Sendable {
  /// How long a code counts, in milliseconds.
  static let milliseconds: Int64 = 600_000

  /// SHA-256 of the code, in hexadecimal.
  var digest: String
  /// When it was made.
  var made: Tick

  func counts(at now: Tick) -> Bool { now.milliseconds(since: made) < Self.milliseconds }
}

import Care
import Moments
import Texts

/// The requests to be linked that wait for an answer, or whose answer waits to be put away.
struct LinkRequests: Hashable, Sendable {
  private var requests: [String: LinkRequest] = [:]

  var rows: [EngineRow] { requests.values.map(\.row) }

  /// Takes back one from its row.
  mutating func restore(_ request: LinkRequest) { requests[request.id] = request }

  /// The requests that an account made, until it puts away their answers, or may answer, the oldest first.
  func requests(of id: AccountID) -> [LinkRequest] {
    requests.values.filter { $0.from == id || $0.to == id && $0.answer == nil }
      .sorted { ($0.asked, $0.id) < ($1.asked, $1.id) }
  }

  /// - Throws: why one account asks another nothing more just now.
  func requirePlace(
    from account: UserAccount, to other: UserAccount
  ) throws(CommandReply.Refusal) {
    guard between(account.id, other.id).allSatisfy({ $0.answer != nil }) else {
      throw CommandReply.Refusal(
        .conflict,
        Message("{name} was asked already, or has asked you.", ["name": other.profile.name]))
    }
    let open = requests.values.count { $0.from == account.id && $0.answer == nil }
    guard open < AccountRules.requestsAtMost else {
      throw CommandReply.Refusal(
        .conflict, Message("Too many of your requests wait for an answer. Withdraw one first."))
    }
  }

  /// Asks; a new question takes the place of what was answered before.
  mutating func ask(_ request: LinkRequest) {
    for old in between(request.from, request.to) { requests[old.id] = nil }
    requests[request.id] = request
  }

  /// Answers what an account was asked.
  ///
  /// - Returns: what was asked.
  mutating func answer(
    _ request: String, by id: AccountID, isAccepted: Bool, at now: Timestamp
  ) throws(CommandReply.Refusal) -> LinkRequest {
    guard let open = requests[request], open.to == id, open.answer == nil else {
      throw Self.noRequest
    }
    requests[request]?.answer = LinkRequest.Answer(isAccepted: isAccepted, time: now)
    return open
  }

  /// Whoever asked asks no longer, or puts away the answer.
  mutating func withdraw(_ request: String, by id: AccountID) throws(CommandReply.Refusal) {
    guard requests[request]?.from == id else { throw Self.noRequest }
    requests[request] = nil
  }

  /// Nobody asks an account anything any more, nor does it ask.
  mutating func forget(_ id: AccountID) {
    requests = requests.filter { $0.value.from != id && $0.value.to != id }
  }

  /// The rows that are another than before.
  func changes(since before: Self) -> [StateChange] {
    requests.changes(since: before.requests, \.row)
  }

  private func between(_ one: AccountID, _ other: AccountID) -> [LinkRequest] {
    requests.values.filter { Set([$0.from, $0.to]) == Set([one, other]) }
  }

  private static let noRequest = CommandReply.Refusal(
    .unknownTarget, Message("That request was answered or withdrawn already."))
}

public import Care

/// Who sees whom: by a code that the resident shows, by asking each other, or by a keeper of the gateway.
extension AccountEngine {
  /// Links an account to a resident, or no longer, and tells it.
  mutating func carryOut(
    _ change: LinkChange, _ step: inout AccountStep
  ) throws(CommandReply.Refusal) {
    if change.isLinked {
      try accounts.link(change.account, to: change.resident)
    } else {
      try accounts.unlink(change.account, from: change.resident)
    }
    step.tell(
      step.news.linked(
        change.account, change.resident, isLinked: change.isLinked, by: step.command))
  }

  /// Whom an account sees just now: what somebody treats is not seen while the person refuses reports about their health.
  public func seen(by account: UserAccount, in house: House) -> Set<ResidentID> {
    guard account.role == .clinician else { return account.residents }
    return account.residents.filter { house.consent(.reports, of: $0)?.isGranted != false }
  }

  /// The requests that an account made, until it puts away their answers, or may answer, the oldest first.
  public func linkRequests(of id: AccountID) -> [LinkRequest] { links.requests(of: id) }

  /// The accounts of those who are linked to a resident, and the resident's own, by name.
  public func accounts(linkedTo resident: ResidentID) -> [UserAccount] {
    accounts.accounts(linkedTo: resident)
  }
}

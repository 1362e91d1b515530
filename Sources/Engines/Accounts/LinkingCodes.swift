import Care
import Moments
import Texts

/// The codes by which accounts are linked to residents, and who typed wrong ones.
struct LinkingCodes: Hashable, Sendable {
  private var codes = LinkCodes()
  private var viewCodes = LinkCodes()
  private var tries = WrongTries()

  /// Shows a code by which one who cares for the resident or treats them is linked.
  mutating func show(_ digest: String, of resident: ResidentID, at now: Tick) {
    codes.show(digest, of: resident, at: now)
  }

  /// Shows a code by which one clinician is linked, and nobody else.
  mutating func showView(_ digest: String, of resident: ResidentID, at now: Tick) {
    viewCodes.show(digest, of: resident, at: now)
  }

  /// Who may not be linked just now, because they typed too many wrong codes.
  func requireNoPause(of id: AccountID, at now: Tick) throws(CommandReply.Refusal) {
    try tries.requireNoPause(of: id, at: now)
  }

  /// Whose page shows the code that an account typed in.
  func resident(
    showing digest: String, to account: UserAccount, in house: House, at now: Tick
  ) throws(CommandReply.Refusal) -> ResidentID {
    var shown = codes.resident(showing: digest, at: now)
    if shown == nil, account.role == .clinician {
      shown = viewCodes.resident(showing: digest, at: now)
    }
    guard let resident = shown, house.residents[resident] != nil else {
      throw CommandReply.Refusal.noCode.counting(.linkCode(account.id))
    }
    return resident
  }

  /// An account was linked by a code, which is used up.
  mutating func use(_ digest: String, of resident: ResidentID, by id: AccountID) {
    codes.use(digest, of: resident)
    viewCodes.use(digest, of: resident)
    tries.forget(id)
  }

  /// An account typed a wrong code.
  mutating func countWrong(_ id: AccountID, at now: Tick) { _ = tries.count(id, at: now) }

  mutating func forget(_ resident: ResidentID) {
    codes.forget(resident)
    viewCodes.forget(resident)
  }

  mutating func forget(_ id: AccountID) { tries.forget(id) }
}

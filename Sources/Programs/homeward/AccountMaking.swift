import Accounts
import Care
import JSON

/// An account that is to be made for somebody.
struct NewAccount {
  var email: String
  var profile: UserAccount.Profile
  var password: String
  /// Whom whoever cares for or treats them sees, or the one whose own account it is.
  var residents: [Resident]
  var role = AccountRole.caregiver
}

extension Session {
  /// Makes an account, says what it is for, and links it.
  func make(_ account: NewAccount) throws(CommandFailure) -> JSONValue {
    let request = AccountRequest.signUp(
      email: account.email, account.profile, questions: [], AccountRequest.Device())
    let answer = try perform(request.json.setting("password", to: .string(account.password)))
    let id = AccountID(answer["account"]?.stringContent ?? "")
    try perform(
      .account(
        .chooseRole(
          id, account.role,
          resident: account.role == .resident ? account.residents.first?.id : nil)))
    if account.role != .resident {
      for resident in account.residents {
        try perform(.account(.linking(id, .link(resident.id))))
      }
    }
    return answer
  }
}

import Accounts
import Bytes
import Care
import Door
import JSON

/// An account, as the gateway lists it for whoever keeps it.
struct ListedAccount: Sendable {
  let id: AccountID
  let email: String?
  let name: String
  let role: AccountRole?
  let residents: [String]
  let sessions: Int64
  let isPaused: Bool
  let created: String

  init(json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    id = AccountID(try reader.string("id"))
    email = try reader.optionalString("email")
    name = try UserAccount.Profile(json: reader.required("profile")).name
    role = try reader.optionalWord("role", as: AccountRole.self)
    residents = try reader.strings("residents")
    sessions = try reader.integer("sessions")
    isPaused = try reader.bool("isPaused")
    created = try reader.string("created")
  }
}

/// Finds the account that somebody means.
extension Session {
  static let accountOperand = OperandSpecification(
    name: "ACCOUNT", help: gettext("Name, e-mail address or id of the account"))

  /// The account of the first operand.
  func account() throws(CommandFailure) -> ListedAccount {
    let accounts = try self.accounts()
    let wanted = arguments.operands[0]
    if let known = accounts.first(where: { $0.email?.lowercased() == wanted.lowercased() }) {
      return known
    }
    return try Lookup(
      among: accounts, id: \.id.rawValue, name: \.name,
      nothing: { gettext("there is no account \"{wanted}\".", ["wanted": $0]) },
      list: accounts.isEmpty
        ? gettext("There is none yet: homeward accounts add --help")
        : gettext("List them: homeward accounts")
    ).find(wanted)
  }

  func accounts() throws(CommandFailure) -> [ListedAccount] { try read(try call(.accountsList)) }

  func read(_ answer: JSONValue) throws(CommandFailure) -> [ListedAccount] {
    var accounts: [ListedAccount] = []
    do throws(DecodeError) {
      for json in answer.arrayContent ?? [] { accounts.append(try ListedAccount(json: json)) }
    } catch { throw CommandFailure(error) }
    return accounts
  }
}

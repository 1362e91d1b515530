import Accounts
import Bytes
import Care
import JSON

/// What somebody knows or is shown, taken out of a request about accounts before anything is decided or recorded.
struct AccountSecrets {
  /// The password that shows who asks.
  var password: String?
  /// The password from now on.
  var newPassword: String?
  /// The answers to new secret questions, in their order.
  var answers: [String] = []
  /// The code that a resident's page shows.
  var code: String?
  /// What leads to an identity provider and back.
  var openID = OpenIDPassage()
  /// Who somebody is, as the identity provider says; no request ever has it in it.
  var identity: ProvenIdentity?

  /// More would only make hashes slow.
  private static let longest = 1000
  /// What an identity provider gives a browser may be long, and is hashed by nobody.
  private static let longestCode = 4000

  /// Takes what is secret out of a command; nil for one that is not about accounts.
  ///
  /// - Throws: ``DecodeError`` naming the member that does not fit.
  static func taken(
    from command: Command
  ) throws(DecodeError) -> (command: Command, secrets: AccountSecrets)? {
    guard case .feature(let request) = command.request, AccountRequest.isAction(request.action),
      let members = request.json.objectContent
    else { return nil }
    let reader = try JSONReader(request.json)
    var secrets = AccountSecrets()
    secrets.password = try text("password", reader)
    secrets.newPassword = try text("newPassword", reader)
    secrets.answers = try reader.strings("answers")
    guard secrets.answers.count <= AccountRules.questionsAtMost,
      secrets.answers.allSatisfy({ $0.utf8.count <= Self.longest })
    else { throw reader.error(.outOfRange, "answers") }
    secrets.code = try text("code", reader, longest: longestCode)
    secrets.openID = OpenIDPassage(
      redirect: try text("redirect", reader), next: try text("next", reader),
      state: try text("state", reader), code: secrets.code, binding: try text("binding", reader))
    // Those of all rules: a secret is one where it does not belong, too.
    let rest = members.filter { !CommandRule.secrets.contains($0.key) }
    var command = command
    command.request = .feature(request.with(FeatureValue(json: .object(rest))))
    return (command, secrets)
  }

  private static func text(
    _ name: String, _ reader: JSONReader, longest: Int = longest
  ) throws(DecodeError) -> String? {
    let text = try reader.optionalString(name)
    guard (text?.utf8.count ?? 0) <= longest else { throw reader.error(.outOfRange, name) }
    return text
  }
}

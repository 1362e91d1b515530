import Accounts
import Care
import JSON

/// Asks for the account of somebody who cares, and makes it.
struct SetupAccount {
  /// Who is to log in.
  struct Answer {
    var name: String
    var email: String
    /// Nil where the account is there already, and is only linked.
    var password: String?
    /// The one that is there already.
    var known: ListedAccount?
  }

  private static let none = "none"
  let dialogue: SetupDialogue

  private var session: Session { dialogue.session }

  /// Who is to log in; nil for nobody new.
  func ask(
    of answers: SetupAnswers, hasPages: Bool
  ) throws(CommandFailure) -> Answer? {
    let isWanted = session.arguments.option("caregiver") != nil
    guard isWanted || (hasPages && dialogue.isAsking) else { return nil }
    guard let accounts = try known(isWanted: isWanted) else { return nil }
    let linked = accounts.filter {
      $0.role == .caregiver && $0.residents.contains(answers.resident.id.rawValue)
    }
    let names = linked.map { TextWidth.printable($0.name) }.joined(separator: ", ")
    let question =
      linked.isEmpty
      ? gettext("Who looks at the pages (name of a caregiver, or none for later)?")
      : gettext("{names} may log in. Who else (name, or none)?", ["names": names])
    let name = try dialogue.checked(
      "caregiver", question,
      default: linked.isEmpty ? answers.guardian?.name ?? Self.none : Self.none
    ) { _ in nil }
    guard name != Self.none else { return nil }
    let email = try askEmail(of: name, offered: answers.guardian?.email)
    let same = accounts.first { $0.email?.lowercased() == email.lowercased() }
    if let same { return Answer(name: same.name, email: email, known: same) }
    return Answer(name: name, email: email, password: try askPassword(for: email, name))
  }

  /// The accounts that there are; nil where the daemon cannot be asked, which is said.
  private func known(isWanted: Bool) throws(CommandFailure) -> [ListedAccount]? {
    do throws(CommandFailure) { return try session.accounts() } catch {
      guard error.exitCode == .notRunning else { throw error }
      let words = gettext(
        "An account is made by the running gateway. Start it (systemctl start homeward), then run homeward setup again."
      )
      guard !isWanted else { throw CommandFailure(.notRunning, words) }
      dialogue.say(words)
      return nil
    }
  }

  private func askEmail(of name: String, offered: String?) throws(CommandFailure) -> String {
    let email = try dialogue.checked(
      "caregiver-email", gettext("With which e-mail address does {name} log in?", ["name": name]),
      default: offered ?? ""
    ) { text in
      do throws(CommandReply.Refusal) {
        _ = try Validation.email(text)
        return nil
      } catch { return error.message.spoken }
    }
    guard email.isEmpty else { return email }
    throw .usage(
      gettext("say --{option}.", ["option": "caregiver-email"]), SetupCommand.specification)
  }

  private func askPassword(for email: String, _ name: String) throws(CommandFailure) -> String {
    while true {
      let password: String
      if let path = session.arguments.option("caregiver-password-file") {
        password = try FileText.firstLine(of: path)
      } else if dialogue.isAsking {
        dialogue.say(
          gettext(
            "A password for {name}: a few words that only {name} puts together.", ["name": name]))
        do throws(CommandFailure) {
          password = try SecretEntry.password.twice(session, SetupCommand.specification)
        } catch {
          dialogue.say(error.message)
          continue
        }
      } else {
        password = try SecretEntry.password.once(session, SetupCommand.specification)
      }
      guard let refusal = AccountRules.refusal(ofPassword: password, for: email, name) else {
        return password
      }
      guard dialogue.isAsking, session.arguments.option("caregiver-password-file") == nil else {
        throw .usage(refusal.message.spoken, SetupCommand.specification)
      }
      dialogue.say(refusal.message.spoken)
    }
  }

  /// Makes the account, or links the one that is there; a sentence about it.
  func make(_ answer: Answer, for resident: Resident) throws(CommandFailure) -> String {
    if let known = answer.known {
      let isLinked = known.residents.contains(resident.id.rawValue)
      if !isLinked { try session.perform(.account(.linking(known.id, .link(resident.id)))) }
    } else {
      _ = try session.make(
        NewAccount(
          email: answer.email, profile: UserAccount.Profile(name: answer.name),
          password: answer.password ?? "", residents: [resident]))
    }
    return gettext(
      "{name} may log in as {email}, and sees {resident}.",
      [
        "name": TextWidth.printable(answer.name), "email": answer.email,
        "resident": TextWidth.printable(resident.name),
      ])
  }
}

extension FileText {
  /// The first line of a file of one secret.
  static func firstLine(of path: String) throws(CommandFailure) -> String {
    do throws(FileFailure) {
      return try read(path).split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
    } catch {
      throw CommandFailure(
        .failed, gettext("{path}: {reason}.", ["path": path, "reason": error.reason]))
    }
  }
}

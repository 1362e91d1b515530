import Care
import Door
import Foundation
import TestSupport

/// Who may what, as it was decided: written down here by hand, and by nothing that is tested.
///
/// There are two residents, A and B, the gateway, G, and the account of whoever asks, S. A capital letter says of whom somebody has a permission, a small
/// one that they have it who show a second proof.
struct PermissionTable {
  /// A permission, and of whom it is had by: an account of a caregiver of A, the account of A, a guardian of
  /// A, an account of a clinician of A.
  static let rows:
    [(
      permission: Permission, caregiver: String, resident: String, guardian: String,
      clinician: String
    )] =
      [
        (.position, "A", "A", "", ""), (.health, "A", "A", "", "A"), (.routine, "A", "A", "", "A"),
        (.messages, "A", "A", "", ""), (.notes, "A", "A", "", "A"), (.contacts, "A", "A", "", ""),
        (.alarms, "AG", "A", "AG", ""), (.settings, "A", "A", "", "A"),
        (.journal, "A", "A", "", ""),
        (.map, "G", "G", "G", ""), (.gateway, "G", "G", "", ""), (.account, "S", "S", "", "S"),
        (.push, "", "", "", ""), (.entry, "G", "G", "", "G"),
        (.callForHelp, "A", "A", "", ""), (.answerAlarms, "AG", "", "AG", ""),
        (.useRoom, "AG", "AG", "", ""),
        (.guide, "A", "A", "", ""),
        (.answerRoutine, "A", "A", "", ""), (.sendMessages, "A", "A", "", ""),
        (.changeNotes, "A", "A", "", ""),
        (.changeReadings, "A", "A", "", ""), (.consent, "A", "A", "", ""),
        (.changePeople, "A", "", "", ""),
        (.changePlaces, "A", "", "", ""), (.changeRoutine, "A", "", "", ""),
        (.changeSettings, "A", "", "", ""),
        (.changeDevices, "A", "", "", ""), (.logIn, "G", "G", "", "G"),
        (.changeAccount, "S", "S", "", "S"),
        (.disarm, "a", "a", "", ""), (.administer, "", "", "", ""),
      ]
}

/// What each question and each command takes, written down by hand in `Permissions`: a file for each feature, a line for
/// each of them.
///
///     question glucose.get found health
///     command glucose.put change-readings
///
/// A question is followed by whose data it is about and by every permission that it takes, a command by the one.
extension PermissionTable {
  /// A question's reach and permissions.
  typealias Row = (reach: Route.Reach, needs: Set<Permission>)

  static let routes = Dictionary(
    lines.compactMap { words -> (String, Row)? in
      guard words[0] == "question", words.count > 2, let reach = Route.Reach(rawValue: words[2])
      else { return nil }
      return (words[1], (reach, Set(words.dropFirst(3).compactMap { Permission(rawValue: $0) })))
    }, uniquingKeysWith: { first, _ in first })

  static let actions = Dictionary(
    lines.compactMap { words -> (String, Permission)? in
      guard words[0] == "command", words.count == 3 else { return nil }
      return Permission(rawValue: words[2]).map { (words[1], $0) }
    }, uniquingKeysWith: { first, _ in first })

  /// The lines of all files, as words.
  static let lines: [[String]] = {
    let folder = Checkout.path("Tests/Gateway/DoorTests/Permissions")
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.sorted().flatMap { name -> [[String]] in
      let text = (try? String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)) ?? ""
      return text.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
    }
  }()
}

/// What is expected, without the words.
enum Verdict: Equatable, CustomStringConvertible {
  case allowed, needsProof, refused

  init(_ decision: Decision) {
    self =
      switch decision {
      case .allowed: .allowed
      case .needsProof: .needsProof
      case .refused: .refused
      }
  }

  /// The stricter of both.
  func and(_ other: Verdict) -> Verdict {
    if self == .refused || other == .refused { return .refused }
    return self == .needsProof ? self : other
  }

  var description: String {
    switch self {
    case .allowed: "allowed"
    case .needsProof: "needs a proof"
    case .refused: "refused"
    }
  }
}

/// Somebody who asks, with what the table says of them.
struct Asker {
  /// A person of the table, and what the plugin in between was granted; nil for none in between.
  enum Role { case owner, caregiver, resident, guardian, clinician, plugin }

  var words: String
  var role: Role
  var grants: Set<String>?
  var asking: Asking

  /// What the person may of `subject`, without what the plugin in between may.
  func personMay(_ permission: Permission, _ subject: Subject) -> Verdict {
    let row = PermissionTable.rows.first { $0.permission == permission }
    let places: String
    switch role {
    case .owner: return .allowed
    // An account is nobody's but whose it is: no plugin has it by itself; and one that asks for accounts has nothing else.
    case .plugin:
      let isForAccounts =
        grants?.contains("accounts") == true && permission != .logIn && permission != .entry
      return subject.isAccount || isForAccounts ? .refused : .allowed
    case .caregiver: places = row?.caregiver ?? ""
    case .resident: places = row?.resident ?? ""
    case .guardian: places = row?.guardian ?? ""
    case .clinician: places = row?.clinician ?? ""
    }
    let letter: Character
    switch subject {
    case .resident("a"): letter = "A"
    case .gateway: letter = "G"
    case .account("own"): letter = "S"
    case .account, .resident, .everybody: return .refused
    }
    if places.contains(letter) { return .allowed }
    return places.contains(letter.lowercased()) ? .needsProof : .refused
  }

  /// What somebody may see of `subject`, or bring to it where `name` is brought in pieces: by a plugin for an account alone.
  func mayAsk(_ needs: Set<Permission>, _ subject: Subject, _ name: String) -> Verdict {
    if let grants, PermissionTable.brought.contains(name) {
      guard [.caregiver, .resident, .clinician].contains(role), grants.contains("command:\(name)")
      else {
        return .refused
      }
      return needs.reduce(.allowed) { $0.and(personMay($1, subject)) }
    }
    return needs.reduce(.allowed) { verdict, permission in
      let isGranted =
        grants.map {
          PermissionTable.seen.contains(permission) && $0.contains("read:\(permission.rawValue)")
        } ?? true
      return verdict.and(isGranted ? .allowed : .refused).and(personMay(permission, subject))
    }
  }
}

extension PermissionTable {
  /// What can be granted to plugins by `read:`.
  static let seen: Set<Permission> = [
    .position, .health, .routine, .messages, .notes, .contacts, .alarms, .settings, .journal,
    .map, .gateway, .account, .push, .entry,
  ]

  /// Every grant that there is.
  static let grants =
    Set(seen.map { "read:\($0.rawValue)" }).union(actions.keys.map { "command:\($0)" })
    .union(brought.map { "command:\($0)" })

  /// What is brought in pieces, and not by a command.
  static let brought: Set = ["picture.add", "recording.add"]

  private static func account(_ role: AccountRole) -> Account {
    Account(id: "own", name: role.rawValue, role: role, residents: ["a"])
  }

  private static let local = Principal(channel: .local, name: "ole")
  private static let plugin = Principal(channel: .plugin, name: "console/anna")

  /// Everybody who asks: the owner, accounts, a guardian, plugins with none, all and each of the grants, by themselves and
  /// for an account.
  static let askers: [Asker] = {
    var askers = [
      Asker(words: "owner", role: .owner, asking: .owner(local)),
      Asker(
        words: "caregiver of A", role: .caregiver,
        asking: Asking(local, .account(account(.caregiver)))),
      Asker(
        words: "A", role: .resident,
        asking: Asking(local, .account(account(.resident)))),
      Asker(
        words: "clinician of A", role: .clinician,
        asking: Asking(local, .account(account(.clinician)))),
    ]
    let sets: [(String, Set<String>)] =
      [("no grant", []), ("every grant", grants), ("accounts, too", grants.union(["accounts"]))]
      + grants.sorted().map { ($0, [$0]) }
    for (grantWords, granted) in sets {
      askers += [
        Asker(
          words: "plugin with \(grantWords)", role: .plugin, grants: granted,
          asking: Asking(plugin, .plugin(grants: granted))),
        Asker(
          words: "guardian of A by a plugin with \(grantWords)", role: .guardian,
          grants: granted, asking: Asking(plugin, .guardian(of: "a", through: granted))),
        Asker(
          words: "caregiver of A by a plugin with \(grantWords)", role: .caregiver,
          grants: granted,
          asking: Asking(plugin, .pluginFor(account(.caregiver), grants: granted))),
        Asker(
          words: "A by a plugin with \(grantWords)", role: .resident, grants: granted,
          asking: Asking(plugin, .pluginFor(account(.resident), grants: granted))),
        Asker(
          words: "clinician of A by a plugin with \(grantWords)", role: .clinician,
          grants: granted,
          asking: Asking(plugin, .pluginFor(account(.clinician), grants: granted))),
      ]
    }
    return askers
  }()
}

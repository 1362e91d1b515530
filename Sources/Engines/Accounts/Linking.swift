import Bytes
public import Care
import JSON

/// What people ask so that a caregiver is linked to a resident, or no longer.
public enum Linking: Hashable, Sendable {
  /// Show a code on a resident's page; its digest is among the credentials.
  case showCode
  /// Be linked by the code that a resident's page shows; its digest is among the credentials.
  case enterCode
  /// Ask whoever has an address to be linked.
  case request(email: String)
  /// Say yes or no to who asked.
  case answer(request: String, isAccepted: Bool)
  /// Ask no longer, or put away what was answered.
  case withdraw(request: String)
  /// Link a caregiver to a resident without asking either.
  case link(ResidentID)
  /// Link a caregiver to a resident no longer.
  case unlink(ResidentID)
  /// A resident no longer wants a caregiver's account to see them.
  case dismiss(AccountID)

  /// The request's word.
  var action: String {
    switch self {
    case .showCode: "account.show-code"
    case .enterCode: "account.enter-code"
    case .request: "account.request-link"
    case .answer: "account.answer-link"
    case .withdraw: "account.withdraw-link"
    case .link: "account.link"
    case .unlink: "account.unlink"
    case .dismiss: "account.dismiss"
    }
  }

  /// Reads what a request of an action asks; nil where it asks for no link.
  init?(_ action: String, _ reader: JSONReader) throws(DecodeError) {
    switch action {
    case "account.show-code": self = .showCode
    case "account.enter-code": self = .enterCode
    case "account.request-link": self = .request(email: try reader.string("email"))
    case "account.answer-link":
      self = .answer(
        request: try reader.string("request"), isAccepted: try reader.bool("isAccepted"))
    case "account.withdraw-link": self = .withdraw(request: try reader.string("request"))
    case "account.link": self = .link(ResidentID(try reader.string("resident")))
    case "account.dismiss": self = .dismiss(AccountID(try reader.string("other")))
    case "account.unlink": self = .unlink(ResidentID(try reader.string("resident")))
    default: return nil
    }
  }

  /// What is asked, as members of an object.
  func added(to json: JSONValue) -> JSONValue {
    switch self {
    case .showCode, .enterCode: json
    case .request(let email): json.setting("email", to: .string(email))
    case .answer(let request, let isAccepted):
      json.setting("request", to: .string(request)).setting("isAccepted", to: .bool(isAccepted))
    case .withdraw(let request): json.setting("request", to: .string(request))
    case .dismiss(let other): json.setting("other", to: .string(other.rawValue))
    case .link(let resident), .unlink(let resident):
      json.setting("resident", to: .string(resident.rawValue))
    }
  }
}

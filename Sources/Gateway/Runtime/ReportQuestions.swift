import Care
import Core
import Door
import JSON
import Loop
import Ports
import Texts

/// What residents tell of themselves, and the reports about them that go by e-mail.
@LoopActor
struct ReportQuestions {
  let view: CoreView
  let outward: OutwardCalls

  var handlings: [Handling] {
    [
      Handling(.profileGet) { asked, answer in
        let id = try asked.wholeResident()
        guard view.isKnown(id, answer) else { return }
        answer(.success(view.core.household.profile(of: id)))
      },
      Handling(.reportsList) { asked, answer in
        let id = try asked.wholeResident()
        guard view.isKnown(id, answer) else { return }
        answer(.success(.array(view.core.household.reportOrders(of: id))))
      },
      Handling(.reportMail, mailReport),
    ]
  }

  private static let mailMilliseconds: Int64 = 120_000

  /// The address is that of the order, and whoever it is about agrees at this moment.
  private func mailReport(_ asked: Asked, _ answer: @escaping Answer) throws {
    let reader = asked.reader
    guard let order = view.core.household.reportOrder(try reader.string("order")) else {
      return answer(
        .failure(
          CommandReply.Refusal(
            .unknownTarget, Message("There is no such report by e-mail any more."))))
    }
    guard order["isAllowed"] == true else {
      return answer(
        .failure(
          CommandReply.Refusal(
            .forbidden,
            Message("Whoever this report is about does not agree that it goes out by e-mail."))))
    }
    let mail: JSONValue = [
      "to": order["email"] ?? .null, "language": order["language"] ?? .null,
      "id": .string("report.\(try reader.string("order")).\(order["next"]?.stringContent ?? "")"),
      "subject": .string(try reader.string("subject")), "text": .string(try reader.string("text")),
      "name": .string(try reader.string("name")), "file": .string(try reader.string("file")),
    ]
    outward.ask("mail.send", mail, milliseconds: Self.mailMilliseconds) { told in
      answer(
        told.map { _ in RouteAnswer(.object([])) }.mapError { failure in
          CommandReply.Refusal(
            .conflict,
            failure.isMissing
              ? Message("This gateway sends no e-mail: its configuration has no plugin email.")
              : failure.message)
        })
    }
  }
}

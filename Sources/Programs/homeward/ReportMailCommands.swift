import Bytes
import Care
import CareReports
import Configuration
import ControlSocket
import Door
import JSON
import Moments
import Reports
import Texts

/// `homeward report order`, `orders`, `stop` and `send`: reports by e-mail.
enum ReportMailCommands {
  static let all = [order, orders, stop, send]

  private static let order: CommandSpecification = .init(
    path: ["report", "order"],
    summary: gettext("Has a report sent by e-mail, once or again and again"),
    discussion: gettext(
      """
      Nothing goes out unless the person agrees: homeward consent grant reports --resident mary --by Mary
      Weekly reports go out on Mondays, monthly ones on the first, at eight in the morning where the person lives. Without
      a network they wait, and homeward report orders says so.
      """),
    options: [
      Session.residentOption,
      .option("email", "ADDRESS", gettext("Where it goes, such as practice@example.org")),
      .option("kind", "doctor|week", gettext("For whom; doctor unless set")),
      .option("every", "once|weekly|monthly", gettext("How often; once unless set")),
      .option("language", "en|zh", gettext("Its language; that of this terminal unless set")),
      .option("paper", "a4|letter", gettext("The paper of a PDF; a4 unless set")),
    ],
    examples: [
      Example(
        "homeward report order --email practice@example.org --every monthly",
        gettext("The doctor's report, each month."))
    ]
  ) { session throws(CommandFailure) in
    guard let email = session.arguments.option("email") else {
      throw .usage(gettext("say where it goes: --email ADDRESS"), ReportMailCommands.order)
    }
    let kind: ReportOrder.Kind = try word("kind", session) ?? .doctor
    let every: ReportOrder.Recurrence = try word("every", session) ?? .once
    let language: Language = try word("language", session) ?? SpokenLanguage.current
    let paper: PaperSize = try word("paper", session) ?? .a4
    let resident = try session.resident()
    let order: JSONValue = [
      "id": .string(RandomIdentifier.short), "resident": .string(resident.id.rawValue),
      "kind": .string(kind.rawValue), "email": .string(email), "every": .string(every.rawValue),
      "language": .string(language.rawValue), "paper": .string(paper.rawValue),
    ]
    let answer = try session.perform(["action": "report.order", "order": order])
    session.tell(
      answer,
      gettext(
        "It goes to {email}. The next one goes out at {time}.",
        ["email": email, "time": session.times.text(answer["next"]?.stringContent)]))
  }

  private static let orders: CommandSpecification = .init(
    path: ["report", "orders"], summary: gettext("Reports that go out by e-mail"),
    options: [Session.residentOption],
    examples: [Example("homeward report orders", gettext("All of them."))]
  ) { session throws(CommandFailure) in
    let all = try listed(session, of: try session.optionalResidentID())
    try session.show(.array(all)) { _ in
      if all.isEmpty { return gettext("No report goes out by e-mail.\n") }
      var table = Table([
        gettext("ID"), gettext("WHO"), gettext("WHICH"), gettext("TO"), gettext("HOW OFTEN"),
        gettext("NEXT"), gettext("LAST"), gettext("WHAT IS WRONG"),
      ])
      for order in all {
        func text(_ name: String) -> String { order[name]?.stringContent ?? "-" }
        let fault =
          order["isAllowed"] == true ? text("fault") : gettext("the person does not agree")
        table.add([
          text("id"), text("resident"), text("kind"), text("email"), text("every"),
          session.times.text(order["next"]?.stringContent),
          session.times.text(order["sentAt"]?.stringContent), fault,
        ])
      }
      return table.text
    }
  }

  private static let stop: CommandSpecification = .init(
    path: ["report", "stop"], summary: gettext("Has a report go out by e-mail no more"),
    operands: [OperandSpecification(name: "ID", help: gettext("Of the list of them"))],
    examples: [Example("homeward report stop k3x9qa", gettext("It goes out no more."))]
  ) { session throws(CommandFailure) in
    let id = session.arguments.operands[0]
    let answer = try session.perform(["action": "report.cancel", "target": .string(id)])
    session.tell(answer, gettext("It goes out no more."))
  }

  private static let send: CommandSpecification = .init(
    path: ["report", "send"],
    summary: gettext("Sends the reports that are due; a timer does so by itself"),
    examples: [Example("homeward report send", gettext("Those that are due now."))]
  ) { session throws(CommandFailure) in
    let now = TimeDisplay.now
    var (sent, faults) = (0, [String]())
    for json in try listed(session, of: nil) where json["isAllowed"] == true {
      let order: ReportOrder
      do throws(DecodeError) { order = try ReportOrder(json: json) } catch {
        throw CommandFailure(error)
      }
      guard let next = order.next, next <= now else { continue }
      if let fault = try mail(order, at: now, session) {
        faults.append("\(order.email): \(fault)")
      } else {
        sent += 1
      }
    }
    session.tell(
      ["sent": .integer(Int64(sent)), "faults": .array(faults.map { .string($0) })],
      lines: [gettext("{n} reports were sent.", ["n": sent])] + faults)
    if !faults.isEmpty {
      throw CommandFailure(
        .failed, gettext("Not all could be sent; they are tried again with the next call."))
    }
  }

  private static func word<Word: RawRepresentable & CaseIterable>(
    _ name: String, _ session: Session
  ) throws(CommandFailure) -> Word? where Word.RawValue == String {
    try ReportCommand.word(name, session, order)
  }

  private static func listed(
    _ session: Session, of resident: ResidentID?
  ) throws(CommandFailure) -> [JSONValue] {
    let residents: [ResidentID]
    if let resident {
      residents = [resident]
    } else {
      residents = try session.residents().map(\.id)
    }
    var all: [JSONValue] = []
    for id in residents {
      let answer = try session.call(.reportsList, ["resident": .string(id.rawValue)])
      all += answer.arrayContent ?? []
    }
    return all
  }

  // MARK: Sending

  private static let fileBytesAtMost = 700_000

  /// Sends one, and writes down what became of it.
  ///
  /// - Returns: why it could not be sent; nil where it was.
  private static func mail(
    _ order: ReportOrder, at now: Timestamp, _ session: Session
  ) throws(CommandFailure) -> String? {
    var settled: JSONValue = ["action": "report.settle", "target": .string(order.id)]
    var fault: String?
    do throws(CommandFailure) {
      try send(order, at: now, session)
    } catch {
      guard error.exitCode != .notRunning else { throw error }
      fault = error.message
      settled = settled.setting("fault", to: .string(error.message))
    }
    try session.perform(settled)
    return fault
  }

  private static func send(
    _ order: ReportOrder, at now: Timestamp, _ session: Session
  ) throws(CommandFailure) {
    let resident = try session.choose(order.resident.rawValue, among: session.residents())
    let kind: ReportRequest.Kind = order.kind == .week ? .week : .doctor
    let request = try ReportCommand.request(
      kind, of: resident, days: order.kind == .week || order.every == .weekly ? 7 : 30,
      until: now, language: order.language, session)
    let document = ReportDocument(request, try ReportCommand.answers(to: request, session))
    let parcel = ReportParcel(document, on: PaperSize(rawValue: order.paper.rawValue) ?? .a4)
    let pdf = try ReportPrinter(session).draw(parcel)
    guard pdf.count <= fileBytesAtMost else {
      throw CommandFailure(
        .failed,
        gettext("The report is too large for an e-mail: hand it over as a file, or have it weekly.")
      )
    }
    let text = Message(
      "Here is the report about {name}. It says what was measured and written down, and gives no medical advice.",
      ["name": resident.name])
    let params: JSONValue = [
      "order": .string(order.id), "subject": .string(document.title),
      "text": .string(text.text(in: request.language)), "name": "report.pdf",
      "file": .string(String(decoding: Base64.encode(pdf), as: UTF8.self)),
    ]
    _ = try session.call(.reportMail, params, timeoutSeconds: 150)
  }
}

import Bytes
import Care
import CareReports
import CivilTime
import Door
import Glibc
import GlucoseValues
import JSON
import Moments
import Texts

/// `homeward report`.
enum ReportCommand {
  static let specification: CommandSpecification = .init(
    path: ["report"],
    summary: gettext("A report for the doctor, for the family, or about a missing person"),
    discussion: gettext(
      """
      What the file's name ends in decides what is written: report.pdf (needs the package homeward-plugin-report),
      report.html, or report.csv for other programs. Without --to the report is shown here.
      The doctor's report covers 30 days, the week's the last 7; the sheet about a missing person is of now.
      It says what is missing, and gives no medical advice.
      """),
    options: [
      Session.residentOption,
      .option("kind", "doctor|week|missing", gettext("For whom; doctor unless set")),
      .option("days", "COUNT", gettext("So many days until now, 1 through 3660")),
      .option(
        "since", "TIME", gettext("From this time on: 2026-11-20, \"2026-11-20 15:30\", today, 7d")),
      .option("until", "TIME", gettext("Before this time; now unless set")),
      GlucoseArguments.unitOption,
      .option("language", "en|zh", gettext("Its language; that of this terminal unless set")),
      .option("paper", "a4|letter", gettext("The paper of a PDF; a4 unless set")),
      .file(gettext("The file to write: report.pdf, report.html or report.csv")),
    ],
    examples: [
      Example("homeward report --to report.pdf", gettext("The last 30 days, for the doctor.")),
      Example(
        "homeward report --kind missing --resident mary --to mary.pdf",
        gettext("A sheet for the police.")),
    ], run: run)

  /// As what a report is written.
  private enum Form: String, CaseIterable {
    case pdf, html, csv
  }

  private static func run(_ session: Session) throws(CommandFailure) {
    let form = try form(session)
    let paper: PaperSize = try word("paper", session) ?? .a4
    let request = try request(session)
    let document = ReportDocument(request, try answers(to: request, session))
    guard let form, let path = session.arguments.option("to") else {
      return try session.show(document.json) { _ in ReportText.text(of: document) }
    }
    switch form {
    case .csv: try write(Array("\u{FEFF}\(ReportCSV.text(document))".utf8), to: path)
    case .html:
      let pictures = try pictures(of: document, session)
      try write(Array(ReportHTML.file(document, pictures: pictures).utf8), to: path)
    case .pdf:
      let parcel = ReportParcel(
        document, on: paper, pictures: try pictures(of: document, session))
      try write(try ReportPrinter(session).draw(parcel), to: path)
    }
    session.tell(
      ["file": .string(path), "kind": .string(request.kind.rawValue)],
      gettext("Saved as {path}.", ["path": path]))
  }

  private static func write(_ bytes: [UInt8], to path: String) throws(CommandFailure) {
    do throws(FileFailure) { try FileText.write(bytes: bytes, to: path, mode: 0o600) } catch {
      throw CommandFailure(
        .failed,
        gettext("{path} cannot be written: {reason}.", ["path": path, "reason": error.reason]))
    }
  }

  // MARK: What is asked for

  private static func form(_ session: Session) throws(CommandFailure) -> Form? {
    guard let path = session.arguments.option("to") else { return nil }
    let end = path.split(separator: ".").last.map { $0.lowercased() } ?? ""
    guard let form = Form(rawValue: end), path.contains(".") else {
      throw .usage(
        gettext("--to \"{path}\" must end in .pdf, .html or .csv.", ["path": path]), specification)
    }
    return form
  }

  static func word<Word: RawRepresentable & CaseIterable>(
    _ name: String, _ session: Session, _ command: CommandSpecification = specification
  ) throws(CommandFailure) -> Word? where Word.RawValue == String {
    guard let text = session.arguments.option(name) else { return nil }
    guard let word = Word(rawValue: text) else {
      let words = Word.allCases.map(\.rawValue).joined(separator: " | ")
      throw .usage(
        gettext(
          "--{option} \"{value}\" must be one of: {words}.",
          ["option": name, "value": text, "words": words]), command)
    }
    return word
  }

  private static func request(_ session: Session) throws(CommandFailure) -> ReportRequest {
    let kind: ReportRequest.Kind = try word("kind", session) ?? .doctor
    let language: Language = try word("language", session) ?? SpokenLanguage.current
    let days = try days(session, usually: kind == .week ? 7 : 30)
    let (since, until) = (try session.time("since"), try session.time("until"))
    let asked = try GlucoseArguments.unit(session, specification)
    let resident = try session.resident()
    let end = until ?? TimeDisplay.now
    guard since.map({ $0 < end }) ?? true else {
      throw .usage(gettext("--since must be before --until."), specification)
    }
    return try self.request(
      kind, of: resident, days: days, since: since, until: end, unit: asked, language: language,
      session)
  }

  /// A report of so many days, or since a time, until another.
  static func request(
    _ kind: ReportRequest.Kind, of resident: Resident, days: Int64, since: Timestamp? = nil,
    until end: Timestamp, unit: GlucoseUnit? = nil, language: Language, _ session: Session
  ) throws(CommandFailure) -> ReportRequest {
    let zone = TimeDisplay(configuredZone: resident.timeZone).zone
    let first = zone.local(at: end.advanced(byMilliseconds: -(days - 1) * 86_400_000)).civil
    let midnight = zone.instant(
      of: CivilDateTime(year: first.year, month: first.month, day: first.day))
    return ReportRequest(
      kind, of: resident.id.rawValue, since: since ?? midnight, until: end, zone: zone,
      unit: try GlucoseArguments.unit(unit, of: resident, session), language: language,
      now: TimeDisplay.now)
  }

  private static func days(
    _ session: Session, usually: Int64
  ) throws(CommandFailure) -> Int64 {
    guard let text = session.arguments.option("days") else { return usually }
    guard session.arguments.option("since") == nil else {
      throw .usage(gettext("--days and --since say the same; give one of them."), specification)
    }
    guard let days = Int64(text), (1...3660).contains(days) else {
      throw .usage(
        gettext("--days must be a whole number from 1 to 3660, not \"{text}\".", ["text": text]),
        specification)
    }
    return days
  }

  // MARK: What the gateway says

  static func answers(
    to request: ReportRequest, _ session: Session
  ) throws(CommandFailure) -> ReportAnswers {
    var answers = ReportAnswers()
    for question in request.questions {
      guard let route = Route.all.first(where: { $0.name == question.route }) else { continue }
      do throws(CommandFailure) {
        try session.walk(route, question.params) { answer in
          answers.add(answer, to: question.route)
          return question.isList
        }
      } catch {
        // A gateway that is not there answers nothing; one that refuses a part answers the others.
        guard error.exitCode != .notRunning else { throw error }
        answers.refuse(question.route, because: error.message)
      }
    }
    return request.kind == .missing ? located(answers, request, session) : answers
  }

  /// With the address where whoever is missing was last, where one is known.
  private static func located(
    _ answers: ReportAnswers, _ request: ReportRequest, _ session: Session
  ) -> ReportAnswers {
    var residents = answers.list("residents.list")
    guard let place = residents.firstIndex(where: { $0["id"]?.stringContent == request.resident }),
      let tracking = residents[place]["tracking"], let position = tracking["position"],
      let latitude = position["latitude"], let longitude = position["longitude"],
      let found = try? session.call(
        .mapReverse, ["at": ["latitude": latitude, "longitude": longitude]]),
      let address = found["place"]?["address"]
    else { return answers }
    residents[place] = residents[place].setting(
      "tracking", to: tracking.setting("position", to: position.setting("address", to: address)))
    var answers = answers
    answers.replace("residents.list", by: .array(residents))
    return answers
  }

  private static func pictures(
    of document: ReportDocument, _ session: Session
  ) throws(CommandFailure) -> [String: [UInt8]] {
    var pictures: [String: [UInt8]] = [:]
    for part in document.parts {
      guard case .picture(let id, _) = part else { continue }
      // A picture that is not there any more is named in the report as missing.
      pictures[id] = try? PictureTransfer.fetch(PictureID(id), session)
    }
    return pictures
  }
}

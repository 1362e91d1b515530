import CareReports
import CivilTime
import JSON
import Moments
import Texts

/// A report: for the doctor, for the family, for the police; to read, to print, and as a table.
struct ReportPage {
  static let page = Page(
    path: "/report", isForClinicians: true, questions: { ReportView($0).questions },
    rounds: WholeList.rounds, content: { Self(visit: $0).content })

  private let visit: Visit

  private var content: PageContent {
    let title = visit.gettext("Report")
    guard let view = ReportView(visit).known else {
      return PageContent(title: title, main: Part.heading(title, visit, "/report"), place: .more)
    }
    return PageContent(title: title, main: view.page, scripts: ["print.js"], place: .more)
  }
}

/// A report as somebody asks for it by the address of its page.
struct ReportView {
  let visit: Visit
  private let kind: ReportRequest.Kind

  init(_ visit: Visit) {
    self.visit = visit
    let asked = visit.fields["kind"].flatMap(ReportRequest.Kind.init) ?? .doctor
    kind = visit.isClinician ? .doctor : asked
  }

  /// The view, where there is somebody whom it can be about.
  var known: ReportView? { visit.chosenResident == nil ? nil : self }

  private var request: ReportRequest {
    let resident = visit.chosenResident ?? .null
    let days: Int64 = kind == .week ? 7 : Period.chosen(visit)
    return ReportRequest(
      kind, of: resident["id"]?.stringContent ?? "",
      since: visit.midnight(of: resident, daysAgo: days - 1), until: visit.now,
      zone: visit.zone(of: resident), unit: ReadingWords.unit(of: resident, visit),
      language: visit.visitor.language, now: visit.now)
  }

  // MARK: Asking

  /// What is still to be asked: each question once, and lists until their end.
  var questions: [Question] {
    guard let resident = visit.chosenResident else { return [] }
    var asked = request.questions.compactMap { question -> Question? in
      next(question)
    }
    if !visit.answers.has(ReadingWords.question(about: resident).name) {
      asked.append(ReadingWords.question(about: resident))
    }
    if kind != .missing, !visit.isClinician, !visit.answers.has("reports.list") {
      asked.append(ReportMailPart.question(about: resident))
    }
    if kind == .missing, let place, !visit.answers.has("map.reverse") {
      asked.append(Question("map.reverse", ["at": place]))
    }
    return asked
  }

  private func next(_ question: ReportRequest.Question) -> Question? {
    // Each page asks that anyway.
    guard question.route != "residents.list" else { return nil }
    guard question.isList else {
      return visit.answers.has(question.route) ? nil : Question(question.route, question.params)
    }
    return WholeList.next(question.route, question.params, visit)
  }

  /// Where whoever is missing was last, as a question takes it.
  private var place: JSONValue? {
    let position = visit.chosenResident?["tracking"]?["position"]
    guard let latitude = position?["latitude"], let longitude = position?["longitude"] else {
      return nil
    }
    return ["latitude": latitude, "longitude": longitude]
  }

  private var answers: ReportAnswers {
    var answers = ReportAnswers()
    for question in request.questions {
      for part in WholeList.parts(question.route, visit) {
        if visit.isClinician, part == "residents.list" {
          answers.add(.array(visit.residents), to: part)
        } else if let refusal = visit.answers.refusal(part) {
          answers.refuse(question.route, because: refusal.words)
        } else {
          answers.add(told(part), to: question.route)
        }
      }
      if question.isList, WholeList.isCut(question.route, visit) {
        answers.refuse(question.route, because: WholeList.words(visit))
      }
    }
    return answers
  }

  /// An answer, with the address where whoever is missing was last.
  private func told(_ name: String) -> JSONValue {
    guard name == "residents.list",
      let address = visit.answers["map.reverse"]["place"]?["address"]?.stringContent
    else { return visit.answers[name] }
    return .array(
      visit.residents.map { resident in
        guard resident == visit.chosenResident, let tracking = resident["tracking"],
          let position = tracking["position"]
        else { return resident }
        let near = position.setting("address", to: .string(address))
        return resident.setting("tracking", to: tracking.setting("position", to: near))
      })
  }

  // MARK: Showing

  var document: ReportDocument { ReportDocument(request, answers) }

  /// On what it is drawn.
  var paper: PaperSize { visit.fields["paper"].flatMap(PaperSize.init) ?? .a4 }

  private func address(
    _ path: String, _ kind: ReportRequest.Kind, days: Int64? = nil, on paper: PaperSize? = nil
  ) -> String {
    Visit.address(
      path,
      [
        "resident": visit.chosenResident?["id"]?.stringContent, "kind": kind.rawValue,
        "days": days.map(String.init) ?? visit.fields["days"], "paper": paper?.rawValue,
      ])
  }

  /// The page in the place of a paper that was not drawn: why, and what can be done instead.
  func withoutPaper(because refusal: Refusal) -> PageContent {
    let title = visit.gettext("This report is not on paper yet")
    return PageContent(
      title: title,
      main: """
        <h1>\(title)</h1><p class="fault">\(refusal.words)</p>
        <p class="actions">\(Part.link(visit.gettext("Back to the report"), to: address("/report", kind), isFirst: true))</p>
        """, place: .more)
  }

  var page: HTML {
    let kinds: [(ReportRequest.Kind, String)] = [
      (.doctor, visit.gettext("For the doctor")), (.week, visit.gettext("The week")),
      (.missing, visit.gettext("Missing person")),
    ]
    let choices = kinds.map { kind, words in
      Part.choiceLink(words, to: address("/report", kind), isHere: kind == self.kind)
    }
    let which: HTML =
      visit.isClinician
      ? .nothing
      : "<nav class=\"people\" aria-label=\"\(visit.gettext("Which report"))\">\(choices)</nav>"
    let periods = Period.days.map { days in
      Part.choiceLink(
        visit.ngettext("{n} day", "{n} days", Int(days), ["n": days]),
        to: address("/report", kind, days: days), isHere: days == Period.chosen(visit))
    }
    let period: HTML =
      kind == .doctor
      ? "<nav class=\"people\" aria-label=\"\(visit.gettext("How far back"))\">\(periods)</nav>"
      : .nothing
    let portrait: HTML =
      kind == .missing && visit.isCaregiver
      ? Part.link(
        visit.gettext("Describe, with a photograph"),
        to: Visit.address("/portrait", ["resident": visit.chosenResident?["id"]?.stringContent]))
      : .nothing
    let body = ReportHTML.body(document) { "/picture/\($0)" }
    return """
      <div class="unprinted">\(Part.people(visit, path: "/report"))
      \(which)\(period)
      <p class="actions"><button type="button" class="button first" data-print>\(visit.gettext("Print"))</button>\(Part.link(visit.gettext("PDF, A4 paper"), to: address("/report.pdf", kind, on: .a4)))\(Part.link(visit.gettext("PDF, Letter paper"), to: address("/report.pdf", kind, on: .letter)))\(Part.link(visit.gettext("As a table (CSV)"), to: address("/report.csv", kind)))\(portrait)</p></div>
      \(HTML(stringLiteral: body))
      <div class="unprinted">\(ReportMailPart(visit: visit, resident: visit.chosenResident ?? .null, kind: kind).card)</div>
      """
  }
}

import CareReports
import CivilTime
import JSON
import Moments
import Texts

extension Page {
  /// A report: for the doctor, for the family, for the police; to read, to print, and as a table.
  static let report = Page(
    path: "/report", questions: { ReportView($0).questions }, rounds: ReportView.rounds,
    content: { visit in
      let title = visit.gettext("Report")
      guard let view = ReportView(visit).known else {
        return PageContent(title: title, main: heading(title, visit, "/report"), place: .more)
      }
      return PageContent(title: title, main: view.page, scripts: ["print.js"], place: .more)
    })
}

/// A report as somebody asks for it by the address of its page.
struct ReportView {
  /// A list of a thousand times this many elements is shown whole.
  static let rounds = 40

  let visit: Visit
  private let kind: ReportRequest.Kind

  init(_ visit: Visit) {
    self.visit = visit
    kind = visit.fields["kind"].flatMap(ReportRequest.Kind.init) ?? .doctor
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
    if kind == .missing, let place, !visit.answers.has("map.reverse") {
      asked.append(Question("map.reverse", ["at": place]))
    }
    return asked
  }

  private func name(_ route: String, _ part: Int) -> String {
    part == 0 ? route : "\(route) \(part)"
  }

  private func next(_ question: ReportRequest.Question) -> Question? {
    // Each page asks that anyway.
    guard question.route != "residents.list" else { return nil }
    var part = 0
    while visit.answers.has(name(question.route, part)) {
      guard question.isList, let cursor = visit.answers.cursors[name(question.route, part)] else {
        return nil
      }
      part += 1
      guard !visit.answers.has(name(question.route, part)) else { continue }
      return Question(
        question.route, question.params.setting("cursor", to: .string(cursor)),
        as: name(question.route, part))
    }
    return Question(question.route, question.params)
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
      var part = 0
      while visit.answers.has(name(question.route, part)) {
        if let refusal = visit.answers.refusal(name(question.route, part)) {
          answers.refuse(question.route, because: refusal.words)
        } else {
          answers.add(told(name(question.route, part)), to: question.route)
        }
        part += 1
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

  private func address(_ path: String, _ kind: ReportRequest.Kind, days: Int64? = nil) -> String {
    Visit.address(
      path,
      [
        "resident": visit.chosenResident?["id"]?.stringContent, "kind": kind.rawValue,
        "days": days.map(String.init) ?? visit.fields["days"],
      ])
  }

  var page: HTML {
    let kinds: [(ReportRequest.Kind, String)] = [
      (.doctor, visit.gettext("For the doctor")), (.week, visit.gettext("The week")),
      (.missing, visit.gettext("Missing person")),
    ]
    let choices = kinds.map { kind, words in
      Part.choiceLink(words, to: address("/report", kind), isHere: kind == self.kind)
    }
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
      <nav class="people" aria-label="\(visit.gettext("Which report"))">\(choices)</nav>\(period)
      <p class="actions"><button type="button" class="button first" data-print>\(visit.gettext("Print"))</button>\(Part.link(visit.gettext("As a table (CSV)"), to: address("/report.csv", kind)))\(portrait)</p></div>
      \(HTML(stringLiteral: body))
      """
  }
}

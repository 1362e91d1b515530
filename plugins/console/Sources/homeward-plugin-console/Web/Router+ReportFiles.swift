import CareReports
import ConsoleRequests
import JSON
import Loop
import Texts
import WebServer

/// Reports as files, for whoever may see the page of them.
extension Router {
  /// A report as a table for programs.
  func reportTable(_ request: WebRequest, _ incoming: Incoming, _ visitor: Visitor) {
    report(request, incoming, visitor) { view in
      // Programs of offices take a table without a mark for one in the letters of their country.
      let text = "\u{FEFF}" + ReportCSV.text(view.document)
      request.answer(
        Self.file("report.csv", "text/csv; charset=utf-8", Array(text.utf8)).guarded)
    }
  }

  /// A report on paper, drawn by the plugin for it.
  func reportPaper(_ request: WebRequest, _ incoming: Incoming, _ visitor: Visitor) {
    report(request, incoming, visitor) { view in
      let document = view.document
      self.desk.pictures(of: document, for: view.visit.visitor) { pictures in
        let parcel = ReportParcel(document, on: view.paper, pictures: pictures)
        self.desk.draw(parcel, for: view.visit.visitor) { drawn in
          defer { self.memory.worked() }
          switch drawn {
          case .success(let pdf):
            request.answer(Self.file("report.pdf", "application/pdf", pdf).guarded)
          case .failure(let refusal):
            self.show(
              view.withoutPaper(because: refusal), view.visit, status: refusal.status, request,
              incoming)
          }
        }
      }
    }
  }

  private static func file(_ name: String, _ type: String, _ bytes: [UInt8]) -> WebAnswer {
    WebAnswer(
      200,
      [
        WebAnswer.Header("Content-Type", type),
        WebAnswer.Header("Content-Disposition", "attachment; filename=\"\(name)\""),
        Headers.personal,
      ], body: bytes)
  }

  private func report(
    _ request: WebRequest, _ incoming: Incoming, _ visitor: Visitor,
    completion: @escaping @LoopActor (ReportView) -> Void
  ) {
    var visit = visit(incoming, visitor)
    desk.ask(Page.always(at: visit.now), for: visitor) { answers in
      visit.answers = answers
      if let refusal = answers.refusal("account.show") {
        return request.answer(ProgramInterface.problem(refusal).guarded)
      }
      if let tag = visit.account["profile"]?["language"]?.stringContent {
        visit.visitor.language = Language(tag)
      }
      self.ask(ReportPage.page, visit, rounds: ReportPage.page.rounds) { visit in
        guard let view = ReportView(visit).known else {
          return request.answer(Self.fault(Incoming.Fault(404, Message("There is nothing here."))))
        }
        completion(view)
      }
    }
  }
}

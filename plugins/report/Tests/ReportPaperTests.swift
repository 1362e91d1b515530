import CareReports
import Charts
import Foundation
import JSON
import ReportTestSupport
import TestSupport
import Testing
import Texts

@testable import homeward_plugin_report

@Suite("Reports on paper", .serialized, .timeLimit(.minutes(5)))
struct ReportPaperTests {
  private func document(_ kind: ReportRequest.Kind, _ language: Language = .en) -> ReportDocument {
    ReportDocument(ReportSamples.request(kind, language), ReportSamples.answers())
  }

  private func document(_ parts: [ReportPart]) -> ReportDocument {
    ReportDocument(title: "A title", lines: [], language: "en", parts: parts, foot: "A foot.")
  }

  @Test("Every word of every report is on paper, in order, in both languages and on both papers")
  func words() throws {
    for language in Language.allCases {
      for kind in ReportRequest.Kind.allCases {
        for paper in PaperSize.allCases {
          let document = document(kind, language)
          let pdf = try PDFFile(ReportParcel(document, on: paper))
          #expect(pdf.lacks(document.words) == nil, "\(kind) \(language) \(paper)")
          let size = paper == .a4 ? "595.276 x 841.89 pts (A4)" : "612 x 792 pts (letter)"
          let facts = try pdf.facts()
          #expect(facts["Page size"] == size && facts["Pages"] == "\(pdf.pages)")
          #expect(facts["Title"] == document.title)
          let structure = try pdf.structure()
          #expect(structure.hasPrefix("H1"), "\(structure.prefix(300))")
        }
      }
    }
  }

  @Test(
    "In random periods, of which all 1,000 are drawn when the tests run whole, paper has the figures of the document"
  )
  func figures() throws {
    for (number, period) in ReportSamples.periods(TestSize.isWhole ? 1000 : 60).enumerated() {
      let pdf = try PDFFile(ReportParcel(period.document, on: number % 2 == 0 ? .a4 : .letter))
      let lacking = pdf.lacks(period.document.words)
      #expect(lacking == nil, "period \(number)")
      if lacking != nil { break }
    }
  }

  @Test(
    "Pages look as they were looked at",
    .enabled(if: PythonPeer.isInstalled, "python3 is not installed"))
  func pictures() throws {
    let records = ProcessInfo.processInfo.environment["HOMEWARD_RECORD"] != nil
    for language in Language.allCases {
      for kind in ReportRequest.Kind.allCases {
        let paper = kind == .week ? PaperSize.letter : .a4
        let pdf = try PDFFile(ReportParcel(document(kind, language), on: paper))
        let process = try ChildProcess(
          PythonPeer.program,
          [Checkout.path("plugins/report/Tests/pictures.py")] + (records ? ["--record"] : [])
            + [
              Checkout.path("plugins/report/Tests/Pictures"), "\(kind)-\(language)", pdf.path,
            ], log: pdf.directory.path(of: "log.txt"))
        #expect(process.wait() == 0, "\(kind) \(language): \(process.log)")
      }
    }
  }

  @Test("A chart on paper is the chart of the page: each of its words stands where it stands there")
  func charts() throws {
    let document = document(.doctor)
    let charts = document.parts.compactMap { part -> Chart? in
      guard case .chart(let chart) = part else { return nil }
      return chart
    }
    #expect(charts.count == 3)
    for chart in charts {
      let pdf = try PDFFile(ReportParcel(self.document([.chart(chart)]), on: .a4))
      let places = try pdf.places()
      let words = chart.drawing.shapes.compactMap { shape -> (String, ChartPoint, ChartAnchor)? in
        guard case .words(let text, let point, let anchor, _, _) = shape, !text.contains(" ") else {
          return nil
        }
        return (text, point, anchor)
      }
      // On paper everything is moved and made smaller by the same.
      let scale = (PaperSize.a4.width - 2 * Flow.margin) / chart.drawing.width
      for (text, point, anchor) in words {
        let x = Flow.margin + point.x * scale
        let isThere = places.contains { $0.word == text && abs($0.place(anchor) - x) < 2 }
        #expect(isThere, "\(chart.title): \(text)")
      }
    }
  }
}

extension ReportDocument {
  /// Every text of it in the order in which it is read.
  fileprivate var words: [String] {
    [title] + lines
      + parts.flatMap { part -> [String] in
        switch part {
        case .heading(let text), .paragraph(let text), .doubt(let text): [text]
        case .facts(let facts): facts.flatMap { [$0.name, $0.value] }
        case .table(let header, let rows): header + rows.flatMap { $0 }
        case .chart(let chart):
          [chart.title, chart.sentence] + chart.header + chart.rows.flatMap { $0 }
        case .picture(_, let words): [words]
        }
      }
  }
}

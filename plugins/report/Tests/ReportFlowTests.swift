import CareReports
import Foundation
import TestSupport
import Testing
import Texts

@testable import homeward_plugin_report

@Suite("Pages of reports", .serialized, .timeLimit(.minutes(5)))
struct ReportFlowTests {
  private func pdf(
    _ parts: [ReportPart], on paper: PaperSize = .a4, pictures: [String: [UInt8]] = [:]
  ) throws -> PDFFile {
    let document = ReportDocument(
      title: "A title", lines: [], language: "en", parts: parts, foot: "A foot.")
    return try PDFFile(ReportParcel(document, on: paper, pictures: pictures))
  }

  @Test("A table of 10,000 rows has its head on each page, and each row once")
  func manyRows() throws {
    let rows = (0..<10_000).map { ["row \($0).", "\($0 % 30) mmol/L"] }
    let file = try pdf([.table(header: ["Header", "Level"], rows: rows)])
    #expect(file.count(of: "Header") == file.pages && file.pages > 100)
    #expect(file.count(of: "Page \(file.pages) of \(file.pages)") == 1)
    for number in [0, 1, 777, 5_000, 9_999] { #expect(file.count(of: "row \(number).") == 1) }
    #expect(file.lacks(rows.flatMap { $0 }) == nil)
  }

  @Test("A cell that is longer than a page goes on over pages, and nothing is lost or drawn twice")
  func longCell() throws {
    let words = (0..<4_000).map { "word\($0)." }
    let file = try pdf([
      .table(header: ["When", "What"], rows: [["2026-11-28", words.joined(separator: " ")]]),
      .paragraph("The end."),
    ])
    #expect(file.pages > 3 && file.lacks(["2026-11-28"] + words + ["The end."]) == nil)
    for word in ["word0.", "word1999.", "word3999."] { #expect(file.count(of: word) == 1) }
  }

  @Test("A word without a place to break it, and forty columns, stay on the paper")
  func wide() throws {
    let word = String(repeating: "W", count: 400)
    let file = try pdf([
      .paragraph(word), .facts([ReportFact(word, word)]),
      .table(header: ["A", "B"], rows: [[word, word]]),
    ])
    let right = PaperSize.a4.width - Flow.margin
    #expect(try file.places().allSatisfy { $0.left >= Flow.margin - 1 && $0.right <= right + 1 })
  }

  @Test("No heading stands alone at the end of a page")
  func headings() throws {
    for lines in 30...70 {
      var parts: [ReportPart] = (0..<lines).map { .paragraph("line \($0)") }
      parts += [.heading("A heading"), .paragraph("What it is about")]
      let file = try pdf(parts)
      let page = try #require(file.page(of: "A heading"))
      #expect(file.page(of: "What it is about") == page, "\(lines) lines")
    }
  }

  @Test("Nothing at all is a page; what no font has and what is no letter harms nothing")
  func strange() throws {
    #expect(try pdf([]).pages == 1)
    let file = try pdf([
      .paragraph("before \u{0}\u{1B}[31m\u{FFFF} after"), .paragraph(""), .facts([]),
      .table(header: [], rows: []), .table(header: ["Alone"], rows: []),
      .paragraph("שלום العربية 🙂 \u{202E}turned"), .doubt("你好，“世界”"),
    ])
    #expect(file.lacks(["before", "after", "Alone", "你好，“世界”"]) == nil)
  }

  @Test("A JPEG is put on paper as it is and upright, a PNG as its pixels")
  func pictures() throws {
    let studio = try TemporaryDirectory()
    for (name, turned) in [("lying", 1), ("turned", 6)] {
      let process = try ChildProcess(
        PythonPeer.program,
        [
          "-c",
          """
          from PIL import Image; import sys
          picture = Image.new("RGB", (400, 200), (200, 30, 30))
          exif = picture.getexif(); exif[0x0112] = \(turned)
          picture.save(sys.argv[1] + ".jpg", exif=exif); picture.save(sys.argv[1] + ".png")
          """, studio.path(of: name),
        ], log: studio.path(of: "log.txt"))
      #expect(process.wait() == 0, "\(process.log)")
      for (end, kind) in [("jpg", "jpeg"), ("png", "image")] {
        let bytes = try [UInt8](
          Data(contentsOf: URL(fileURLWithPath: studio.path(of: "\(name).\(end)"))))
        let file = try pdf(
          [.picture(id: "p", words: "A red wall")], pictures: ["p": bytes])
        let line = try #require(try file.pictures().first)
        #expect(line.contains(" \(kind) ") && line.contains(" 400 "), "\(line)")
        #expect(file.lacks(["A red wall"]) == nil)
        // How large it is on paper: upright where it is to be turned.
        let (across, down) = try file.inked()
        let isUpright = turned == 6 && end == "jpg"
        #expect(isUpright ? down > 1.8 * across : across > 1.8 * down, "\(name).\(end)")
      }
    }
  }

  @Test("A picture that is none, that is too large, or that did not come along is named as missing")
  func badPictures() throws {
    let gif = Array("GIF89a".utf8) + [UInt8](repeating: 255, count: 40)
    // A header that speaks of 6,000 by 6,000 pixels.
    var bomb: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    bomb +=
      [0, 0, 0, 13] + Array("IHDR".utf8) + [0, 0, 0x17, 0x70, 0, 0, 0x17, 0x70, 8, 2, 0, 0, 0]
    for (bytes, words) in [
      (gif, "no JPEG and no PNG"), (bomb, ""), ([], "empty"), (nil, "did not come along"),
    ] as [([UInt8]?, String)] {
      let file = try pdf(
        [.picture(id: "p", words: "Who it is"), .paragraph("What follows")],
        pictures: bytes.map { ["p": $0] } ?? [:])
      #expect(file.lacks([words, "What follows"]) == nil, "\(words)")
      #expect(try file.pictures().isEmpty)
    }
  }
}

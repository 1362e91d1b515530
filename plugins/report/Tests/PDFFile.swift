import CareReports
import Charts
import Foundation
import TestSupport

@testable import homeward_plugin_report

/// A report on paper, as another program reads it: Poppler.
struct PDFFile {
  let directory: TemporaryDirectory
  let pages: Int
  private let text: String

  var path: String { directory.path(of: "report.pdf") }

  init(_ parcel: ReportParcel) throws {
    let drawn = try Paper.draw(parcel)
    try self.init(drawn.pdf, pages: drawn.pages)
  }

  init(_ pdf: [UInt8], pages: Int) throws {
    directory = try TemporaryDirectory()
    self.pages = pages
    let path = directory.path(of: "report.pdf")
    try Data(pdf).write(to: URL(fileURLWithPath: path))
    text = try Self.told(by: "pdftotext", ["-raw", path, "-"], in: directory)
  }

  private static func told(
    by program: String, _ words: [String], in directory: TemporaryDirectory
  ) throws -> String {
    let log = directory.path(of: "told.txt")
    try? FileManager.default.removeItem(atPath: log)
    let process = try ChildProcess(program, words, log: log)
    guard process.wait() == 0 else { throw Failure(log: process.log) }
    return process.log
  }

  struct Failure: Error {
    var log: String
  }

  /// The first of these words that is not there, after those before it; where a line ends is nobody's business.
  func lacks(_ words: [String]) -> String? {
    func plain(_ text: String) -> String {
      String(text.unicodeScalars.filter { !$0.properties.isWhitespace && $0 != "\u{C}" })
    }
    let text = plain(text)
    var place = text.startIndex
    for word in words where !plain(word).isEmpty {
      guard
        let found = text.range(of: plain(word), options: .literal, range: place..<text.endIndex)
      else { return word }
      place = found.upperBound
    }
    return nil
  }

  /// How often a text stands there.
  func count(of words: String) -> Int { text.components(separatedBy: words).count - 1 }

  /// On which page a text stands, counted from 0.
  func page(of words: String) -> Int? {
    text.components(separatedBy: "\u{C}").firstIndex { $0.contains(words) }
  }

  /// How far what is red reaches on the first page, across and down, in dots.
  func inked() throws -> (across: Double, down: Double) {
    _ = try Self.told(
      by: "pdftoppm", ["-r", "72", "-singlefile", path, directory.path(of: "page")], in: directory)
    let file = try [UInt8](Data(contentsOf: URL(fileURLWithPath: directory.path(of: "page.ppm"))))
    // A head of three lines, then three bytes for each dot.
    let head = file.split(separator: 10, maxSplits: 3).prefix(3)
    let width = String(decoding: head[1], as: UTF8.self).split(separator: " ").compactMap {
      Int($0)
    }[0]
    let dots = Array(file.dropFirst(head.reduce(0) { $0 + $1.count + 1 }))
    let red = stride(from: 0, to: dots.count - 2, by: 3).filter {
      dots[$0] > 150 && dots[$0 + 1] < 80 && dots[$0 + 2] < 80
    }.map { $0 / 3 }
    let (columns, rows) = (red.map { $0 % width }, red.map { $0 / width })
    return (
      Double((columns.max() ?? 0) - (columns.min() ?? 0)),
      Double((rows.max() ?? 0) - (rows.min() ?? 0))
    )
  }

  /// What it says of itself.
  func facts() throws -> [String: String] {
    let told = try Self.told(by: "pdfinfo", [path], in: directory)
    let pairs = told.split(separator: "\n").compactMap { line -> (String, String)? in
      guard let colon = line.firstIndex(of: ":") else { return nil }
      let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
      return (String(line[..<colon]), value)
    }
    return Dictionary(pairs) { first, _ in first }
  }

  /// The elements of which the document is made, for whoever has it read aloud.
  func structure() throws -> String {
    try Self.told(by: "pdfinfo", ["-struct-text", path], in: directory)
  }

  /// The pictures in it: a line for each.
  func pictures() throws -> [String] {
    let told = try Self.told(by: "pdfimages", ["-list", path], in: directory)
    return told.split(separator: "\n").dropFirst(2).map(String.init)
  }

  /// A word on a page, in points from the left.
  struct Word {
    var word: String
    var left: Double
    var right: Double

    /// Where what it is set by is.
    func place(_ anchor: ChartAnchor) -> Double {
      switch anchor {
      case .start: left
      case .middle: (left + right) / 2
      case .end: right
      }
    }
  }

  /// All words.
  func places() throws -> [Word] {
    let told = try Self.told(by: "pdftotext", ["-bbox", path, "-"], in: directory)
    let form = #/<word xMin="([0-9.]+)" yMin="[0-9.]+" xMax="([0-9.]+)"[^>]*>(.*)<\/word>/#
    return told.split(separator: "\n").compactMap { line in
      guard let found = line.firstMatch(of: form), let left = Double(found.1),
        let right = Double(found.2)
      else { return nil }
      return Word(word: String(found.3), left: left, right: right)
    }
  }
}

import CareReports
import Configuration
import Glibc
import JSON

/// Has the plugin `report` draw on paper, as a program of its own: it needs no gateway for that.
struct ReportPrinter {
  private static let program = "homeward-plugin-report"
  private static let seconds = 120

  private let session: Session

  init(_ session: Session) { self.session = session }

  /// Beside the plugins of the configuration, or beside this program where it was built.
  private var program: String? {
    let own = ProgramSearch.ownFolder
    let folders =
      session.configuration.plugins.directories.map { "\($0)/report" }
      + ["\(own)/../lib/homeward/plugins/report", own]
    return folders.map { "\($0)/\(Self.program)" }.first { access($0, X_OK) == 0 }
  }

  /// The PDF.
  func draw(_ parcel: ReportParcel) throws(CommandFailure) -> [UInt8] {
    guard let program else {
      throw CommandFailure(
        .failed, gettext("What draws on paper is not installed."),
        hint: gettext(
          "Install the package homeward-plugin-report, or write a page instead: --to report.html"))
    }
    var template = Array(
      "\(Environment.value("TMPDIR") ?? "/tmp")/homeward-report-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw CommandFailure(.failed, gettext("There is no room for a temporary file."))
    }
    let folder = template.withUnsafeBytes { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    let (input, output) = ("\(folder)/report.json", "\(folder)/report.pdf")
    defer {
      for path in [input, output] { unlink(path) }
      rmdir(folder)
    }
    do throws(FileFailure) {
      try FileText.write(bytes: Array(parcel.json.serialized.utf8), to: input, mode: 0o600)
    } catch { throw Self.failure(error.reason) }
    try run(program, ["--draw", input, output], in: folder)
    do throws(FileFailure) {
      return try FileText.bytes(output, limit: 256 << 20)
    } catch { throw Self.failure(error.reason) }
  }

  private static func failure(_ reason: String) -> CommandFailure {
    CommandFailure(.failed, gettext("The report could not be drawn: {reason}", ["reason": reason]))
  }

  private func run(
    _ program: String, _ words: [String], in folder: String
  ) throws(CommandFailure) {
    guard let child = ChildProcess(Self.program, program, words, directory: folder) else {
      throw CommandFailure(.failed, gettext("{program} cannot be started.", ["program": program]))
    }
    defer { child.stop() }
    for _ in 0..<(Self.seconds * 20) where child.isRunning {
      _ = child.output()
      usleep(50_000)
    }
    _ = child.output()
    guard !child.isRunning, access("\(folder)/report.pdf", R_OK) == 0 else {
      throw Self.failure(child.lastLines)
    }
  }
}

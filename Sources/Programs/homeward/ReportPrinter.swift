import CareReports
import Configuration
import Glibc
import JSON
import Loop

/// Has the plugin `report` draw on paper, as a program of its own: it needs no gateway for that.
struct ReportPrinter {
  private static let program = "homeward-plugin-report"
  private static let milliseconds = 120_000
  private static let bytesAtMost = 256 << 20

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
    let folder: String
    do throws(FileFailure) { folder = try FileText.temporaryFolder("report") } catch {
      throw Self.failure(error.reason)
    }
    let parcelPath = "\(folder)/parcel.json"
    defer {
      unlink(parcelPath)
      rmdir(folder)
    }
    do throws(FileFailure) {
      try FileText.write(bytes: Array(parcel.json.serialized.utf8), to: parcelPath, mode: 0o600)
    } catch { throw Self.failure(error.reason) }
    let run = ProgramRun(
      program, ["--draw", parcelPath], directory: folder, milliseconds: Self.milliseconds,
      mostBytes: Self.bytesAtMost)
    guard let run else {
      throw CommandFailure(.failed, gettext("{program} cannot be started.", ["program": program]))
    }
    guard run.end == .exited(0) else {
      let reason = NumberText.trimmed(String(decoding: run.complaint, as: UTF8.self))
      throw Self.failure(reason.isEmpty ? gettext("it took too long") : reason)
    }
    return run.output
  }

  private static func failure(_ reason: String) -> CommandFailure {
    CommandFailure(.failed, gettext("The report could not be drawn: {reason}", ["reason": reason]))
  }
}

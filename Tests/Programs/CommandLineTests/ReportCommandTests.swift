import Care
import ControlSocket
import Door
import Foundation
import GlucoseValues
import JSON
import Loop
import Moments
import TestSupport
import Testing
import Texts

@Suite("Reports on the command line") struct ReportCommandTests {
  private static let readings: [JSONValue] = (0..<40).map { number in
    GlucoseSamples.reading("\(5 + number % 3).5 mmol/L", minutes: number * 300).json
  }

  /// A gateway with readings in two parts; it refuses the diary.
  private func daemon() async throws -> FakeDaemon {
    let mary = Resident(id: "mary", name: "Mary", timeZone: "Europe/Oslo")
    return try await FakeDaemon { request in
      switch request.method {
      case .residentsList: .success([mary.json])
      case .glucoseQuery:
        request.params["cursor"] == nil
          ? .success(RouteAnswer(.array(Array(Self.readings.prefix(25))), next: "on"))
          : .success(RouteAnswer(.array(Array(Self.readings.dropFirst(25)))))
      case .settingsList: .success(["glucoseUnit": "mmol/L"])
      case .profileGet: .success(["name": "Mary Smith"])
      case .notesQuery:
        .failure(ControlError(.unavailable, Message(verbatim: "the disk does not answer.")))
      case .mapReverse: .success(["place": .null])
      default: .success([])
      }
    }
  }

  @Test("It is shown, with lists to their end, and says what is missing")
  func shown() async throws {
    let daemon = try await daemon()
    let outcome = try daemon.tool.run([
      "report", "--since", "2026-11-01", "--until", "2026-11-30", "--language", "en",
    ])
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(outcome.output.hasPrefix("Report for the doctor\nMary Smith\n"))
    #expect(outcome.output.contains(/\n  Readings +40\n/), "\(outcome.output)")
    #expect(outcome.output.contains("! This is missing here: the disk does not answer."))
    #expect(outcome.output.contains("no medical advice"))
    let json = try daemon.tool.run(["report", "--since", "2026-11-01", "--json"])
    #expect(try JSONValue(parsing: json.output)["parts"]?.arrayContent?.isEmpty == false)
    await daemon.stop()
  }

  @Test("The end of the file's name decides what is written, for its owner alone")
  func files() async throws {
    let daemon = try await daemon()
    let folder = try TemporaryDirectory()
    for (name, begin) in [
      ("report.csv", "\u{FEFF}Report for the doctor\r\n"), ("report.html", "<!DOCTYPE html>"),
      ("report.PDF", "%PDF-"),
    ] {
      let path = folder.path(of: name)
      let outcome = try daemon.tool.run([
        "report", "--since", "2026-11-01", "--to", path, "--language", "en", "--paper", "letter",
      ])
      #expect(outcome.code == 0, "\(outcome.errors)")
      let file = try Data(contentsOf: URL(fileURLWithPath: path))
      #expect(file.starts(with: Array(begin.utf8)), "\(name)")
      let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
      #expect(mode as? Int == 0o600)
    }
    let html = try String(contentsOfFile: folder.path(of: "report.html"), encoding: .utf8)
    #expect(html.contains("<svg ") && html.contains("<td>40</td>") && !html.contains("http"))
    await daemon.stop()
  }

  @Test("A sheet for the police is of now; the week is of seven days")
  func kinds() async throws {
    let daemon = try await daemon()
    let sheet = try daemon.tool.run(["report", "--kind", "missing", "--language", "zh"])
    #expect(sheet.code == 0 && sheet.output.hasPrefix("走失人员：Mary Smith\n"), "\(sheet.output)")
    let week = try daemon.tool.run(["report", "--kind", "week"])
    #expect(week.code == 0 && week.output.hasPrefix("The week of Mary"), "\(week.output)")
    let asked = await daemon.requests.filter { $0.method == .glucoseQuery }.map(\.params)
    #expect(asked.allSatisfy { $0["since"]?.stringContent?.contains(":00:00") == true })
    await daemon.stop()
  }

  @Test(
    "What is not understood is refused before anybody is asked",
    arguments: [
      ["--to", "report.doc"], ["--to", "report"], ["--kind", "nurse"], ["--paper", "a3"],
      ["--days", "0"], ["--days", "9999"], ["--days", "7", "--since", "7d"], ["--unit", "mg"],
      ["--language", "de"],
    ])
  func refused(words: [String]) throws {
    let tool = Tool(environment: ["HOMEWARD_SOCKET": "/nowhere/s"])
    let outcome = try tool.run(["report"] + words)
    #expect(outcome.code == 2, "\(words): \(outcome.errors)")
  }

  @Test("Without a gateway it says so; with times the wrong way round, too")
  func nobody() async throws {
    let outcome = try Tool(environment: ["HOMEWARD_SOCKET": "/nowhere/s"]).run(["report"])
    #expect(outcome.code == 3)
    let daemon = try await daemon()
    let turned = try daemon.tool.run([
      "report", "--since", "2026-11-20", "--until", "2026-11-10",
    ])
    #expect(turned.code == 2 && turned.errors.contains("--since must be before --until."))
    await daemon.stop()
  }
}

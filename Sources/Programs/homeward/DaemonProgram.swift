import Configuration
import JSON
import Loop

/// The daemon's program beside this one: it alone knows every section of the configuration, for drivers bring their own.
struct DaemonProgram {
  /// A receiver of the configuration, by way of gpsd.
  struct Receiver {
    var name: String
    var host: String
    var port: Int
    /// The device as gpsd names it; nil for any.
    var device: String?
  }

  /// What it says of a configuration.
  enum Judgement {
    /// It is right: the sections that count, and what of it changes nothing any more.
    case right(JSONValue, retired: [String])
    /// Everything that is wrong.
    case wrong([String])
    /// The program is not there, or says nothing.
    case unknown(String)
  }

  private static let milliseconds = 10_000
  private static let mostBytes = 4 << 20

  private let program = "\(ProgramSearch.ownFolder)/homewardd"

  /// What it says where there is no file.
  var judgementOfDefaults: Judgement { judge("/dev/null") }

  /// What it says of the configuration at a path, with the variables of this environment.
  func judge(_ path: String) -> Judgement {
    let answer = run(["--check", "--json", "--config", path])
    guard let json = answer.flatMap({ try? JSONValue(parsing: $0) }) else {
      return .unknown(silence)
    }
    func texts(_ member: String) -> [String] {
      (json[member]?.arrayContent ?? []).compactMap(\.stringContent)
    }
    guard let sections = json["configuration"] else { return .wrong(texts("problems")) }
    return .right(sections, retired: texts("retired"))
  }

  /// What is said of a program that says nothing.
  var silence: String { gettext("{program} does not answer", ["program": program]) }

  /// The documented file with every key and its default; nil where the program is not there.
  var defaultConfiguration: String? {
    run(["--default-configuration"]).flatMap { String(validating: $0, as: UTF8.self) }
  }

  private func run(_ arguments: [String]) -> [UInt8]? {
    let run = ProgramRun(
      program, arguments, directory: ".", milliseconds: Self.milliseconds,
      mostBytes: Self.mostBytes)
    guard let run, !run.output.isEmpty else { return nil }
    return run.output
  }
}

extension DaemonProgram.Judgement {
  /// The receivers that count; none where that is not known.
  var receivers: [DaemonProgram.Receiver] {
    guard case .right(let sections, _) = self else { return [] }
    return (sections["gps"]?.arrayContent ?? []).compactMap { receiver in
      guard let name = receiver["name"]?.stringContent, let host = receiver["host"]?.stringContent,
        let port = receiver["port"]?.integerContent
      else { return nil }
      return DaemonProgram.Receiver(
        name: name, host: host, port: Int(port), device: receiver["device"]?.stringContent)
    }
  }

  /// Whether something may sound in the room; nil where that is not known.
  var hasSound: Bool? {
    guard case .right(let sections, _) = self else { return nil }
    return sections["sound"]?["enabled"]?.boolContent
  }
}

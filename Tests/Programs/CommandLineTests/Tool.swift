import Care
import ControlSocket
import Door
import Foundation
import JSON
import Loop
import TestSupport

/// The built `homeward`, run as a user runs it.
struct Tool {
  struct Outcome {
    var code: Int32
    var output: String
    var errors: String
  }

  /// The program beside the test bundle.
  static let path = path(of: "homeward")

  private static func path(of program: String) -> String {
    let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    return URL(fileURLWithPath: own).deletingLastPathComponent().appendingPathComponent(program)
      .path
  }

  var environment: [String: String] = [:]
  var program = "homeward"

  /// Runs it to its end, without a terminal.
  func run(_ arguments: [String], input: String = "") throws -> Outcome {
    let directory = try TemporaryDirectory()
    let (output, errors) = (directory.path(of: "out"), directory.path(of: "err"))
    let child = try ChildProcess(
      Self.path(of: program), arguments,
      environment: [
        "PATH": "/usr/bin:/bin", "TZ": "Europe/Oslo", "HOMEWARD_CONFIG": "/nowhere/homeward.yaml",
      ].merging(environment) { $1 }, input: try directory.write(input, to: "in"), output: output,
      errors: errors)
    let code = child.wait()
    return Outcome(
      code: code, output: try String(contentsOfFile: output, encoding: .utf8),
      errors: try String(contentsOfFile: errors, encoding: .utf8))
  }
}

/// A gateway that answers as it is told and remembers what it was asked.
final class FakeDaemon: Sendable {
  let directory: TemporaryDirectory
  let socket: String
  private let server: ControlServer
  private let memory: Memory

  @LoopActor final class Memory: Sendable {
    var requests: [ControlRequest] = []
    nonisolated init() {}
  }

  @LoopActor
  init(_ answer: @escaping @LoopActor (ControlRequest) -> Result<RouteAnswer, ControlError>) throws
  {
    directory = try TemporaryDirectory()
    socket = directory.path(of: "control.sock")
    let memory = Memory()
    self.memory = memory
    server = ControlServer(path: socket) { request, reply in
      memory.requests.append(request)
      reply(answer(request))
    }
    try server.start()
  }

  var tool: Tool { Tool(environment: ["HOMEWARD_SOCKET": socket]) }

  @LoopActor var requests: [ControlRequest] { memory.requests }
  @LoopActor func publish(_ event: EncodedEvent) { server.publish(event) }
  @LoopActor func stop() { server.stop() }

  /// Parameters of the commands that it was given.
  @LoopActor var commands: [JSONValue] {
    memory.requests.filter { $0.method == .command }.compactMap { $0.params["command"]?["request"] }
  }
}

extension RouteAnswer {
  /// Part of a list as the daemon answers it: from where the cursor says on, at most as many as are wanted.
  static func part(of list: [JSONValue], _ params: JSONValue) -> RouteAnswer {
    let from = params["cursor"]?.stringContent.flatMap { Int($0) } ?? 0
    let end = min(list.count, from + Int(params["limit"]?.integerContent ?? 100))
    return RouteAnswer(.array(Array(list[from..<end])), next: end < list.count ? "\(end)" : nil)
  }
}

import Bytes
import Care
import Configuration
import ControlSocket
import Door
import Glibc
import JSON
import Loop
import Moments

/// What a command works with: its arguments, the terminal, the configuration and the daemon.
struct Session: Sendable {
  let arguments: ParsedArguments
  let terminal: Terminal

  static let defaultConfigurationPath = "/etc/homeward/homeward.yaml"

  var wantsJSON: Bool { arguments.has("json") }

  var configurationPath: String {
    arguments.option("config") ?? Environment.value("HOMEWARD_CONFIG")
      ?? Self.defaultConfigurationPath
  }

  /// What the command line knows of the configuration, or the defaults where there is none or it cannot be read: `doctor` is who complains.
  var configuration: GatewayConfiguration {
    let text = try? FileText.read(configurationPath)
    let schema = ConfigurationSchema.common
    let file = text.flatMap { try? schema.read(text: $0, path: configurationPath) }
    let resolved = try? schema.resolve(file: file, environment: Environment.all, flags: [:])
    return resolved ?? GatewayConfiguration()
  }

  var socketPath: String {
    arguments.option("socket") ?? Environment.value("HOMEWARD_SOCKET")
      ?? configuration.gateway.controlSocket
  }

  func connect() throws(CommandFailure) -> ControlClient {
    do throws(ControlError) {
      return try ControlClient(connectingTo: socketPath, language: SpokenLanguage.current)
    } catch {
      throw CommandFailure(error)
    }
  }

  /// Asks the daemon once.
  func call(
    _ method: Route, _ params: JSONValue = .object([JSONMember]()),
    timeoutSeconds: Int64 = 30
  ) throws(CommandFailure) -> JSONValue {
    try ask(method, params, timeoutSeconds: timeoutSeconds).content
  }

  /// Asks the daemon once; of a list the answer tells how it goes on.
  func ask(
    _ method: Route, _ params: JSONValue, timeoutSeconds: Int64 = 30
  ) throws(CommandFailure) -> RouteAnswer {
    let client = try connect()
    do throws(ControlError) {
      return try client.ask(method, params: params, timeoutMilliseconds: timeoutSeconds * 1000)
    } catch { throw CommandFailure(error) }
  }

  /// Has the daemon carry a command out.
  @discardableResult
  func perform(_ request: Command.Request) throws(CommandFailure) -> JSONValue {
    try perform(request.json)
  }

  /// Has the daemon carry a command out that has secrets beside what it asks.
  @discardableResult
  func perform(_ request: JSONValue) throws(CommandFailure) -> JSONValue {
    let result = try call(
      .command,
      [
        "command": [
          "id": .string(RandomIdentifier.uuid), "request": request,
          "sentTick": .integer(EventLoop.now.wholeMilliseconds),
        ]
      ])
    if result["durable"] == false {
      terminal.writeError(
        gettext(
          "The disk takes nothing: this is done, and is forgotten if the power goes before the disk answers again."
        ))
    }
    return result
  }

  /// How times are shown.
  var times: TimeDisplay { TimeDisplay(configuredZone: configuration.gateway.timeZone) }

  /// The answer as JSON with `--json`, or as `render` makes it.
  func show(
    _ json: JSONValue, _ render: (JSONValue) throws(DecodeError) -> String
  ) throws(CommandFailure) {
    if wantsJSON { return terminal.write(json) }
    do throws(DecodeError) { terminal.write(try render(json)) } catch {
      throw CommandFailure(error)
    }
  }
}

/// The environment of the process.
enum Environment {
  static func value(_ name: String) -> String? {
    guard let text = getenv(name) else { return nil }
    return text.pointee == 0 ? nil : String(cString: text)
  }

  static var all: [String: String] {
    var variables: [String: String] = [:]
    var entry = environ
    while let text = entry.pointee {
      let parts = String(cString: text).split(
        separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if parts.count == 2 { variables[String(parts[0])] = String(parts[1]) }
      entry += 1
    }
    return variables
  }
}

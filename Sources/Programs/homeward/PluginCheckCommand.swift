import Bytes
import Core
import Glibc
import JSON
import Loop
import Plugins
import Synchronization

/// `homeward plugin check`.
enum PluginCheckCommand {
  static let specification: CommandSpecification = .init(
    path: ["plugin", "check"],
    summary: gettext("Runs a plugin through the gateway's conformance suite"),
    discussion: gettext(
      """
      Starts the plugin as the gateway would, confined and with every grant that its manifest asks for, and tries what
      plugins/protocol.md asks of it. Works without a daemon; ends with 1 when something does not conform.
      """),
    operands: [
      OperandSpecification(
        name: "DIR", help: gettext("The plugin's folder, which holds plugin.json"))
    ],
    options: [
      .option("settings", "FILE", gettext("Its settings as a JSON object; none unless set")),
      .repeatable("read", "PATH", gettext("A path that it may read beside its own")),
      .repeatable("device", "PATH", gettext("A device file that it may use")),
      .repeatable(
        "loopback", "PORT", gettext("A port of this machine that it may reach besides its own")),
    ],
    examples: [
      Example(
        "homeward plugin check plugins/webhook --settings settings.json",
        gettext("Each check, and what was seen."))
    ]
  ) { session throws(CommandFailure) in
    let settings = try settings(session)
    let directory = Paths.absolute(session.arguments.operands[0])
    let findings = try run(directory, settings, session)
    let failed = findings.filter { !$0.isPassed }.count
    if session.wantsJSON {
      session.terminal.write(
        .array(
          findings.map { finding in
            [
              "subject": .string(finding.subject), "isPassed": .bool(finding.isPassed),
              "detail": .string(finding.detail),
              "log": .array(finding.log.map { .string($0) }),
            ]
          }))
    }
    if failed > 0 {
      throw CommandFailure(
        .failed,
        gettext(
          "{failed} of {findings} checks failed.", ["failed": failed, "findings": findings.count]))
    }
  }

  private static func settings(_ session: Session) throws(CommandFailure) -> JSONValue {
    guard let path = session.arguments.option("settings") else { return .object([JSONMember]()) }
    let text: String
    do throws(FileFailure) { text = try FileText.read(path) } catch {
      throw CommandFailure(
        .failed, gettext("{path}: {reason}.", ["path": path, "reason": error.reason]))
    }
    do throws(DecodeError) { return try JSONValue(parsing: text) } catch {
      throw CommandFailure(
        .failed, gettext("{path} is no JSON: {error}.", ["path": path, "error": error]))
    }
  }

  /// Runs the suite on the event loop and waits for its end.
  private static func run(
    _ directory: String, _ settings: JSONValue, _ session: Session
  ) throws(CommandFailure) -> [PluginCheck.Finding] {
    let readPaths = session.arguments.all("read").map(Paths.absolute)
    let devicePaths = session.arguments.all("device").map(Paths.absolute)
    let loopback = try session.arguments.all("loopback").map { word throws(CommandFailure) in
      guard let port = UInt16(word), port > 0 else {
        throw CommandFailure(.usage, gettext("{word} is no port.", ["word": word]))
      }
      return port
    }
    var template = Array("/tmp/homeward-check-XXXXXX".utf8CString)
    var ends: [Int32] = [-1, -1]
    guard mkdtemp(&template) != nil, pipe(&ends) == 0 else {
      throw CommandFailure(
        .failed,
        gettext("/tmp cannot be used: {reason}.", ["reason": String(cString: strerror(errno))]))
    }
    let scratch = String(
      decoding: template.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let outcome = Findings()
    let done = ends[1]
    EventLoop.shared.post {
      PluginCheck.run(
        directory: directory, events: GatewayCore.events, settings: settings,
        scratchDirectory: scratch, readPaths: readPaths,
        devicePaths: devicePaths, loopback: loopback,
        onFinding: { finding in tell(finding, session) },
        completion: { findings in
          outcome.list.withLock { $0 = findings }
          var byte: UInt8 = 1
          _ = write(done, &byte, 1)
        })
    }
    var byte: UInt8 = 0
    while read(ends[0], &byte, 1) < 0, errno == EINTR {}
    for end in ends { close(end) }
    Folder.remove(scratch)
    return outcome.list.withLock { $0 }
  }

  private final class Findings: Sendable {
    let list = Mutex<[PluginCheck.Finding]>([])
  }

  @LoopActor
  private static func tell(_ finding: PluginCheck.Finding, _ session: Session) {
    if session.wantsJSON { return }
    let state: Finding.State = finding.isPassed ? .working : .failed
    session.terminal.writeLine(
      Finding(subject: finding.subject, state: state, found: finding.detail).line)
    for line in finding.log { session.terminal.writeLine("    \(line)") }
  }
}

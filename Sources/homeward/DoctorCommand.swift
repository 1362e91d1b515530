import CareModel
import Configuration
import ControlSocket

/// `homeward doctor`.
enum DoctorCommand {
  static let specification: CommandSpecification = .init(
    path: ["doctor"], summary: "Looks at each device and dependency: found, working, what to do",
    discussion: """
      Works with and without the daemon. Ends with 1 when something fails that the gateway needs.
      """,
    examples: [
      Example("homeward doctor", "Everything, with what to do."),
      Example(
        "sudo homeward doctor", "The same, state directory included, which only its owner may see."),
      Example("homeward doctor --config ./homeward.yaml", "Checks a file before it is installed."),
    ]
  ) { session throws(CommandFailure) in
    let findings = DoctorChecks(session: session).all()
    if session.wantsJSON {
      session.terminal.write(.array(findings.map(\.json)))
    } else {
      for finding in findings { session.terminal.writeLine(finding.line) }
    }
    let failed = findings.filter { $0.state == .failed }.count
    if failed > 0 { throw CommandFailure(.failed, "\(failed) of \(findings.count) checks failed.") }
  }
}

/// The checks of `homeward doctor`, in the order shown.
struct DoctorChecks {
  let session: Session

  func all() -> [Finding] {
    let (configuration, read) = readConfiguration()
    var findings = read + [daemon()]
    findings += ReceiverChecks(configuration: configuration).all()
    findings.append(MachineChecks.clock())
    findings += MachineChecks.state(configuration)
    findings += PluginChecks(configuration: configuration).all()
    findings.append(MachineChecks.confinement())
    return findings
  }

  private func readConfiguration() -> (GatewayConfiguration, [Finding]) {
    let path = session.configurationPath
    let text: String
    do throws(FileFailure) { text = try FileText.read(path) } catch {
      let isDefault = error.code == 2 && path == Session.defaultConfigurationPath
      return (
        session.configuration,
        [
          Finding(
            subject: "configuration", state: isDefault ? .warning : .failed,
            found: "\(path): \(error.reason)",
            advice: isDefault
              ? "the defaults hold; write one: homeward setup" : "name the right file with --config"
          )
        ]
      )
    }
    do throws(ConfigurationError) {
      let file = try ConfigurationFile.read(text: text, path: path)
      let configuration = try GatewayConfiguration.resolve(
        file: file, environment: Environment.all, flags: [:])
      return (
        configuration, [Finding(subject: "configuration", state: .working, found: path)]
      )
    } catch {
      let findings = error.problems.map { problem in
        Finding(
          subject: "configuration", state: .failed, found: problem.description,
          advice: "correct it; then: systemctl restart homeward")
      }
      return (session.configuration, findings)
    }
  }

  private func daemon() -> Finding {
    do throws(ControlError) {
      let client = try ControlClient(connectingTo: session.socketPath)
      let health = try client.call(.health, timeoutMilliseconds: 5000)
      let version = health["version"]?.stringContent ?? "?"
      let bad = (health["components"]?.arrayContent ?? []).filter {
        ["failed", "degraded"].contains($0["state"]?.stringContent ?? "")
      }
      if bad.isEmpty {
        return Finding(
          subject: "daemon", state: .working, found: "homewardd \(version) runs, all parts work")
      }
      let parts = bad.map { part in
        "\(part["component"]?.stringContent ?? "?") (\(part["detail"]?.stringContent ?? ""))"
      }
      return Finding(
        subject: "daemon", state: .warning,
        found: "homewardd \(version) runs; not well: \(parts.joined(separator: "; "))",
        advice: "see: homeward status")
    } catch {
      return Finding(
        subject: "daemon", state: error.code == .forbidden ? .warning : .failed,
        found: error.message)
    }
  }
}

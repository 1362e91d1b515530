import Configuration
import ControlSocket
import Door
import JSON

/// `homeward doctor`.
enum DoctorCommand {
  static let specification: CommandSpecification = .init(
    path: ["doctor"],
    summary: gettext("Looks at each device and dependency: found, working, what to do"),
    discussion: gettext(
      """
      Works with and without the daemon. Ends with 1 when something fails that the gateway needs.
      """),
    examples: [
      Example("homeward doctor", gettext("Everything, with what to do.")),
      Example(
        "sudo homeward doctor",
        gettext("The same, state directory included, which only its owner may see.")),
      Example(
        "homeward doctor --config ./homeward.yaml", gettext("Checks a file before it is installed.")
      ),
    ]
  ) { session throws(CommandFailure) in
    let findings = DoctorChecks(session: session).all()
    if session.wantsJSON {
      session.terminal.write(.array(findings.map(\.json)))
    } else {
      for finding in findings { session.terminal.writeLine(finding.line) }
    }
    let failed = findings.filter { $0.state == .failed }.count
    if failed > 0 {
      throw CommandFailure(
        .failed,
        gettext(
          "{failed} of {findings} checks failed.", ["failed": failed, "findings": findings.count]))
    }
  }
}

/// The checks of `homeward doctor`, in the order shown.
struct DoctorChecks {
  let session: Session

  func all() -> [Finding] {
    let configuration = session.configuration
    let (judgement, read) = readConfiguration()
    let status = status()
    var findings = read + [daemon()] + reach(status) + ResidentChecks(session: session).all()
    findings += receivers(judgement)
    findings.append(clock(status))
    for path in stateDirectories(configuration, status) {
      findings += MachineChecks.state(
        at: path, minimumFreeMegabytes: configuration.store.minimumFreeMegabytes)
    }
    findings += PluginChecks(configuration: configuration).all()
    findings += CertificateCheck(session: session).all()
    return findings + WallChecks(session: session).all()
  }

  /// What the daemon's program makes of the configuration, whether the daemon runs or not.
  private func readConfiguration() -> (DaemonProgram.Judgement, [Finding]) {
    let path = session.configurationPath
    do throws(FileFailure) { _ = try FileText.read(path) } catch {
      let isDefault = error.code == 2 && path == Session.defaultConfigurationPath
      return (
        isDefault ? DaemonProgram().judgementOfDefaults : .wrong([]),
        [
          Finding(
            subject: "configuration", state: isDefault ? .warning : .failed,
            found: "\(path): \(error.reason)",
            advice: isDefault
              ? gettext("the defaults hold; write one: homeward setup")
              : gettext("name the right file with --config")
          )
        ]
      )
    }
    let judgement = DaemonProgram().judge(path)
    switch judgement {
    case .right(_, let retired):
      let notices = retired.map { notice in
        Finding(
          subject: "configuration", state: .warning, found: notice,
          advice: gettext("nothing else has to be done"))
      }
      return (
        judgement, [Finding(subject: "configuration", state: .working, found: path)] + notices
      )
    case .wrong(let faults):
      let findings = faults.map { fault in
        Finding(
          subject: "configuration", state: .failed, found: fault,
          advice: gettext("correct it; then: systemctl restart homeward"))
      }
      return (judgement, findings)
    case .unknown(let reason):
      return (
        judgement,
        [
          Finding(
            subject: "configuration", state: .failed, found: reason,
            advice: gettext("install homewardd beside homeward"))
        ]
      )
    }
  }

  /// The receivers of a configuration that is right; of another nobody knows them.
  private func receivers(_ judgement: DaemonProgram.Judgement) -> [Finding] {
    guard case .right = judgement else { return [] }
    return ReceiverChecks(receivers: judgement.receivers).all()
  }

  /// What the daemon says of itself; nil where it does not answer.
  private func status() -> JSONValue? {
    let client = try? ControlClient(connectingTo: session.socketPath)
    return try? client?.call(.status, timeoutMilliseconds: 5000)
  }

  /// Where the gateway keeps its data: as the running daemon says, whatever the configuration, which that of a file
  /// named with `--config` may be about to replace; else as configured.
  private func stateDirectories(
    _ configuration: GatewayConfiguration, _ status: JSONValue?
  ) -> [String] {
    let configured = configuration.gateway.state
    guard let used = status?["state"]?.stringContent, !used.isEmpty, used != configured else {
      return [configured]
    }
    return session.arguments.option("config") == nil ? [used] : [used, configured]
  }

  /// Whether somebody can be told for each resident; nothing where the daemon does not answer.
  private func reach(_ status: JSONValue?) -> [Finding] {
    (status?["reach"]?.arrayContent ?? []).map { reach in
      let isReachable = reach["isReachable"]?.boolContent ?? true
      let isProven = reach["isProven"]?.boolContent ?? false
      return Finding(
        subject: "guardians",
        state: isReachable ? (isProven ? .working : .warning) : .failed,
        found: reach["explanation"]?.stringContent ?? "",
        advice: isReachable && !isProven
          ? gettext("ask the guardians what they got: homeward alarm test") : "")
    }
  }

  /// The clock as the daemon trusts it; the machine's own where it does not answer.
  private func clock(_ status: JSONValue?) -> Finding {
    guard let clock = status?["clock"], let isTrusted = clock["isTrusted"]?.boolContent,
      let quality = clock["quality"]?.stringContent
    else { return MachineChecks.clock() }
    let word = StateWords.quality(quality)
    guard isTrusted else {
      return Finding(
        subject: "clock", state: .warning,
        found: gettext("homewardd does not trust it ({quality})", ["quality": word]),
        advice: gettext(
          "until a hardware clock or satellites vouch for it nothing scheduled is judged; "
            + "timedatectl set-ntp true"))
    }
    return Finding(
      subject: "clock", state: .working,
      found: gettext("homewardd trusts it ({quality})", ["quality": word]))
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
          subject: "daemon", state: .working,
          found: gettext("homewardd {version} runs, all parts work", ["version": version]))
      }
      let parts = bad.map { part in
        "\(part["component"]?.stringContent ?? "?") (\(part["detail"]?.stringContent ?? ""))"
      }
      return Finding(
        subject: "daemon", state: .warning,
        found: gettext(
          "homewardd {version} runs; not well: {parts}",
          ["version": version, "parts": parts.joined(separator: "; ")]),
        advice: gettext("see: homeward status"))
    } catch {
      return Finding(
        subject: "daemon", state: error.code == .forbidden ? .warning : .failed,
        found: error.message.spoken)
    }
  }
}

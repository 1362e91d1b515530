import Bytes
import CGatewayShims
public import Care
import Door
public import JSON
public import Loop
import Moments
import PluginProtocol
import Ports
import Privacy
import Texts

/// The conformance suite: starts one plugin as the gateway would and tries everything that `plugins/protocol.md` asks.
@LoopActor
public final class PluginCheck {
  /// What one check found.
  public struct Finding: Hashable, Sendable {
    /// What was checked, such as `handshake`.
    public var subject: String
    /// Whether the plugin conforms.
    public var isPassed: Bool
    /// What was seen, in one sentence.
    public var detail: String
    /// Of a failed check, what the plugin's standard error and the host said before it, the newest last.
    public var log: [String] = []
  }

  /// Lines of log that a failed check shows, at most.
  private static let shownLines = 30

  private let runner: PluginRunner
  private let manifest: PluginManifest
  private let settings: JSONValue
  private let samples: SampleEvents
  private let onFinding: @LoopActor (Finding) -> Void
  private let completion: @LoopActor ([Finding]) -> Void
  private let watch: HealthWatch
  private let tail: LogTail
  private var findings: [Finding] = []
  private static var running: [ObjectIdentifier: PluginCheck] = [:]

  /// Checks the plugin in a folder and tells each finding as it comes, then all of them.
  ///
  /// `events` are the types that there are. `settings` are as an owner would write them; secrets as `{"file": …}` or
  /// `{"credential": …}`. The plugin gets every grant that it asks for. `scratchDirectory` exists and may be written; the plugin's state goes there.
  public static func run(
    directory: String, events: [EventDeclaration], settings: JSONValue, scratchDirectory: String,
    readPaths: [String] = [], devicePaths: [String] = [], loopback: [UInt16] = [],
    onFinding: @escaping @LoopActor (Finding) -> Void = { _ in },
    onLog: @escaping @LoopActor (PluginLogLevel, String) -> Void = { _, _ in },
    completion: @escaping @LoopActor ([Finding]) -> Void
  ) {
    let manifest: PluginManifest
    do throws(LaunchError) { manifest = try PluginFolder.manifest(in: directory) } catch {
      let faults = PluginFolder.faults(in: directory)
      let findings = (faults.isEmpty ? [error.description] : faults).map {
        Finding(subject: "manifest", isPassed: false, detail: $0)
      }
      for finding in findings { onFinding(finding) }
      return completion(findings)
    }
    let configuration = PluginHost.PluginConfiguration(
      name: manifest.name, directory: directory, grants: Set(manifest.grants.map(\.rawValue)),
      settings: settings, readPaths: readPaths, devicePaths: devicePaths, loopback: loopback)
    let check = PluginCheck(
      manifest, configuration, events, scratchDirectory: scratchDirectory, onFinding: onFinding,
      onLog: onLog, completion: completion)
    running[ObjectIdentifier(check)] = check
    check.start()
  }

  private init(
    _ manifest: PluginManifest, _ configuration: PluginHost.PluginConfiguration,
    _ events: [EventDeclaration], scratchDirectory: String,
    onFinding: @escaping @LoopActor (Finding) -> Void,
    onLog: @escaping @LoopActor (PluginLogLevel, String) -> Void,
    completion: @escaping @LoopActor ([Finding]) -> Void
  ) {
    self.manifest = manifest
    settings = configuration.settings
    samples = SampleEvents(events: events)
    let filter = PrivacyFilter(discs: [], events: EventDisclosures(events))
    self.onFinding = onFinding
    self.completion = completion
    let watch = HealthWatch()
    self.watch = watch
    let tail = LogTail()
    self.tail = tail
    let environment = PluginHost.Environment(
      journal: EmptyJournal(), gateway: "check", version: "0.0.0", stateRoot: scratchDirectory,
      clock: CheckClock(), privacy: { filter }, onObservation: { _, _ in },
      onCommand: { _, _, reply in
        reply(
          .refused(CommandReply.Refusal(.forbidden, Message("Nothing is done during a check."))))
      }, onHealth: { watch.take($0) },
      log: { _, level, line in
        tail.lines.append(line)
        onLog(level, line)
      },
      randomSeed: 1)
    runner = PluginRunner(
      configuration, heads: LaneHeads(),
      links: PluginRunner.Links(
        environment: environment,
        signature: Signature(plugin: configuration.name, buttonOwner: { _ in nil }),
        callService: { _, call, answer in
          answer(
            .failure(
              RPCError(code: RPCError.noServiceCode, message: "there are no services in a check")))
        },
        // A check goes on as it began.
        onDeviceCame: { _ in }))
  }

  // MARK: The checks, in order

  private func note(_ subject: String, _ isPassed: Bool, _ detail: String) {
    var finding = Finding(subject: subject, isPassed: isPassed, detail: detail)
    if !isPassed { finding.log = tail.lines.suffix(Self.shownLines) }
    tail.lines = []
    findings.append(finding)
    onFinding(finding)
  }

  private func start() {
    note("manifest", true, "\(manifest.name) \(manifest.version) speaks protocol 1")
    for action in unknownActions {
      note("grants", false, "there is no command \(action); plugins/requests.md lists them")
    }
    let faults = Self.faults(of: settings, manifest.settings)
    guard faults.isEmpty else {
      for fault in faults { note("settings", false, fault) }
      return finish()
    }
    watch.onNews = { [weak self] report in self?.startingNews(report) }
    runner.start()
  }

  /// Commands that the manifest asks for, and that there are not.
  private var unknownActions: [String] {
    let brought = Route.brought.map(\.name)
    return manifest.askedGrants.map(\.rawValue).filter { $0.hasPrefix("command:") }
      .map { String($0.dropFirst("command:".count)) }
      .filter { CommandRule.of($0) == nil && !brought.contains($0) }
  }

  /// Everything that is wrong with the settings, and every secret that cannot be read.
  private static func faults(of settings: JSONValue, _ schema: SettingsSchema) -> [String] {
    let complete = schema.applyingDefaults(to: settings)
    var faults = schema.validate(complete).map(\.description)
    for reference in schema.secretReferences(in: complete) {
      do throws(SecretError) { _ = try SecretReader.read(reference) } catch {
        faults.append(error.message.text(in: .en))
      }
    }
    return faults
  }

  private func startingNews(_ report: HealthReport) {
    // A program that cannot be started has failed before the news of its start is here; the reason comes next.
    if report.state == .starting, runner.state != .running { return }
    switch runner.state {
    case .running:
      watch.onNews = nil
      note("settings", true, "they fit the schema")
      note("handshake", true, "initialize was answered in time")
      tryBatches(batches()[...])
    case .starting: return
    case .invalid where !runner.hasBeenStarted:
      watch.onNews = nil
      note("settings", false, report.detail.description)
      finish()
    case .invalid, .disabled, .stopping, .waiting, .stopped:
      watch.onNews = nil
      note("handshake", false, report.detail.description)
      finish()
    }
  }

  /// One batch of the suite.
  private struct Batch {
    var subject: String
    var lane: Lane
    var isDurable = true
    var bodies: [[UInt8]]
  }

  /// Batches of each lane, one that comes again, and alarms that are not durable yet.
  private func batches() -> [Batch] {
    var batches = manifest.lanes.flatMap { lane in
      parts(of: lane).map { Batch(subject: "\(lane.rawValue) batch", lane: lane, bodies: $0) }
    }
    if let again = batches.first {
      batches.append(
        Batch(subject: "batch that comes again", lane: again.lane, bodies: again.bodies))
    }
    if manifest.lanes.contains(.alarm), let alarms = parts(of: .alarm).first {
      batches.append(
        Batch(
          subject: "alarms that are not durable yet", lane: .alarm, isDurable: false,
          bodies: alarms))
    }
    return batches
  }

  /// The events of a lane, as many together as the plugin takes.
  private func parts(of lane: Lane) -> [[[UInt8]]] {
    let credits = runner.lanes.first?.credits ?? DeliveryCredits()
    var parts: [[[UInt8]]] = []
    var bytes = 0
    for body in samples.bodies(lane, wants: manifest.wants, types: manifest.types) {
      let isFull = (parts.last?.count ?? credits.events) >= credits.events
      if isFull || bytes + body.count > credits.bytes {
        parts.append([])
        bytes = 0
      }
      parts[parts.endIndex - 1].append(body)
      bytes += body.count
    }
    return parts
  }

  private func tryBatches(_ batches: ArraySlice<Batch>) {
    guard let batch = batches.first else { return tryUnknownMethod() }
    let count = Int64(batch.bodies.count)
    let message = DeliverBatch(
      lane: batch.lane, isDurable: batch.isDurable, sequences: batch.isDurable ? 1...count : nil,
      bodies: batch.bodies)
    runner.deliver(message) { [weak self] answer in
      guard let self else { return }
      let (isPassed, detail) = Self.judge(answer, count: batch.bodies.count)
      self.note(batch.subject, isPassed, detail)
      if case .cancelled = answer { return self.stop() }
      self.tryBatches(batches.dropFirst())
    }
  }

  private static func judge(_ answer: RequestTable.Answer, count: Int) -> (Bool, String) {
    switch answer {
    case .timedOut: return (false, "it was not answered in time")
    case .cancelled: return (false, "the plugin ended instead of answering")
    case .failure(let error): return (false, "it was answered with an error: \(error.message)")
    case .result(let message):
      do throws(DecodeError) {
        let outcomes = try BatchOutcomes(json: message.payload(), count: count).expanded
        return (true, summary(outcomes))
      } catch { return (false, "its outcomes do not cover the batch: \(error)") }
    }
  }

  private static func summary(_ outcomes: [EventOutcome]) -> String {
    let accepted = outcomes.count { $0 == .accepted }
    let retried = outcomes.count { $0.isRetry }
    return "\(accepted) accepted, \(retried) to try again, "
      + "\(outcomes.count - accepted - retried) refused"
  }

  private func tryUnknownMethod() {
    runner.request("check.no-such-method", .object([]), timeoutMilliseconds: 10_000) {
      [weak self] answer in
      guard let self else { return }
      if case .failure(let error) = answer, error.code == RPCError.methodNotFoundCode {
        self.note("unknown method", true, "it was answered with error -32601")
      } else {
        self.note("unknown method", false, "it must be answered with error -32601")
      }
      self.tryHealth()
    }
  }

  private func tryHealth() {
    runner.request(PluginMethod.health, .object([]), timeoutMilliseconds: 10_000) {
      [weak self] answer in
      guard let self else { return }
      if case .result(let message) = answer, let payload = try? message.payload(),
        let health = try? PluginHealth(json: payload)
      {
        self.note("health", true, "\(health.state.rawValue) \(health.code)")
      } else {
        self.note("health", false, "health must be answered with state, code and detail")
      }
      self.stop()
    }
  }

  private func stop() {
    guard runner.pid != nil else {
      note("shutdown", false, "the plugin ended before it was asked to: \(runner.lastError)")
      return finish()
    }
    runner.stop { [weak self] in self?.stopped() }
  }

  private func stopped() {
    let end = runner.lastEnd
    note(
      "shutdown", end == .exited(0),
      end == .exited(0)
        ? "it exited by itself with status 0"
        : "it must answer, finish and exit with status 0 within 5 s: \(end.map { "\($0)" } ?? "")")
    note(
      "nothing left behind", !runner.hasLeftOthers,
      runner.hasLeftOthers ? "other processes of it were still there" : "it left no process")
    conclude()
  }

  private func finish() {
    watch.onNews = nil
    runner.stop { self.conclude() }
  }

  /// The runner has stopped; it stops once, so this asks it for nothing more.
  private func conclude() {
    watch.onNews = nil
    Self.running[ObjectIdentifier(self)] = nil
    completion(findings)
  }
}

/// What was logged since the last finding.
@LoopActor
private final class LogTail {
  var lines: [String] = []
}

/// Hands the runner's health reports on.
@LoopActor
private final class HealthWatch {
  var onNews: (@LoopActor (HealthReport) -> Void)?

  func take(_ report: HealthReport) {
    EventLoop.current.post { [self] in onNews?(report) }
  }
}

/// The system's clocks, believed.
@LoopActor
private final class CheckClock: GatewayClock {
  func now() -> Moment {
    Moment(
      tick: EventLoop.now, utc: Timestamp(milliseconds: homeward_realtime_milliseconds()),
      quality: .synchronised)
  }
  func start(_ observer: @escaping @LoopActor (ClockReport) -> Void) {}
  func stop() {}
  func consider(receiverTime: Timestamp, mode: FixMode) {}
}

import Bytes
import Care
import Glibc
import JSON
import Loop
import PluginProtocol
import Ports
import Privacy
import Texts

/// The life of one plugin: start, handshake, watch, restart, stop.
@LoopActor
final class PluginRunner {
  let configuration: PluginHost.PluginConfiguration
  let links: Links
  private(set) var manifest: PluginManifest?
  private(set) var grants: Set<Grant> = []
  private var pace = PluginPace.ordinary
  private(set) var state: PluginState = .waiting {
    didSet { if state != oldValue { links.onState() } }
  }
  private(set) var lastError = ""
  private(set) var restarts = 0
  private(set) var lanes: [LaneDelivery] = []
  private var settings: JSONValue?
  /// What residents had refused of what it needs them for when it was started.
  private(set) var refused: [ConsentNeed] = []
  private var redactor = SecretRedactor(secrets: [])
  private var process: PluginProcess?
  private var devices: DeviceWatch?
  private let requests = RequestTable()
  private(set) var calls: InboundCalls?
  private var backoff: Backoff
  private var random: SplitMix64
  private var fault: PluginFault?
  /// Whether a process has been started at least once.
  private(set) var hasBeenStarted = false
  private var isStopping = false
  private var whenStopped: [@LoopActor () -> Void] = []
  private var restartTimer: LoopTimer?
  private var goodTimer: LoopTimer?
  private var shutdownTimer: LoopTimer?
  private var lastHealth: HealthReport?
  private var hasReportedFlood = false
  private var openAlarmCalls = 0
  /// Whether it has been said of this process that it wants too many tasks.
  var hasReportedTasks = false

  var environment: PluginHost.Environment { links.environment }
  private var timings: PluginHost.Timings { links.environment.timings }
  var name: String { configuration.name }
  var pid: Int32? { process?.pid }
  /// The walls around the running process.
  var confinement: PluginConfinement? { process?.confinement }

  init(_ configuration: PluginHost.PluginConfiguration, heads: LaneHeads, links: Links) {
    self.configuration = configuration
    self.links = links
    let timings = links.environment.timings
    backoff = Backoff(
      firstMilliseconds: timings.firstRestartMilliseconds,
      longestMilliseconds: timings.longestRestartMilliseconds)
    random = SplitMix64(
      seed: links.environment.randomSeed
        ^ UInt64(truncatingIfNeeded: configuration.name.utf8.reduce(5381) { $0 &* 33 &+ Int($1) }))
    lanes = Lane.allCases.map { LaneDelivery(lane: $0, head: heads[$0], links: laneLinks()) }
  }

  // MARK: Starting

  /// Reads manifest, settings and cursors, and starts the program.
  func start() {
    guard configuration.isEnabled else {
      state = .disabled
      return report(.unused, code: "disabled", detail: Message("The plugin is switched off."))
    }
    loadCursors()
    do throws(LaunchError) {
      try prepare()
      launch()
    } catch { becomeInvalid(error.message) }
  }

  /// Everything that can be wrong before the program runs; secrets are read here and kept in memory.
  private func prepare() throws(LaunchError) {
    let manifest = try PluginFolder.manifest(of: configuration)
    self.manifest = manifest
    grants = Grant.granted(by: configuration.grants, of: manifest.askedGrants)
    pace = .granted(grants.lazy.map(\.rawValue))
    refused = refusedNow
    let resolved = try ResolvedSettings(
      of: manifest, from: configuration, refused: refused, language: environment.language)
    settings = resolved.settings
    redactor = SecretRedactor(secrets: resolved.secrets)
  }

  private func becomeInvalid(_ reason: Message) {
    state = .invalid
    lastError = reason.text(in: environment.language)
    environment.log(name, .error, lastError)
    report(
      .failed, code: "invalid",
      detail: Message(
        "The plugin {name} cannot start: {reason}.", ["name": name, "reason": reason]))
    finishStopping()
  }

  private func launch() {
    guard let manifest, !isStopping else { return }
    state = .starting
    fault = nil
    hasReportedTasks = false
    report(.starting, code: "", detail: Message(verbatim: ""))
    do throws(LaunchError) {
      let launch = try PluginLaunch(
        manifest: manifest, configuration: configuration, grants: grants, environment: environment,
        run: RunNumber.next())
      if hasBeenStarted { restarts += 1 } else { sayWhatIsWithheld() }
      hasBeenStarted = true
      calls = InboundCalls(callLinks())
      watchDevices()
      process = try PluginProcess(
        launch, group: group(), pace: pace, redactor: redactor, handlers: handlers())
      initialize(stateDirectory: launch.stateDirectory, manifest: manifest)
    } catch {
      process = nil
      ended(because: .notStarted(error.message))
    }
  }

  /// Before the process is started, so that no device slips through between.
  private func watchDevices() {
    devices?.close()
    devices = nil
    guard !configuration.devicePaths.isEmpty, PluginLaunch.confinesFiles else { return }
    devices = DeviceWatch(
      paths: configuration.devicePaths, settleMilliseconds: timings.deviceMilliseconds
    ) { [weak self] in
      guard let self, !self.isStopping else { return }
      self.links.onDeviceCame(self.name)
    }
  }

  private func handlers() -> PluginProcess.Handlers {
    PluginProcess.Handlers(
      onLine: { [weak self] in self?.received($0) },
      onLog: { [weak self] line in
        guard let self else { return }
        self.environment.log(self.name, line.level, line.text)
      },
      onFault: { [weak self] in self?.misbehaved($0) },
      onFlood: { [weak self] in self?.flooded() },
      onRefusal: { [weak self] in self?.refusedPort($0, of: $1) },
      onTaskLimit: { [weak self] in self?.reachedTaskLimit() },
      onEnd: { [weak self] end, hasLeftOthers in
        self?.hasLeftOthers = hasLeftOthers
        self?.processEnded(end)
      })
  }

  /// The next try has twice as long: where everything is slow, such as a disk after power came back, it is not the last.
  private var startPatience: Int64 { timings.initializeMilliseconds << min(backoff.count, 3) }

  private func initialize(stateDirectory: String, manifest: PluginManifest) {
    guard let version = manifest.commonProtocolVersion(), let settings else {
      return misbehaved(.wrongHandshake(Message("there is no common protocol version")))
    }
    let request = InitializeRequest(
      protocolVersion: version, hostVersion: environment.version, gateway: environment.gateway,
      settings: settings, grants: grants.map(\.rawValue).sorted(),
      stateDirectory: stateDirectory, signUp: grants.contains(.accounts) ? environment.signUp : nil)
    self.request(
      PluginMethod.initialize, request.json, timeoutMilliseconds: startPatience
    ) { [weak self] answer in
      self?.initialized(answer, version: version, manifest: manifest)
    }
  }

  private func initialized(_ answer: RequestTable.Answer, version: Int, manifest: PluginManifest) {
    switch answer {
    case .cancelled: return
    case .timedOut:
      misbehaved(.noAnswer(method: PluginMethod.initialize, milliseconds: startPatience))
    case .failure(let error):
      refusedByPlugin(redactor.redacted(error.message.asPluginReason()))
    case .result(let message):
      do throws(DecodeError) {
        let welcome = try InitializeAnswer(json: message.payload())
        guard welcome.protocolVersion == version, welcome.name == manifest.name,
          welcome.version == manifest.version
        else {
          return misbehaved(
            .wrongHandshake(Message("protocol, name or version differ from request and manifest")))
        }
        becomeRunning(welcome.credits)
      } catch { misbehaved(.wrongHandshake(Message(verbatim: "\(error)"))) }
    }
  }

  /// The plugin itself says that it cannot work like this: trying again would not help.
  private func refusedByPlugin(_ reason: String) {
    lastError = reason
    environment.log(name, .error, "it refuses to start: \(reason)")
    isRefused = true
    process?.closeEars()
    process?.terminate(killAfterMilliseconds: timings.terminateMilliseconds)
  }

  private var isRefused = false
  /// How its last process ended, and whether that process left others behind.
  private(set) var lastEnd: ProcessEnd?
  private(set) var hasLeftOthers = false

  private func becomeRunning(_ credits: DeliveryCredits) {
    state = .running
    report(.working, code: "", detail: Message(verbatim: ""))
    let good = LoopTimer { [weak self] in self?.backoff.reset() }
    goodTimer = good
    good.set(afterMilliseconds: timings.goodBehaviourMilliseconds)
    for lane in wantedLanes { lane.attach(credits) }
    healthRound.start()
  }

  // MARK: Talking

  /// Sends a request to the plugin.
  func request(
    _ method: String, _ params: JSONValue, timeoutMilliseconds: Int64,
    completion: @escaping @LoopActor (RequestTable.Answer) -> Void
  ) {
    guard let process else { return completion(.cancelled) }
    let id = requests.add(timeoutMilliseconds: timeoutMilliseconds, completion: completion)
    process.send(RPCLine.request(id: id, method: method, params: params), isUrgent: true)
  }

  /// Sends a batch to the plugin.
  func deliver(
    _ batch: DeliverBatch, _ answer: @escaping @LoopActor (RequestTable.Answer) -> Void
  ) {
    guard let process else { return answer(.cancelled) }
    let id = requests.add(
      timeoutMilliseconds: timings.deliverMilliseconds, completion: answer)
    process.send(batch.line(id: id), isUrgent: batch.lane == .alarm)
    if batch.lane == .alarm { healthRound.noteAlarm() }
  }

  private func received(_ line: [UInt8]) {
    guard process != nil, !line.allSatisfy({ $0 == 0x20 || $0 == 0x0D || $0 == 0x09 }) else {
      return
    }
    let message: RPCMessage
    do throws(DecodeError) { message = try RPCMessage(line: line) } catch {
      return misbehaved(.notJSONRPC(error))
    }
    switch message.kind {
    case .request(let id, let method): calls?.handle(id: id, method: method, message: message)
    case .notification(let method): calls?.handle(notification: method, message: message)
    case .result(let id): settle(id, .result(message))
    case .failure(let id, let error):
      if let id {
        settle(id, .failure(error))
      } else {
        reject("it could not read a request: \(error.message)")
      }
    }
  }

  private func settle(_ id: RPCID, _ answer: RequestTable.Answer) {
    if !requests.settle(id, with: answer) {
      reject("it answered a request that was never made or is settled")
    }
  }

  /// Something that is ignored and said once a line of log.
  private func reject(_ reason: String) {
    environment.log(name, .warning, redactor.redacted(reason.asPluginReason()))
  }

  /// Something that the plugin must do otherwise.
  private func refused(_ reason: String) {
    lastError = redactor.redacted(reason.asPluginReason())
    reject(reason)
    report(
      .degraded, code: "refused",
      detail: Message(
        "The plugin {name} reports what is not its to report: {reason}.",
        ["name": name, "reason": lastError]))
  }

  private func flooded() {
    guard !hasReportedFlood else { return }
    hasReportedFlood = true
    lastError = Message("it sends more messages than allowed").text(in: environment.language)
    environment.log(
      name, .warning,
      "it sends more than \(pace.messagesPerSecond) messages a second; it is read slowly now"
    )
    report(
      .degraded, code: "flooding",
      detail: Message(
        "The plugin {name} sends more messages than allowed and is read slowly.", ["name": name]))
  }

  private func laneLinks() -> LaneDelivery.Links {
    LaneDelivery.Links(
      plugin: configuration.name, journal: links.environment.journal,
      timings: links.environment.timings, language: links.environment.language,
      wants: { [weak self] in self?.manifest?.wants($0) ?? false },
      visible: { [weak self] events in
        guard let self else { return events.map { _ in nil } }
        return PluginView(grants: self.grants, filter: self.environment.privacy).visible(events)
      },
      send: { [weak self] batch, answer in self?.deliver(batch, answer) },
      onFault: { [weak self] in self?.misbehaved($0) },
      alarmsAreBusy: { [weak self] in self?.lanes.first { $0.lane == .alarm }?.isBusy ?? false },
      alarmsRest: { [weak self] in
        for lane in self?.lanes ?? [] where lane.lane != .alarm { lane.goOn() }
      },
      log: { [weak self] level, line in
        guard let self else { return }
        self.environment.log(self.name, level, self.redactor.redacted(line))
      },
      moment: { [clock = links.environment.clock] in clock.now() })
  }

  private func callLinks() -> InboundCalls.Links {
    let process = RunNumber.next()
    callRun = process
    return InboundCalls.Links(
      plugin: name, grants: grants, environment: environment,
      callService: { [weak self] call, answer in
        guard let self else { return }
        self.links.callService(self.name, call, answer)
      },
      onHealth: { [weak self] in self?.pluginReports($0) },
      onReject: { [weak self] in self?.reject($0) },
      onRefused: { [weak self] in self?.refused($0) }, signature: links.signature,
      reply: { [weak self] line in
        // An answer to a process that is gone goes nowhere.
        if self?.callRun == process { self?.process?.send(line, isUrgent: true) }
      },
      send: { [weak self] line in
        if self?.callRun == process { self?.process?.send(line, isUrgent: false) }
      },
      waitingBytes: { [weak self] in self?.process?.waitingBytes ?? 0 },
      onOpenCount: { [weak self] count in
        guard let self, self.callRun == process else { return }
        self.process?.holdBack(count >= self.pace.openRequests)
      })
  }

  private var callRun: UInt64 = 0

  // MARK: Health

  private lazy var healthRound = HealthRound(
    HealthRound.Links(
      timings: timings,
      ask: { [weak self] milliseconds, completion in
        guard let self, state == .running else { return completion(.cancelled) }
        devices?.look()
        request(
          PluginMethod.health, .object([]), timeoutMilliseconds: milliseconds,
          completion: completion)
      }, alarmWaits: { [weak self] in self?.alarmWaits ?? false },
      onAnswer: { [weak self] in
        self?.pluginReports($0)
        self?.hasReportedFlood = false
      }, onFault: { [weak self] in self?.misbehaved($0, isUrgent: $1) }))

  /// Whether a message to somebody, or a batch of alarms, waits for the plugin's answer.
  private var alarmWaits: Bool {
    openAlarmCalls > 0 || lanes.contains { $0.lane == .alarm && $0.outstandingMilliseconds != nil }
  }

  /// Asks the plugin to tell somebody, or to contact the emergency services.
  func requestForAlarm(
    _ method: String, _ params: JSONValue, timeoutMilliseconds: Int64,
    completion: @escaping @LoopActor (RequestTable.Answer) -> Void
  ) {
    openAlarmCalls += 1
    request(method, params, timeoutMilliseconds: timeoutMilliseconds) { [weak self] answer in
      self?.openAlarmCalls -= 1
      completion(answer)
    }
    healthRound.noteAlarm()
  }

  private func pluginReports(_ health: PluginHealth) {
    guard state == .running else { return }
    let worked = lastHealth?.state == .working
    report(
      health.state, code: redactor.redacted(health.code),
      detail: Message(verbatim: redactor.redacted(health.detail)))
    if health.state == .working, !worked { for lane in lanes { lane.retryNow() } }
  }

  func report(_ state: HealthState, code: String, detail: Message) {
    let report = HealthReport(
      component: ComponentID("plugin/\(name)"), state: state, code: code, detail: detail)
    guard report != lastHealth else { return }
    lastHealth = report
    environment.onHealth(report)
  }

  // MARK: Ending

  /// Ends the process because of what it did; it is started again later. `isUrgent` when an alarm waits for the next one.
  private func misbehaved(_ fault: PluginFault, isUrgent: Bool = false) {
    guard let process, self.fault == nil, !isStopping, state != .stopping else { return }
    self.fault = fault
    state = .stopping
    healthRound.stop()
    requests.cancelAll()
    process.closeEars()
    process.terminate(
      killAfterMilliseconds: isUrgent
        ? timings.urgentTerminateMilliseconds : timings.terminateMilliseconds)
  }

  private func processEnded(_ end: ProcessEnd) {
    process = nil
    lastEnd = end
    callRun = 0
    healthRound.stop()
    for timer in [goodTimer, shutdownTimer] { timer?.cancel() }
    for lane in lanes { lane.detach() }
    requests.cancelAll()
    if isRefused, !isStopping {
      isRefused = false
      return becomeInvalid(Message(verbatim: lastError))
    }
    ended(because: fault ?? .ended(end))
  }

  private func ended(because fault: PluginFault) {
    guard !isStopping else { return finishStopping() }
    state = .waiting
    lastError = redactor.redacted(fault.sentence.text(in: environment.language))
    // A quarter less to a quarter more, so that not all start at once.
    let delay = max(1, Int64(Double(backoff.next()) * (0.75 + random.nextUnit() * 0.5)))
    environment.log(name, .error, "\(lastError); starting it again in \(delay) ms")
    report(
      .failed, code: fault.code,
      detail: Message(
        "The plugin {name} was ended: {reason}.", ["name": name, "reason": lastError]))
    let timer = LoopTimer { [weak self] in self?.launch() }
    restartTimer = timer
    timer.set(afterMilliseconds: delay)
  }

  /// Asks the plugin to finish, and ends it when it does not.
  func stop(completion: @escaping @LoopActor () -> Void) {
    if state == .stopped { return completion() }
    whenStopped.append(completion)
    guard !isStopping else { return }
    isStopping = true
    restartTimer?.cancel()
    devices?.close()
    for lane in lanes {
      lane.flush()
      lane.detach()
    }
    guard let process else { return finishStopping() }
    let wasRunning = state == .running
    state = .stopping
    guard wasRunning else {
      return process.terminate(killAfterMilliseconds: timings.terminateMilliseconds)
    }
    request(
      PluginMethod.shutdown, .object([]), timeoutMilliseconds: timings.shutdownMilliseconds
    ) { _ in }
    let timer = LoopTimer { [weak self] in
      guard let self else { return }
      self.process?.terminate(killAfterMilliseconds: self.timings.terminateMilliseconds)
    }
    shutdownTimer = timer
    timer.set(afterMilliseconds: timings.shutdownMilliseconds)
  }

  private func finishStopping() {
    guard isStopping else { return }
    state = .stopped
    for completion in whenStopped { completion() }
    whenStopped = []
  }

  // MARK: Cursors

  private func loadCursors() {
    CursorLoader(journal: environment.journal, plugin: name).load(
      heads: Dictionary(uniqueKeysWithValues: lanes.map { ($0.lane, $0.head) }),
      retryMilliseconds: timings.storeRetryMilliseconds
    ) { [weak self] cursor in
      self?.lanes.first { $0.lane == cursor.lane }?.load(cursor)
    }
  }
}

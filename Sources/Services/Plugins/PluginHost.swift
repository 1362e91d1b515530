import Bytes
import CGatewayShims
public import Care
public import JSON
public import Loop
import PluginProtocol
public import Ports
import Texts

/// Runs the plugins and carries events to them, each by its own cursors, none at another's cost.
///
/// Everything that comes from a plugin is bounded, checked and answered; nothing that a plugin does reaches the loop as
/// more than a closed process and a report.
///
/// - Source: `plugins/protocol.md`, protocol version 1.
@LoopActor
public final class PluginHost: EventForwarder {
  let environment: Environment
  private var configurations: [PluginConfiguration]
  private var runners: [PluginRunner] = []
  private var heads = LaneHeads()
  private var isStarted = false
  /// What plugins offer that are only away to be started anew.
  private var returning: [String: [String]] = [:]
  private var ways: WaysReport?
  private var waysAreDue = false
  private var signatures: [String: Signature] = [:]

  /// A host for these plugins; nothing starts yet.
  public init(environment: Environment, plugins: [PluginConfiguration]) {
    self.environment = environment
    configurations = plugins
  }

  /// Starts the plugins. `heads` is what is durable now.
  public func start(heads: LaneHeads) {
    guard !isStarted else { return }
    isStarted = true
    self.heads = heads
    _ = homeward_become_subreaper()
    for configuration in configurations { add(configuration) }
    tellWays()
  }

  /// Stops every plugin with everything that it forked; `completion` is called when all are gone.
  public func stop(completion: @escaping @LoopActor () -> Void) {
    isStarted = false
    stop(runners, completion: completion)
  }

  /// Takes the owner's new configuration: what changed is stopped and started, the rest goes on.
  public func reload(plugins: [PluginConfiguration]) {
    configurations = plugins
    guard isStarted else { return }
    let leaving = runners.filter { runner in !plugins.contains(runner.configuration) }
    runners.removeAll { runner in leaving.contains { $0 === runner } }
    for runner in leaving where plugins.contains(where: { $0.name == runner.name }) {
      returning[runner.name] = runner.manifest?.offers
    }
    tellWays()
    let arriving = plugins.filter { plugin in !runners.contains { $0.configuration == plugin } }
    stop(leaving) { [weak self] in
      guard let self, self.isStarted else { return }
      for runner in leaving { self.settleFaults(of: runner.name) }
      for plugin in arriving where self.configurations.contains(plugin) { self.add(plugin) }
    }
  }

  /// A plugin that the owner removed is at fault no more.
  private func settleFaults(of name: String) {
    guard !configurations.contains(where: { $0.name == name }) else { return }
    environment.onHealth(
      HealthReport(
        component: ComponentID("plugin/\(name)"), state: .unused, code: "removed",
        detail: Message("It was removed from the configuration.")))
  }

  /// Stops one plugin and starts it anew, its manifest and secrets read again; false when there is none of the name.
  @discardableResult
  public func restart(_ name: String) -> Bool {
    guard let index = runners.firstIndex(where: { $0.name == name }) else { return false }
    let old = runners.remove(at: index)
    returning[name] = old.manifest?.offers
    old.stop { [weak self] in
      guard let self, self.isStarted, self.configurations.contains(old.configuration) else {
        return
      }
      self.add(old.configuration)
    }
    return true
  }

  /// A resident consented to something or refused it: plugins that need them for it are started anew.
  public func consentChanged() {
    for runner in runners where runner.refused != runner.refusedNow { restart(runner.name) }
  }

  /// The settings of the plugin that offers a service, as the owner has them; nil where none does, and of several those of
  /// the first by name.
  public func settings(ofWhoOffers service: String) -> JSONValue? {
    configurations.sorted { $0.name < $1.name }.first { configuration in
      let manifest = try? PluginFolder.manifest(in: configuration.directory, ifNaming: service)
      return manifest?.offers.contains(service) ?? false
    }?.settings
  }

  private func stop(_ leaving: [PluginRunner], completion: @escaping @LoopActor () -> Void) {
    var left = leaving.count
    guard left > 0 else { return completion() }
    for runner in leaving {
      // A runner that has left the list lives until its process is gone.
      runner.stop {
        left -= 1
        withExtendedLifetime(runner) { if left == 0 { completion() } }
      }
    }
  }

  private func add(_ configuration: PluginConfiguration) {
    guard !runners.contains(where: { $0.name == configuration.name }) else { return }
    let runner = PluginRunner(
      configuration, heads: heads,
      links: PluginRunner.Links(
        environment: environment, signature: signature(of: configuration.name),
        callService: { [weak self] caller, call, answer in
          self?.route(call, from: caller, timeoutMilliseconds: 30_000, answer)
        },
        onDeviceCame: { [weak self] in self?.letIn($0) },
        onState: { [weak self] in self?.tellWays() }))
    returning[configuration.name] = nil
    runners.append(runner)
    runners.sort { $0.name < $1.name }
    runner.start()
  }

  /// Kept for as long as there is a host: a plugin that starts again and again names no more parts than one that does not.
  private func signature(of name: String) -> Signature {
    if let known = signatures[name] { return known }
    let signature = Signature(plugin: name) { [weak self] button in
      guard let self else { return nil }
      if environment.ownButtons.contains(button) { return "" }
      // Names of plugins may begin with one another's: "sms" and "sms-modem".
      return configurations.map(\.name).filter { button.rawValue.hasPrefix("\($0)-") }
        .max { $0.utf8.count < $1.utf8.count }
    }
    signatures[name] = signature
    return signature
  }

  private func letIn(_ name: String) {
    environment.log(name, .info, "a device of it has come; it is started again to be let in")
    restart(name)
  }

  // MARK: Events

  /// Events up to these sequences are durable and go out now.
  public func journalAdvanced(to heads: LaneHeads) {
    self.heads = heads
    for runner in runners {
      for lane in runner.lanes { lane.advance(to: heads[lane.lane]) }
    }
  }

  /// An alarm that the disk has not taken in time goes out from memory, marked `durable: false`.
  public func forwardBeforeDurable(_ event: EncodedEvent) {
    for runner in runners {
      runner.wantedLanes.first { $0.lane == event.lane && $0.lane == .alarm }?.addVolatile(event)
    }
  }

  /// Shows an event to whoever watches through a plugin.
  public func show(_ event: EncodedEvent) {
    for runner in runners { runner.show(event) }
  }

  /// Sends dead letters again: those of one plugin, or of one event, or all.
  ///
  /// `completion` gets how many will be sent. Letters of plugins that are not configured stay where they are.
  public func redrive(
    plugin: String?, event: EventID?, completion: @escaping @LoopActor @Sendable (Int) -> Void
  ) {
    environment.journal.deadLetters(plugin: plugin) { [weak self] answer in
      guard let self, case .success(let letters) = answer else { return completion(0) }
      Redrive(journal: self.environment.journal).run(
        letters.filter { event == nil || $0.event == event }, runners: self.runners,
        completion: completion)
    }
  }

  // MARK: Ways to people

  /// Tells which ways there are, once for all changes of a round of the loop, and only news.
  private func tellWays() {
    guard !waysAreDue else { return }
    waysAreDue = true
    EventLoop.current.post { [weak self] in
      guard let self else { return }
      waysAreDue = false
      let now = currentWays
      guard isStarted, now != ways else { return }
      ways = now
      environment.onWays(now)
    }
  }

  private var currentWays: WaysReport {
    return WaysReport(
      offers: Guardian.Channel.allCases.compactMap { channel in
        provider(of: "notify.\(channel.rawValue)").map {
          WaysReport.Offer(channel: channel, plugin: $0.plugin, isRunning: $0.isRunning)
        }
      }, voice: service("speech"), emergency: service("emergency"))
  }

  private func service(_ name: String) -> WaysReport.Service? {
    provider(of: name).map { WaysReport.Service(plugin: $0.plugin, isRunning: $0.isRunning) }
  }

  /// As a call of the service would find the plugins now.
  private func provider(of service: String) -> (plugin: String, isRunning: Bool)? {
    let providers = runners.filter { $0.manifest?.offers.contains(service) ?? false }
    if let provider = providers.first(where: { $0.state == .running }) ?? providers.first {
      return (provider.name, [.running, .starting].contains(provider.state))
    }
    return returning.sorted { $0.key < $1.key }.first { $0.value.contains(service) }.map {
      ($0.key, true)
    }
  }

  // MARK: Services

  /// Calls a service that some plugin offers (`notify.<channel>` is `alarm.notify`); the first provider by name answers.
  ///
  /// `completion` is called once, with error 1003 when nobody offers the service and 1004 when its provider is not
  /// running or does not answer in time.
  public func callService(
    _ name: String, params: JSONValue, timeoutMilliseconds: Int64,
    completion: @escaping @LoopActor (Result<JSONValue, RPCFailure>) -> Void
  ) {
    route(
      ServiceCall(service: name, params: params), from: nil,
      timeoutMilliseconds: timeoutMilliseconds
    ) { completion($0.mapError { RPCFailure(code: $0.code, message: $0.message) }) }
  }

  private func route(
    _ call: ServiceCall, from caller: String?, timeoutMilliseconds: Int64,
    _ answer: @escaping @LoopActor (InboundCalls.Answer) -> Void
  ) {
    let providers = runners.filter {
      $0.name != caller && ($0.manifest?.offers.contains(call.service) ?? false)
    }
    guard let provider = providers.first(where: { $0.state == .running }) ?? providers.first else {
      return answer(
        .failure(
          RPCError(
            code: RPCError.noServiceCode,
            message: gettext(
              "no plugin offers {service}", ["service": call.service.asPluginReason(limit: 60)],
              in: environment.language))))
    }
    guard provider.state == .running else {
      return answer(
        .failure(busy(Message("the plugin {name} is not running", ["name": provider.name]))))
    }
    let isMessage = call.service.hasPrefix("notify.")
    let method =
      isMessage ? PluginMethod.notify : "\(PluginMethod.servicePrefix)\(call.service)"
    let completion: @LoopActor (RequestTable.Answer) -> Void = { [weak self] outcome in
      guard let self else { return }
      answer(self.answer(to: outcome, provider: provider.name))
    }
    if isMessage || call.service == "emergency" {
      provider.requestForAlarm(
        method, call.params, timeoutMilliseconds: timeoutMilliseconds, completion: completion)
    } else {
      provider.request(
        method, call.params, timeoutMilliseconds: timeoutMilliseconds, completion: completion)
    }
  }

  private func answer(
    to outcome: RequestTable.Answer, provider: String
  ) -> InboundCalls.Answer {
    switch outcome {
    case .failure(let error): return .failure(error)
    case .timedOut:
      return .failure(busy(Message("the plugin {name} did not answer in time", ["name": provider])))
    case .cancelled:
      return .failure(
        busy(Message("the plugin {name} ended before it answered", ["name": provider])))
    case .result(let message):
      do throws(DecodeError) { return .success(try message.payload()) } catch {
        return .failure(
          RPCError(
            code: RPCError.parseErrorCode,
            message: gettext(
              "the answer of {name} cannot be read", ["name": provider], in: environment.language)))
      }
    }
  }

  private func busy(_ message: Message) -> RPCError {
    RPCError(code: RPCError.busyCode, message: message.text(in: environment.language))
  }

  // MARK: Status

  /// How every plugin does, by name; depths are asked from the store.
  public func statuses(completion: @escaping @LoopActor @Sendable ([PluginStatus]) -> Void) {
    StatusCollector(journal: environment.journal).collect(runners, completion: completion)
  }
}

/// Why a service did not answer as wished; the numbers are those of `plugins/protocol.md`.
public struct RPCFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The number.
  public var code: Int64
  /// One plain sentence.
  public var message: String

  /// The sentence.
  public var description: String { message }
}

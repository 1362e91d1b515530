import Care
import CivilTime
import Core
import JSON
import Loop
import LoopTestSupport
import Moments
import Ports
import Runtime
import Store
import TestSupport
import Texts
import WalkSimulator

/// Plugins that tell guardians: a modem, and what needs the internet. They remember what they were asked for, and when.
@LoopActor
final class FamilyPlugins: ServiceCaller {
  /// What somebody was told, or was to be told.
  struct Telling {
    var time: Timestamp
    var message: AlarmMessage
    var isTaken: Bool
  }

  /// How long the modem and the internet take, in milliseconds.
  static let transportMilliseconds: Int64 = 2000

  var isOnline = true
  private(set) var tellings: [Telling] = []
  private let clock: ManualClock
  weak var runtime: GatewayRuntime?

  init(clock: ManualClock) { self.clock = clock }

  func callService(
    _ name: String, params: JSONValue, timeoutMilliseconds: Int64,
    completion: @escaping @LoopActor (Result<JSONValue, ServiceFailure>) -> Void
  ) {
    guard name.hasPrefix("notify."), let message = try? AlarmMessage(json: params) else {
      let missing = Message(verbatim: "nobody offers \(name)")
      return completion(.failure(ServiceFailure(isMissing: true, message: missing)))
    }
    let isTaken = isOnline || message.channel == .sms
    tellings.append(Telling(time: clock.now().utc, message: message, isTaken: isTaken))
    guard isTaken else {
      return completion(.success(["outcome": "failed", "detail": "no network"]))
    }
    completion(.success(["outcome": "taken"]))
    let report = DeliveryReport(
      plugin: FamilyHouse.plugin(of: message.channel), event: EventID(message.alarm.rawValue),
      recipient: message.guardian.rawValue, channel: message.channel.rawValue, outcome: .sent,
      notice: message.notice, attempt: message.attempt)
    let timer = LoopTimer { [weak self] in self?.runtime?.observe(.delivery(report)) }
    timer.set(afterMilliseconds: Self.transportMilliseconds)
  }
}

/// A family's gateway without its process: the real runtime over the real store, with made-up people.
@LoopActor
final class FamilyHouse {
  /// What happened, and when the gateway knew it.
  struct Happening {
    var type: EventType
    var time: Timestamp
    var id: EventID
    var lane: Lane
    var data: JSONValue
  }

  let clock: ManualClock
  let plugins: FamilyPlugins
  let directory: TemporaryDirectory
  let store: SQLiteStore
  private(set) var happenings: [Happening] = []
  private var commands = 0
  private lazy var runtime = makeRuntime()

  /// A house at a moment, in which nobody lives yet.
  init(at start: String) throws {
    clock = ManualClock(utc: try Timestamp(iso8601: start))
    plugins = FamilyPlugins(clock: clock)
    directory = try TemporaryDirectory()
    store = try SQLiteStore.open(Self.options(directory))
    plugins.runtime = runtime
    runtime.start()
    let channels: [Guardian.Channel] = [.sms, .email, .push]
    runtime.observe(
      .ways(
        WaysReport(
          offers: channels.map { .init(channel: $0, plugin: Self.plugin(of: $0), isRunning: true) })
      ))
  }

  static func options(_ directory: TemporaryDirectory) -> SQLiteStore.Options {
    var options = SQLiteStore.Options(directory: directory.path(of: "store"))
    (options.minimumFreeBytes, options.reserveBytes) = (0, 0)
    return options
  }

  nonisolated static func plugin(of channel: Guardian.Channel) -> String {
    switch channel {
    case .sms, .voice: "sms-modem"
    case .email: "email"
    case .push: "apprise"
    }
  }

  private func makeRuntime() -> GatewayRuntime {
    let now = clock.now()
    let core = GatewayCore(
      stored: store.loaded,
      configuration: CoreConfiguration(gateway: "test", heartbeatSeconds: 3600), seed: 1,
      boot: "b", at: now)
    let record = RunRecord(
      run: "run-1", seed: 1, version: "0", boot: "b", moment: now, startState: Array("{}".utf8))
    store.begin(run: record)
    var parts = GatewayRuntime.Parts(
      store: store, clock: clock, watcher: { [weak self] in self?.note($0) })
    parts.room.services = plugins
    parts.room.timeZoneFile = { try? TimeZoneFile.contents(name: $0) }
    return GatewayRuntime(run: GatewayRuntime.Run(core: core, record: record), parts: parts)
  }

  private func note(_ event: EncodedEvent) {
    let data = (try? JSONValue(parsing: event.body))?["data"] ?? .null
    happenings.append(
      Happening(
        type: event.type, time: event.moment.utc, id: event.id, lane: event.lane, data: data))
  }

  // MARK: What people do

  /// Has a command done; answers what it says.
  @discardableResult
  func ask(_ request: Command.Request) async throws -> JSONValue {
    commands += 1
    let command = Command(
      id: CommandID("c-\(commands)"), principal: Principal(channel: .local, name: "keeper"),
      request: request)
    let reply = await withLoopContinuation { continuation in
      runtime.perform(command) { continuation.resume(returning: $0) }
    }
    switch reply {
    case .done(let result): return result
    case .refused(let refusal): throw refusal
    }
  }

  /// Lets time pass until a moment.
  func wait(until time: String) async throws {
    let milliseconds = try Timestamp(iso8601: time).milliseconds(since: clock.now().utc)
    await EventLoop.pass(milliseconds: milliseconds)
  }

  /// A walk, as a receiver tells it once a second.
  func walk(_ outing: Outing, seconds: Int, receiver: SourceID) async {
    for second in 0..<seconds {
      let position = outing.position(atSecond: second)
      runtime.observe(
        .fix(
          FixReport(
            source: receiver, mode: .threeDimensional, latitudeDegrees: position.latitudeDegrees,
            longitudeDegrees: position.longitudeDegrees, accuracyMeters: 4,
            speedMetersPerSecond: outing.speedMetersPerSecond(atSecond: second),
            receiverTime: clock.now().utc, satellitesUsed: 9)))
      await EventLoop.pass(milliseconds: 1000)
    }
  }

  /// Stops everything in good order.
  func stop() async {
    runtime.stop()
    await withLoopContinuation { continuation in
      store.close { continuation.resume() }
    }
  }

  // MARK: What came of it

  func times(of type: EventType) -> [String] {
    happenings.filter { $0.type == type }.map(\.time.iso8601)
  }

  /// When something became of an alarm.
  func times(of type: EventType, about alarm: AlarmID) -> [String] {
    let name = JSONValue.string(alarm.rawValue)
    return happenings.filter { $0.type == type && $0.data["alarm"] == name }.map(\.time.iso8601)
  }

  /// When a guardian was told, or was to be told, of an alarm, by which way, and whether the way took it.
  func tellings(
    to guardian: GuardianID, of alarm: AlarmID, _ notice: AlarmNotice = .alarm
  ) -> [FamilyPlugins.Telling] {
    plugins.tellings.filter {
      $0.message.guardian == guardian && $0.message.alarm == alarm && $0.message.notice == notice
    }
  }
}

import Care
import Loop
import Moments
import PluginKit
import PluginProtocol

/// Hands batches to the broker, the alarm lane first, and settles each event when it has been acknowledged.
///
/// What is outstanding on the way to the broker is bounded, but for alarms, so that an alarm never queues behind more
/// than ``windowBytes`` of other events, however slow the line. While there is no connection a batch waits here, and
/// goes out, from its first unsettled event, as soon as there is one; only when the host's time limit comes near is
/// the rest of it answered `retry`.
@LoopActor
final class DeliveryPump {
  /// The most events outside the alarm lane that may be unacknowledged at once.
  static let windowEvents = 512
  /// The most bytes of them.
  static let windowBytes = 131_072
  /// How long a batch is kept before its unsettled events are handed back, in milliseconds.
  static let holdMilliseconds: Int64 = 45_000
  /// After how many seconds events handed back are to come again.
  static let retrySeconds: Int64 = 5
  /// How long the broker may leave publications unacknowledged, in milliseconds.
  static let silenceMilliseconds: Int64 = 20_000

  /// A batch on its way.
  private final class OpenBatch {
    let batch: ReceivedBatch
    let arrived = EventLoop.now
    let reply: @LoopActor (BatchOutcomes) -> Void
    var isSettled: [Bool]
    var settledCount = 0
    var next = 0
    var hasBeenShown = false

    init(_ batch: ReceivedBatch, _ reply: @escaping @LoopActor (BatchOutcomes) -> Void) {
      self.batch = batch
      self.reply = reply
      isSettled = Array(repeating: false, count: batch.count)
    }
  }

  /// A publication that the broker has not acknowledged.
  private struct Outstanding {
    let open: OpenBatch
    let position: Int
    let windowBytes: Int
  }

  private let topics: [Lane: String]
  private let acceptance: MQTTSettings.Acceptance
  private let client: BrokerClient
  private let onPublished: @LoopActor (ReceivedBatch) -> Void
  private var open: [Lane: OpenBatch] = [:]
  private var outstanding: [Int32: Outstanding] = [:]
  private var awaited: [String: (OpenBatch, Int)] = [:]
  private var windowEvents = 0
  private var windowBytes = 0
  private var lastProgress = EventLoop.now
  private var timer: LoopTimer?

  /// A pump; `onPublished` is called once for each batch, when all its events have gone to the broker.
  init(
    settings: MQTTSettings, client: BrokerClient,
    onPublished: @escaping @LoopActor (ReceivedBatch) -> Void
  ) {
    topics = Dictionary(
      uniqueKeysWithValues: Lane.allCases.map { ($0, settings.topics.event(lane: $0)) })
    acceptance = settings.acceptance
    self.client = client
    self.onPublished = onPublished
    timer = LoopTimer { [weak self] in self?.checkTimes() }
  }

  /// How many events wait for an acknowledgement or for the connection.
  var unsettledCount: Int { open.values.reduce(0) { $0 + $1.batch.count - $1.settledCount } }

  /// Takes a batch; `reply` is called once, at the latest after ``holdMilliseconds``.
  func deliver(_ batch: ReceivedBatch, reply: @escaping @LoopActor (BatchOutcomes) -> Void) {
    guard batch.count > 0 else { return reply(.all(.accepted, count: 0)) }
    open[batch.lane] = OpenBatch(batch, reply)
    pump()
    armTimer()
  }

  /// Publishes as much as may be outstanding, the alarm lane first.
  func pump() {
    guard client.isConnected else { return }
    for lane in Lane.allCases.sorted() {
      guard let batch = open[lane], let topic = topics[lane] else { continue }
      publish(batch, to: topic, isBounded: lane != .alarm)
      if batch.next == batch.batch.count, !batch.hasBeenShown {
        batch.hasBeenShown = true
        onPublished(batch.batch)
      }
    }
    client.updateInterest()
  }

  private func publish(_ batch: OpenBatch, to topic: String, isBounded: Bool) {
    while batch.next < batch.batch.count, !isBounded || hasRoom {
      let position = batch.next
      guard !batch.isSettled[position], let body = batch.batch.body(position) else {
        batch.next += 1
        continue
      }
      expectID(of: position, in: batch, body)
      guard let message = client.publish(topic: topic, payload: body) else { return }
      if outstanding.isEmpty { lastProgress = EventLoop.now }
      let bytes = isBounded ? body.count : 0
      outstanding[message] = Outstanding(open: batch, position: position, windowBytes: bytes)
      windowEvents += isBounded ? 1 : 0
      windowBytes += bytes
      batch.next += 1
    }
  }

  private var hasRoom: Bool {
    windowEvents < Self.windowEvents && windowBytes < Self.windowBytes
  }

  private func expectID(of position: Int, in batch: OpenBatch, _ body: ArraySlice<UInt8>) {
    guard acceptance == .application, let glance = EventGlance(body) else { return }
    awaited[glance.id] = (batch, position)
  }

  // MARK: Acknowledgements

  /// The broker acknowledged a publication.
  func acknowledged(_ message: Int32) {
    guard let publication = outstanding.removeValue(forKey: message) else { return }
    lastProgress = EventLoop.now
    if publication.windowBytes > 0 {
      windowEvents -= 1
      windowBytes -= publication.windowBytes
    }
    if acceptance == .broker { settle(publication.position, of: publication.open) }
  }

  /// The application acknowledged events by their ids; ids that nobody waits for are passed over.
  func acknowledged(ids: [String]) {
    guard acceptance == .application else { return }
    for id in ids {
      guard let (batch, position) = awaited.removeValue(forKey: id) else { continue }
      settle(position, of: batch)
    }
  }

  private func settle(_ position: Int, of batch: OpenBatch) {
    guard open[batch.batch.lane] === batch, batch.isSettled.indices.contains(position),
      !batch.isSettled[position]
    else { return }
    batch.isSettled[position] = true
    batch.settledCount += 1
    if batch.settledCount == batch.batch.count { answer(batch, unsettled: .accepted) }
  }

  /// The connection is gone, and libmosquitto's queue with it: what is not settled goes out again on the next one.
  func connectionLost() {
    outstanding.removeAll(keepingCapacity: true)
    windowEvents = 0
    windowBytes = 0
    for batch in open.values { batch.next = 0 }
    armTimer()
  }

  // MARK: Time limits

  /// Hands everything unsettled back, because the plugin ends.
  func handBack(reason: String) {
    for batch in open.values { answer(batch, unsettled: retry(1, reason)) }
  }

  private func checkTimes() {
    let now = EventLoop.now
    for batch in open.values
    where now.milliseconds(since: batch.arrived) >= Self.holdMilliseconds {
      answer(batch, unsettled: retry(Self.retrySeconds, overdueReason))
    }
    if client.isConnected, !outstanding.isEmpty,
      now.milliseconds(since: lastProgress) >= Self.silenceMilliseconds
    {
      client.lose(.silent(client.address))
    }
    armTimer()
  }

  private var overdueReason: String {
    guard client.isConnected else { return gettext("no connection to the broker") }
    return acceptance == .application && outstanding.isEmpty
      ? gettext("the application has not acknowledged it")
      : gettext("the broker has not acknowledged it")
  }

  private func retry(_ seconds: Int64, _ reason: String) -> EventOutcome {
    .retry(afterSeconds: seconds, reason: reason)
  }

  private func answer(_ batch: OpenBatch, unsettled: EventOutcome) {
    guard open[batch.batch.lane] === batch else { return }
    open[batch.batch.lane] = nil
    awaited = awaited.filter { $0.value.0 !== batch }
    batch.reply(BatchOutcomes(batch.isSettled.map { $0 ? .accepted : unsettled }))
  }

  private func armTimer() {
    guard let oldest = open.values.map(\.arrived).min() else { return }
    let hold = oldest.advanced(byMilliseconds: Self.holdMilliseconds)
    let silence = lastProgress.advanced(byMilliseconds: Self.silenceMilliseconds)
    let next = outstanding.isEmpty || !client.isConnected ? hold : min(hold, silence)
    if timer?.deadline.map({ $0 > next }) ?? true { timer?.set(at: next) }
  }
}

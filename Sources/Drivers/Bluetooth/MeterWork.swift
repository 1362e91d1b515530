import Care
import GATTProfiles
import GlucoseValues
import JSON
import Loop
import Moments
public import Ports
import Texts

/// One meter: when it is fetched from, and how that went.
struct MeterWork {
  /// Services by which a meter is known.
  static let services: Set<BluetoothUUID> = [
    ServiceNumber.glucose, ServiceNumber.continuousGlucoseMonitoring,
  ]
  /// A meter that was read to the end is left alone for so long, doubled with each time that brought nothing new, at most
  /// ``longestRestMilliseconds``, or until it was silent for ``wakeMilliseconds``: it advertises on for a while after each
  /// measurement, and somebody may measure again at once.
  static let restMilliseconds: Int64 = 20_000
  static let longestRestMilliseconds: Int64 = 300_000
  static let wakeMilliseconds: Int64 = 10_000

  var known: KnownMeter
  var session: MeterSession?
  /// When it was heard last; nil when it was not since the start.
  var heard: Tick?
  /// Not before then.
  var notBefore: Tick?
  /// After each failure, as long as nothing succeeds.
  var retries = Backoff(
    firstMilliseconds: 3_000, longestMilliseconds: Self.longestRestMilliseconds)
  /// After each session that brought nothing new, as long as none brings any.
  var idleRests = Backoff(
    firstMilliseconds: 2 * Self.restMilliseconds, longestMilliseconds: Self.longestRestMilliseconds)
  var hasBroughtReadings = false
  /// Readings since the start.
  var fetched = 0
  var lastFetched: Timestamp?
  var aheadSeconds: Int64?
  var trouble: Message?

  /// Whether the meter woke: it is heard now and was not for a while, or its rest is over.
  mutating func wakes(at now: Tick) -> Bool {
    defer { heard = now }
    guard session == nil else { return false }
    if let heard, now.milliseconds(since: heard) >= Self.wakeMilliseconds {
      retries.reset()
      idleRests.reset()
      return true
    }
    return notBefore.map { $0 <= now } ?? true
  }

  mutating func ended(_ end: CollectorEnd, at now: Moment) {
    session = nil
    defer { hasBroughtReadings = false }
    switch end {
    case .upToDate, .cancelled:
      retries.reset()
      trouble = nil
      lastFetched = now.utc
      if hasBroughtReadings { idleRests.reset() }
      let rest = hasBroughtReadings ? Self.restMilliseconds : idleRests.next()
      notBefore = now.tick.advanced(byMilliseconds: rest)
    case .linkLost, .failed:
      notBefore = now.tick.advanced(byMilliseconds: retries.next())
      trouble = end.sentence
    }
  }

  func json(_ device: BluetoothDevice?, in language: Language, at now: Tick) -> JSONValue {
    let state = session != nil ? "fetching" : trouble != nil ? "failed" : "waiting"
    return .object([
      "address": .string(known.meter.address.written),
      "resident": .string(known.meter.resident.rawValue), "name": .string(known.meter.name),
      "isBonded": .bool(device?.isBonded ?? false),
      "isConnected": .bool(device?.isConnected ?? false), "state": .string(state),
      "detail": trouble.map { .string($0.text(in: language)) },
      "batteryPercent": device?.batteryPercent.map { .integer(Int64($0)) },
      "lastHeardSeconds": heard.map { .integer(now.milliseconds(since: $0) / 1000) },
      "lastFetchedAt": lastFetched.map { .string($0.iso8601) },
      "fetched": .integer(Int64(fetched)),
      "clockDifferenceSeconds": aheadSeconds.map { .integer($0) },
    ])
  }
}

extension BluetoothCentral {
  /// Fetches from these meters from now on; a session that goes on keeps its own bookmark.
  public func setMeters(_ known: [KnownMeter]) {
    let wanted = Dictionary(known.map { ($0.meter.address, $0) }, uniquingKeysWith: { $1 })
    for address in meters.keys.sorted() where wanted[address] == nil {
      meters.removeValue(forKey: address)?.session?.stop()
    }
    for (address, meter) in wanted {
      if meters[address] == nil {
        meters[address] = MeterWork(known: meter)
      } else if meters[address]?.session == nil {
        meters[address]?.known = meter
      } else {
        meters[address]?.known.meter = meter.meter
      }
    }
    for device in source.devices { noteConnection(of: device) }
  }

  /// A meter that is connected already, as after its pairing, advertises no more: it is fetched from at once.
  func noteConnection(of device: BluetoothDevice) {
    guard device.isConnected, let work = meters[device.address], work.session == nil,
      work.notBefore.map({ $0 <= clock.now().tick }) ?? true
    else { return }
    fetch(from: device.address)
  }

  /// A meter that advertises is awake, for seconds only: it is connected to at once.
  func noteMeter(_ sighting: BluetoothSighting) {
    let address = sighting.address
    guard var work = meters[address] else { return }
    let wakes = work.wakes(at: sighting.tick)
    meters[address] = work
    if wakes { fetch(from: address) }
    setMeterTimer()
  }

  private func fetch(from address: BluetoothAddress) {
    guard let work = meters[address], work.session == nil, observer != nil else { return }
    // Without its keys nobody knows whether this is the meter: whoever imitates its address would be believed.
    if let device = source.devices.first(where: { $0.address == address }), !device.isBonded {
      return sessionEnded(address, .failed(.notPaired), nil)
    }
    let session = MeterSession(
      meter: work.known, source: source, clock: clock,
      links: MeterSession.Links(
        report: { [weak self] in self?.store($0) },
        notice: { [weak self] in self?.options.log?($0) },
        clockRead: { [weak self] in self?.meters[address]?.aheadSeconds = $0 },
        ended: { [weak self] in self?.sessionEnded(address, $0, $1) }))
    meters[address]?.session = session
    session.start()
  }

  private func store(_ report: MeterReport) {
    meters[report.meter]?.known.bookmark = report.bookmark
    meters[report.meter]?.fetched += report.readings.count
    if !report.readings.isEmpty { meters[report.meter]?.hasBroughtReadings = true }
    tell(.meter(report))
  }

  private func sessionEnded(
    _ address: BluetoothAddress, _ end: CollectorEnd, _ failure: BluetoothFailure?
  ) {
    guard meters[address] != nil else { return }
    meters[address]?.ended(end, at: clock.now())
    if let failure { meters[address]?.trouble = failure.message }
    guard let work = meters[address] else { return }
    let component = ComponentID("meter/\(address.text)")
    switch end {
    case .upToDate: tell(.health(HealthReport(component: component, state: .working)))
    case .failed where Self.needsSomebody(end) || failure?.code == .notBonded:
      tell(
        .health(
          HealthReport(
            component: component, state: .degraded, code: "not-fetched",
            detail: Message(
              "{name}: {detail}",
              ["name": work.known.meter.name, "detail": work.trouble ?? end.sentence]))))
    case .failed, .linkLost, .cancelled: break
    }
    setMeterTimer()
  }

  /// What does not pass by itself.
  private static func needsSomebody(_ end: CollectorEnd) -> Bool {
    switch end {
    case .failed(.notPaired), .failed(.noGlucoseService), .failed(.refused): true
    case .failed, .linkLost, .upToDate, .cancelled: false
    }
  }

  // MARK: Again

  /// A meter that is still awake is tried again, without waiting for the next advertisement.
  func meterTimeHasCome() {
    let now = EventLoop.now
    for (address, work) in meters.sorted(by: { $0.key < $1.key }) {
      guard work.retries.count > 0, work.session == nil, let due = work.notBefore, due <= now,
        isAwake(work, at: now)
      else { continue }
      fetch(from: address)
    }
    setMeterTimer()
  }

  private func isAwake(_ work: MeterWork, at now: Tick) -> Bool {
    work.heard.map { now.milliseconds(since: $0) < MeterWork.wakeMilliseconds } ?? false
  }

  private func setMeterTimer() {
    guard observer != nil else { return meterTimer.cancel() }
    let now = EventLoop.now
    let due = meters.values.filter {
      $0.retries.count > 0 && $0.session == nil && isAwake($0, at: now)
    }.compactMap(\.notBefore).min()
    if let due { meterTimer.set(at: max(due, now)) } else { meterTimer.cancel() }
  }
}

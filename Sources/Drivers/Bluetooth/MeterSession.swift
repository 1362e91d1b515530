import Care
import CivilTime
import GATTProfiles
import GlucoseValues
import JSON
import Loop
import Moments
import Ports
import Texts

/// One connection with a meter, from its wake to the end of what it has.
@LoopActor
final class MeterSession {
  /// What a session tells.
  struct Links {
    /// Readings and how far they reach, for one transaction.
    var report: @LoopActor (MeterReport) -> Void
    /// A line for the log.
    var notice: @LoopActor (Message) -> Void
    /// Seconds that the meter's clock is ahead.
    var clockRead: @LoopActor (Int64?) -> Void
    /// The session is over; with the radio's own reason where there is one. Called once.
    var ended: @LoopActor (CollectorEnd, BluetoothFailure?) -> Void
  }

  /// Whichever profile the meter has.
  private enum Collector {
    case glucose(GlucoseCollector)
    case continuous(CGMCollector)
  }

  let meter: KnownMeter
  private let source: any BluetoothSource
  let clock: any GatewayClock
  private let links: Links
  private var link: (any BluetoothLink)?
  private var collector: Collector?
  private var control: GATTCharacteristicID?
  /// The bookmark that was handed out last, or began with.
  private var kept: JSONValue?
  private var isEnded = false
  /// What the radio said when it went wrong.
  private var failure: BluetoothFailure?
  private lazy var timer = LoopTimer { [weak self] in self?.take(.time, .time) }

  var address: BluetoothAddress { meter.meter.address }

  init(
    meter: KnownMeter, source: any BluetoothSource, clock: any GatewayClock, links: Links
  ) {
    self.meter = meter
    self.source = source
    self.clock = clock
    self.links = links
  }

  /// Connects; everything else follows.
  func start() {
    source.connect(to: address) { [weak self] result in
      guard let self, !isEnded else {
        if case .success(let link) = result { link.disconnect() }
        return
      }
      switch result {
      case .success(let link): begin(link)
      case .failure(let failure): end(.linkLost, failure)
      }
    }
  }

  /// Ends at once; what was whole has been handed out.
  func stop() { end(.cancelled, nil) }

  private func begin(_ link: any BluetoothLink) {
    self.link = link
    link.onLost = { [weak self] in self?.take(.disconnected, .disconnected) }
    let reader = MeterReader(link: link)
    if link.services.contains(where: { $0.uuid == ServiceNumber.glucose }) {
      reader.read { [weak self] in self?.beginGlucose(link, $0) }
    } else if link.services.contains(where: {
      $0.uuid == ServiceNumber.continuousGlucoseMonitoring
    }) {
      reader.read { [weak self] in self?.beginContinuous(link, $0) }
    } else {
      end(.failed(.noGlucoseService), nil)
    }
  }

  // MARK: Profiles

  private func beginGlucose(_ link: any BluetoothLink, _ facts: MeterFacts) {
    guard !isEnded else { return }
    let quirk = MeterQuirk.of(facts.information, name: meter.meter.name)
    let now = clock.now()
    let clocks = MeterClockReading(
      meter: quirk.readsClockInGlucoseService
        ? facts.glucoseClock ?? facts.clock : facts.clock ?? facts.glucoseClock,
      hub: now.quality.isTrusted ? meter.zone?.local(at: now.utc).civil : nil)
    links.clockRead(clocks.differenceSeconds)
    let bookmark = meter.bookmark?["glucose"].flatMap { try? GlucoseBookmark(json: $0) }
    let beginning = bookmark ?? GlucoseBookmark()
    kept = ["glucose": beginning.json]
    collector = .glucose(GlucoseCollector(meter: address, quirk: quirk, bookmark: beginning))
    let service = link.services.filter { $0.uuid == ServiceNumber.glucose }
    let hasContext = service.has(CharacteristicNumber.glucoseContext)
    subscribe(
      [
        (CharacteristicNumber.glucoseMeasurement, { .glucose(.measurement($0)) }),
        (CharacteristicNumber.glucoseContext, { .glucose(.context($0)) }),
        (CharacteristicNumber.recordAccess, { .glucose(.controlPoint($0)) }),
      ], in: service, on: link
    ) { [weak self] in self?.take(.ready(hasContext: hasContext, clocks: clocks), .time) }
  }

  private func beginContinuous(_ link: any BluetoothLink, _ facts: MeterFacts) {
    guard !isEnded else { return }
    let bookmark = meter.bookmark?["cgm"].flatMap { try? CGMBookmark(json: $0) }
    let beginning = bookmark ?? CGMBookmark()
    kept = ["cgm": beginning.json]
    collector = .continuous(CGMCollector(monitor: address, bookmark: beginning))
    let service = link.services.filter { $0.uuid == ServiceNumber.continuousGlucoseMonitoring }
    let hasHistory = service.has(CharacteristicNumber.recordAccess)
    subscribe(
      [
        (CharacteristicNumber.cgmMeasurement, { .continuous(.measurement($0)) }),
        (CharacteristicNumber.recordAccess, { .continuous(.controlPoint($0)) }),
      ], in: service, on: link
    ) { [weak self] in
      self?.take(
        .time,
        .ready(
          feature: facts.feature, status: facts.status, start: facts.start,
          hasHistory: hasHistory))
    }
  }

  private enum Heard {
    case glucose(GlucoseCollectorInput)
    case continuous(CGMCollectorInput)
  }

  /// Subscribes to one after another; those that the meter has not are left out.
  private func subscribe(
    _ wanted: [(uuid: BluetoothUUID, heard: ([UInt8]) -> Heard)], in service: [FoundService],
    on link: any BluetoothLink, then: @escaping @LoopActor () -> Void
  ) {
    guard let next = wanted.first else { return isEnded ? () : then() }
    let rest = Array(wanted.dropFirst())
    guard let found = service.characteristic(next.uuid) else {
      return subscribe(rest, in: service, on: link, then: then)
    }
    if next.uuid == CharacteristicNumber.recordAccess { control = found }
    link.subscribe(
      to: found,
      heard: { [weak self] octets in
        switch next.heard(octets) {
        case .glucose(let input): self?.take(input, .time)
        case .continuous(let input): self?.take(.time, input)
        }
      },
      completion: { [weak self] result in
        guard let self, !isEnded else { return }
        switch result {
        case .success: subscribe(rest, in: service, on: link, then: then)
        case .failure(let failure): refused(failure)
        }
      })
  }

  private func refused(_ failure: BluetoothFailure) {
    self.failure = failure
    if let code = failure.attributeError {
      take(.writeRefused(attributeError: code), .writeRefused(attributeError: code))
      // Before it was ready the collector has nothing to end.
      end(.failed(.writeRefused(attributeError: code)), failure)
    } else {
      end(failure.code == .notBonded ? .failed(.notPaired) : .linkLost, failure)
    }
  }

  // MARK: The collector

  private func take(_ glucose: GlucoseCollectorInput, _ continuous: CGMCollectorInput) {
    guard !isEnded else { return }
    let now = clock.now()
    switch collector {
    case .glucose(var collector):
      let outputs = collector.handle(glucose, at: now)
      self.collector = .glucose(collector)
      wake(at: collector.nextWake)
      let bookmark: JSONValue = ["glucose": collector.bookmark.json]
      perform(outputs, bookmark) { MeterReadings($0, of: self.meter) }
    case .continuous(var collector):
      let outputs = collector.handle(continuous, at: now)
      self.collector = .continuous(collector)
      wake(at: collector.nextWake)
      let bookmark: JSONValue = ["cgm": collector.bookmark.json]
      perform(outputs, bookmark) { MeterReadings($0, of: self.meter) }
    case nil:
      if case .disconnected = glucose { end(.linkLost, failure) }
    }
  }

  private func wake(at tick: Tick?) {
    if let tick { timer.set(at: tick) } else { timer.cancel() }
  }

  private func perform<Record>(
    _ outputs: [CollectorOutput<Record>], _ bookmark: JSONValue,
    _ readings: ([Record]) -> MeterReadings
  ) {
    for output in outputs {
      switch output {
      case .write(let octets): write(octets)
      case .records(let records):
        let found = readings(records)
        // Not why: what somebody measured is no business of the log.
        for _ in found.reasons {
          links.notice(
            Message(
              "A record of the meter {address} is no glucose reading and is left out.",
              ["address": address.text]))
        }
        kept = bookmark
        links.report(
          MeterReport(
            meter: address, readings: found.readings, beyondRange: found.beyondRange,
            bookmark: bookmark))
      case .notice(let notice): links.notice(notice.sentence)
      case .ended(let ended):
        if bookmark != kept {
          links.report(MeterReport(meter: address, bookmark: bookmark))
        }
        end(ended, failure)
      }
    }
  }

  private func write(_ octets: [UInt8]) {
    guard let link, let control else { return end(.failed(.noGlucoseService), nil) }
    link.write(octets, to: control, withResponse: true) { [weak self] result in
      guard let self, !isEnded, case .failure(let failure) = result else { return }
      self.failure = failure
      if let code = failure.attributeError {
        take(.writeRefused(attributeError: code), .writeRefused(attributeError: code))
      } else {
        take(.disconnected, .disconnected)
      }
    }
  }

  private func end(_ ended: CollectorEnd, _ failure: BluetoothFailure?) {
    guard !isEnded else { return }
    isEnded = true
    timer.cancel()
    link?.onLost = {}
    link?.disconnect()
    link = nil
    links.ended(ended, failure)
  }
}

extension [FoundService] {
  /// The first characteristic of a kind in these services.
  func characteristic(_ uuid: BluetoothUUID) -> GATTCharacteristicID? {
    lazy.flatMap(\.characteristics).first { $0.uuid == uuid }?.id
  }

  func has(_ uuid: BluetoothUUID) -> Bool { characteristic(uuid) != nil }
}

public import Advertisements
import Bytes
public import Care
public import JSON
public import Loop
import Moments
public import Ports
import Proximity
public import Texts

/// The central role of Bluetooth Low Energy: listens for tags and buttons, and fetches from meters when they wake.
///
/// Whichever radio fills the port (bluetoothd, or a raw scan), the same observations come out.
@LoopActor
public final class BluetoothCentral: BluetoothAdministration {
  /// The device that listens, as proximity knows it.
  public var hearer: SourceID { options.hearer.id }

  let options: Options
  let source: any BluetoothSource
  let clock: any GatewayClock
  var observer: (@LoopActor (Observation) -> Void)?
  var isListening = false

  var tags: [TagID: KnownTag] = [:]
  var matcher: TagMatcher<Sender>
  var presses = BTHomePressFilter()
  var thinner = SightingThinner()
  var batteries: [TagID: Int] = [:]
  var calibrator: TagCalibrator?
  var scans: [Scan] = []
  var questions: [BluetoothAddress: PairingQuestion] = [:]
  var crowd = CrowdCounter()
  var lastCrowd: CrowdCount?
  private lazy var crowdTimer = LoopTimer { [weak self] in self?.countCrowd() }

  var meters: [BluetoothAddress: MeterWork] = [:]
  /// Where meters wait to be tried again.
  lazy var meterTimer = LoopTimer { [weak self] in self?.meterTimeHasCome() }

  /// A central that does nothing until started.
  ///
  /// - Parameter cipher: computes what keys of tags and buttons are needed for.
  public init(
    source: any BluetoothSource, clock: any GatewayClock, cipher: any AdvertisementCipher,
    options: Options
  ) {
    self.source = source
    self.clock = clock
    self.options = options
    self.cipher = cipher
    matcher = TagMatcher([], cipher: cipher)
    presses = options.counters.flatMap { try? BTHomePressFilter(json: $0) } ?? presses
    rebuildMatcher()
  }

  private let cipher: any AdvertisementCipher

  /// Starts; observations go to `observer`, on the loop, until ``stop()``.
  public func start(_ observer: @escaping @LoopActor (Observation) -> Void) {
    guard self.observer == nil else { return }
    self.observer = observer
    source.start { [weak self] in self?.take($0) }
    countCrowd()
  }

  /// Ends sessions and connections, and stops.
  public func stop() {
    observer = nil
    crowdTimer.cancel()
    for work in meters.values { work.session?.stop() }
    meterTimer.cancel()
    for scan in scans { scan.timer.cancel() }
    scans = []
    source.stop()
  }

  func tell(_ observation: Observation) { observer?(observation) }

  // MARK: News of the radio

  private func take(_ news: BluetoothNews) {
    switch news {
    case .sighting(let sighting): hear(sighting)
    case .presence: return
    case .device(let device): noteConnection(of: device)
    case .adapters(let adapters):
      listen(adapters.contains { $0.condition == .listening })
    case .question(let question): questions[question.address] = question
    case .refused(let refusal):
      options.log?(refusal.message)
    case .health(let report):
      if report.state == .failed { listen(false) }
      tell(.health(report))
      tellButtons(report)
    }
  }

  private func listen(_ isListening: Bool) {
    guard isListening != self.isListening else { return }
    self.isListening = isListening
    tell(.listening(hearer, isListening: isListening))
    if !isListening { calibrator?.stopListening() }
  }

  /// A button that nobody can hear is a fault of its own: somebody relies on it.
  private func tellButtons(_ report: HealthReport) {
    guard report.state != .starting else { return }
    for button in options.buttons {
      let component = ComponentID("button/\(button.id)")
      let isHeard = report.state == .working || report.state == .degraded
      tell(
        .health(
          isHeard
            ? HealthReport(component: component, state: .working)
            : HealthReport(
              component: component, state: .failed, code: "not-heard",
              detail: Message(
                "The button cannot be heard, because Bluetooth does not work: {detail}",
                ["detail": report.detail]))))
    }
  }

  /// Ends a window of counting and begins the next, with a salt that nobody else ever sees.
  private func countCrowd() {
    var random = SystemRandomNumberGenerator()
    let salt = (0..<CrowdCounter.saltBytes).map { _ in
      UInt8.random(in: .min ... .max, using: &random)
    }
    lastCrowd = crowd.roll(salt: salt, at: clock.now()) ?? lastCrowd
    crowdTimer.set(afterMilliseconds: CrowdCounter.windowSeconds * 1000)
  }

  // MARK: Advertisements

  func rebuildMatcher() {
    let known =
      tags.sorted { $0.key < $1.key }.flatMap { id, tag in
        tag.identities.map { (tag: Sender.tag(id), identity: $0) }
      }
      + options.buttons.map {
        (tag: Sender.button($0.id), identity: TagIdentity.bthome($0.address, key: $0.key))
      }
    matcher = TagMatcher(known, cipher: cipher)
  }

  /// Who is recognised in an advertisement.
  enum Sender: Hashable, Comparable, Sendable {
    case tag(TagID)
    case button(SourceID)
  }

  private func hear(_ sighting: BluetoothSighting) {
    noteMeter(sighting)
    crowd.note(sighting.address)
    let reading = AdvertisementReading(sighting.fresh)
    let matches = matcher.matches(in: reading, from: sighting.address)
    for scan in scans { scan.note(sighting) }
    for match in matches {
      switch match.tag {
      case .tag(let id):
        if let battery = reading.batteryPercent ?? match.bthome?.batteryPercent {
          batteries[id] = Int(battery)
        }
        see(id, sighting)
      case .button(let id):
        if let frame = match.bthome { press(id, frame, sighting) }
      }
    }
  }

  private func see(_ id: TagID, _ sighting: BluetoothSighting) {
    guard let rssi = sighting.rssi, let tag = tags[id] else { return }
    let now = clock.now()
    let moment = now.advanced(
      byMilliseconds: -max(0, now.tick.milliseconds(since: sighting.tick)))
    guard
      let seen = TagSighting(
        tag: id, hearer: hearer, strengthDBm: rssi, moment: moment, batteryPercent: batteries[id])
    else { return }
    calibrator?.take(seen, offsetDB: options.hearer.offsetDB, at: now)
    guard
      thinner.admits(id, strengthDBm: rssi, awaySeconds: tag.awaySeconds, at: sighting.tick)
    else { return }
    tell(.sighting(seen))
  }

  private func press(_ button: SourceID, _ frame: BTHomeFrame, _ sighting: BluetoothSighting) {
    let found = presses.presses(in: frame, from: sighting.address, at: sighting.tick)
    // Before anything follows from it: a recording of this press is to stay one after a restart.
    if !found.isEmpty, frame.sealed != nil { options.keepCounters?(presses.json) }
    for press in found {
      // What the lamp shows and the log says is that of the wired button: it went down, then what the hand meant.
      tell(.button(ButtonReport(button: button, gesture: .down, edge: sighting.tick)))
      if press.gesture != .down {
        tell(.button(ButtonReport(button: button, gesture: press.gesture, edge: sighting.tick)))
      }
    }
  }

  // MARK: What is wanted

  /// Listens for these tags from now on.
  public func setTags(_ tags: [KnownTag]) {
    self.tags = Dictionary(tags.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
    thinner.keep(Set(self.tags.keys))
    batteries = batteries.filter { self.tags[$0.key] != nil }
    rebuildMatcher()
  }

  /// Calibrates a tag; see ``BluetoothAdministration``.
  public func calibrate(_ tag: TagID, step: CalibrationStep) -> JSONValue? {
    let now = clock.now()
    switch step {
    case .begin: calibrator = TagCalibrator(tag: tag, hearer: hearer, at: now)
    case .proceed: calibrator?.proceed(at: now)
    case .cancel: calibrator?.cancel()
    case .look: calibrator?.time(at: now)
    }
    guard let calibrator, calibrator.tag == tag else { return nil }
    if case .finished = calibrator.phase { self.calibrator = nil }
    return calibrator.json(in: options.language)
  }
}

extension BluetoothCentral {
  /// What is wanted of the central.
  public struct Options: Sendable {
    /// The way it listens, as the configuration names it, for people.
    public var sourceName: String
    /// This device as proximity knows it.
    public var hearer: TagHearer
    /// The buttons.
    public var buttons: [WirelessButton]
    /// How far the buttons that encrypt had counted when the gateway ended.
    public var counters: JSONValue?
    /// Keeps the counters, so that a recorded press played again stays an old one.
    public var keepCounters: (@LoopActor @Sendable (JSONValue) -> Void)?
    /// The language of what is shown of meters and calibrations.
    public var language: Language
    /// Called with a line for the log.
    public var log: (@LoopActor @Sendable (Message) -> Void)?

    /// Options from their parts.
    public init(
      sourceName: String, hearer: TagHearer, buttons: [WirelessButton] = [],
      language: Language = .en,
      log: (@LoopActor @Sendable (Message) -> Void)? = nil
    ) {
      self.language = language
      self.sourceName = sourceName
      self.hearer = hearer
      self.buttons = buttons
      self.log = log
    }
  }
}

extension TagCalibrator {
  /// Where the procedure is, for people and programs.
  fileprivate func json(in language: Language) -> JSONValue {
    switch phase {
    case .near: ["phase": "near"]
    case .moveAway: ["phase": "move-away"]
    case .far: ["phase": "far"]
    case .finished(.success(let thresholds)): ["phase": "done", "thresholds": thresholds.json]
    case .finished(.failure(let fault)):
      ["phase": "failed", "why": .string(fault.explanation.text(in: language))]
    }
  }
}

extension BluetoothSighting {
  /// What came with this advertisement, and the name, by which some tags are told.
  var fresh: AdvertisingData {
    AdvertisingData(
      flags: advertisement.flags.first, name: advertisement.name,
      transmitPowerDBm: advertisement.txPower.flatMap(Int8.init(exactly:)),
      services: advertisement.services,
      serviceData: came.contains(.serviceData)
        ? advertisement.serviceData.sorted { $0.key.text < $1.key.text }.map {
          ServiceData(service: $0.key, bytes: $0.value)
        } : [],
      manufacturerData: came.contains(.manufacturerData)
        ? advertisement.manufacturerData.sorted { $0.key < $1.key }.map {
          ManufacturerData(company: $0.key, bytes: $0.value)
        } : [])
  }
}

import Care
import DBus
import Loop
import Moments
import Ports

/// Adapters: each has a drive that decides what to ask it for; here it is asked.
@LoopActor
final class BlueZAdapters {
  private let options: BlueZSource.Options
  private let bus: BlueZBus
  private let objects: BlueZObjects
  private let monitors: BlueZMonitors
  private var drives: [String: AdapterDrive] = [:]
  /// Counts drives, so that an answer meant for one that is gone reaches no other.
  private var driveCount = 0
  private lazy var timer = LoopTimer { [weak self] in self?.timeHasCome() }

  /// Hears that an adapter may do otherwise than before.
  var onChange: @LoopActor () -> Void = {}

  /// No adapters.
  init(
    _ options: BlueZSource.Options, _ bus: BlueZBus, _ objects: BlueZObjects,
    _ monitors: BlueZMonitors
  ) {
    self.options = options
    self.bus = bus
    self.objects = objects
    self.monitors = monitors
    monitors.onRefused = { [weak self] in self?.searchInstead($0) }
  }

  // MARK: Views

  /// All in order of their names.
  var all: [BluetoothAdapter] {
    drives.keys.sorted().map { path in
      BluetoothAdapter(
        name: BlueZName.name(of: path), address: objects.tree.adapters[path]?.address,
        condition: drives[path]?.condition ?? .starting)
    }
  }

  /// The names of those that switching off and on has not helped.
  var lasting: Set<String> {
    Set(drives.filter { $0.value.isLasting }.map { BlueZName.name(of: $0.key) })
  }

  /// Where to use a device: on a listening adapter, where it is bonded before where it was heard last.
  func place(of address: BluetoothAddress) -> Result<String, BluetoothFailure> {
    guard drives.values.contains(where: { $0.condition == .listening }) else {
      return .failure(.noRadio)
    }
    let path = objects.tree.paths(of: address).first { path in
      objects.tree.devices[path].flatMap { drives[$0.adapter]?.condition } == .listening
    }
    return path.map { .success($0) } ?? .failure(.unknown(address))
  }

  func isWanted(_ adapter: String) -> Bool {
    options.adapters.isEmpty || options.adapters.contains(adapter)
  }

  // MARK: Changes

  func came(_ path: String) {
    guard isWanted(BlueZName.name(of: path)) else { return }
    let offersMonitors = objects.tree.adapters[path]?.offersMonitors ?? false
    let searches = options.listening == .everything || !offersMonitors || monitors.isEmpty
    driveCount += 1
    drives[path] = AdapterDrive(patience: options.patience, searches: searches, number: driveCount)
    // What belongs to the adapter, as whether it is on, comes in the same message after this.
    EventLoop.current.post { [weak self] in
      guard let self, drives[path]?.condition == .starting else { return }
      let isOn = objects.tree.adapters[path]?.isPowered ?? false
      step(path) { $0.begin(isPowered: isOn, at: EventLoop.now) }
    }
  }

  func gone(_ path: String) {
    monitors.drop(of: path)
    guard drives.removeValue(forKey: path) != nil else { return }
    setTimer()
    onChange()
  }

  /// Lets an adapter's drive decide, and asks what it says.
  private func step(_ path: String, _ decide: (inout AdapterDrive) -> AdapterDrive.Step?) {
    guard var drive = drives[path] else { return }
    let step = decide(&drive)
    drives[path] = drive
    if let step { perform(step, on: path) }
    if drive.condition == .listening { registerMonitors(on: path) }
    setTimer()
    onChange()
  }

  private func perform(_ step: AdapterDrive.Step, on path: String) {
    let number = drives[path]?.number
    let answered: SystemBus.Completion = { [weak self] result in
      guard let self, number == drives[path]?.number, result.failureValue != .noConnection else {
        return
      }
      let answer: AdapterDrive.Answer =
        switch result {
        case .success: .done
        case .failure(let fault) where fault.isTimeOut: .timedOut
        case .failure(let fault): .refused(String(fault.name.split(separator: ".").last ?? ""))
        }
      self.step(path) { $0.answered(answer, at: EventLoop.now) }
    }
    switch step {
    case .setPowered(let isOn):
      if !isOn { monitors.drop(of: path) }
      bus.call(
        path, BlueZName.properties, "Set",
        [.text(BlueZName.adapter), .text("Powered"), .variant(.flag(isOn))], completion: answered)
    case .setFilter:
      bus.call(
        path, BlueZName.adapter, "SetDiscoveryFilter",
        [.options([("Transport", .text("le")), ("DuplicateData", .flag(true))])],
        completion: answered)
    case .startDiscovery: bus.call(path, BlueZName.adapter, "StartDiscovery", completion: answered)
    case .stopDiscovery: bus.call(path, BlueZName.adapter, "StopDiscovery", completion: answered)
    }
  }

  private func setTimer() {
    if let next = drives.values.compactMap(\.nextWake).min() {
      timer.set(at: next)
    } else {
      timer.cancel()
    }
  }

  private func timeHasCome() {
    for path in drives.keys.sorted() { step(path) { $0.time(at: EventLoop.now) } }
  }

  // MARK: What is heard of them

  /// An adapter was switched on or off, whoever did it.
  func powerChanged(_ path: String, at now: Tick) {
    let isOn = objects.tree.adapters[path]?.isPowered ?? false
    step(path) { $0.powerChanged(isOn, at: now) }
  }

  /// An adapter searches, or does not any more.
  func discoveryChanged(_ path: String, at now: Tick) {
    drives[path]?.discoveryChanged(objects.tree.adapters[path]?.isDiscovering ?? false, at: now)
  }

  /// An adapter of this name heard an advertisement.
  func heard(by name: String, at now: Tick) { drives["/org/bluez/\(name)"]?.heard(at: now) }

  /// Every minute: whether they do what they should; `isBusy` says whether a connection is being made or used on one.
  func check(_ isBusy: (String) -> Bool) {
    for path in drives.keys.sorted() {
      let isBusy = isBusy(path)
      step(path) { $0.check(isBusy: isBusy, at: EventLoop.now) }
    }
  }

  // MARK: Monitors

  /// Registers the monitors on an adapter that listens.
  func registerMonitors(on path: String) {
    guard drives[path]?.condition == .listening else { return }
    monitors.register(on: path)
  }

  /// Better to search than to hear nothing.
  private func searchInstead(_ path: String) {
    guard drives[path]?.searches == false else { return }
    drives[path]?.searches = true
    let isOn = objects.tree.adapters[path]?.isPowered ?? false
    step(path) { $0.begin(isPowered: isOn, at: EventLoop.now) }
  }

  // MARK: The end

  /// Forgets all; their monitors are registered again when they are known again.
  func forget() {
    for path in drives.keys.sorted() { monitors.drop(of: path) }
    drives = [:]
  }

  /// Nothing is due any more until a drive decides again.
  func cancelTimer() { timer.cancel() }
}

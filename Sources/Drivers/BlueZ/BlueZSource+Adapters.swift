import DBus
import Loop
import Ports

/// Adapters: each has a drive that decides what to ask it for; here it is asked.
extension BlueZSource {
  func isWanted(_ adapter: String) -> Bool {
    options.adapters.isEmpty || options.adapters.contains(adapter)
  }

  func adapterCame(_ path: String) {
    guard isWanted(BlueZName.name(of: path)) else { return }
    let offersMonitors = objects.tree.adapters[path]?.offersMonitors ?? false
    let monitors = options.monitors.contains { !$0.patterns.isEmpty }
    let searches = options.listening == .everything || !offersMonitors || !monitors
    driveCount += 1
    drives[path] = AdapterDrive(patience: patience, searches: searches, number: driveCount)
    // What belongs to the adapter, as whether it is on, comes in the same message after this.
    EventLoop.current.post { [weak self] in
      guard let self, drives[path]?.condition == .starting else { return }
      let isOn = objects.tree.adapters[path]?.isPowered ?? false
      step(path) { $0.begin(isPowered: isOn, at: EventLoop.now) }
    }
  }

  func adapterGone(_ path: String) {
    dropMonitors(of: path)
    guard drives.removeValue(forKey: path) != nil else { return }
    setDriveTimer()
    reportAdapters()
  }

  /// Lets an adapter's drive decide, and asks what it says.
  func step(_ path: String, _ decide: (inout AdapterDrive) -> AdapterDrive.Step?) {
    guard var drive = drives[path] else { return }
    let step = decide(&drive)
    drives[path] = drive
    if let step { perform(step, on: path) }
    if drive.condition == .listening { registerMonitors(on: path) }
    setDriveTimer()
    reportAdapters()
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
      if !isOn { dropMonitors(of: path) }
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

  private func setDriveTimer() {
    if let next = drives.values.compactMap(\.nextWake).min() {
      driveTimer.set(at: next)
    } else {
      driveTimer.cancel()
    }
  }

  func driveTimeHasCome() {
    for path in drives.keys.sorted() { step(path) { $0.time(at: EventLoop.now) } }
  }
}

import DBus
import Loop
import Ports

/// How far the monitors of an adapter have come.
enum MonitorState: Hashable {
  case registering
  case registered
  /// bluetoothd did not want them; the adapter searches instead.
  case refused
}

/// Monitors: bluetoothd, or the controller itself, watches for advertisements, and says what came near or was lost.
extension BlueZSource {
  private var wanted: [BluetoothMonitor] { options.monitors.filter { !$0.patterns.isEmpty } }

  private func root(of adapter: String) -> String {
    "\(Self.monitorRoot)/\(BlueZName.name(of: adapter))"
  }

  func registerMonitors(on path: String) {
    guard !wanted.isEmpty, monitored[path] == nil, drives[path]?.condition == .listening,
      objects.tree.adapters[path]?.offersMonitors == true
    else { return }
    monitored[path] = .registering
    bus.call(path, BlueZName.monitorManager, "RegisterMonitor", [.path(root(of: path))]) {
      [weak self] result in
      guard let self, monitored[path] == .registering else { return }
      let isTaken =
        result.failureValue == nil || result.failureValue?.name == "org.bluez.Error.AlreadyExists"
      monitored[path] = isTaken ? .registered : .refused
      if !isTaken { searchInstead(path) }
    }
  }

  /// bluetoothd takes a monitor that it cannot use no longer: better to search than to hear nothing.
  private func released(_ path: String) {
    guard monitored[path] != nil else { return }
    monitored[path] = .refused
    searchInstead(path)
  }

  private func searchInstead(_ path: String) {
    guard drives[path]?.searches == false else { return }
    drives[path]?.searches = true
    let isOn = objects.tree.adapters[path]?.isPowered ?? false
    step(path) { $0.begin(isPowered: isOn, at: EventLoop.now) }
  }

  /// An adapter is switched off or gone; its monitors are registered again when it is back.
  func dropMonitors(of path: String) {
    guard let state = monitored.removeValue(forKey: path), state == .registered else { return }
    bus.call(path, BlueZName.monitorManager, "UnregisterMonitor", [.path(root(of: path))]) { _ in }
  }

  /// Answers a call to one of the monitors; false when there is no such thing.
  func monitorCalled(_ call: BusCall) -> Bool {
    let parts = call.path.dropFirst(Self.monitorRoot.count).split(separator: "/")
    guard let adapter = parts.first, parts.count <= 2 else { return false }
    if parts.count == 1 {
      guard call.interface == BlueZName.objectManager, call.member == "GetManagedObjects" else {
        return false
      }
      call.reply([objects(below: call.path)])
      return true
    }
    guard let index = Int(parts[1]), wanted.indices.contains(index) else { return false }
    switch (call.interface, call.member) {
    case (BlueZName.properties, "GetAll"):
      call.reply([.options(properties(of: wanted[index]))])
    case (BlueZName.monitor, "DeviceFound"), (BlueZName.monitor, "DeviceLost"):
      found(call, adapter: String(adapter), wanted[index])
      call.reply()
    case (BlueZName.monitor, "Activate"): call.reply()
    case (BlueZName.monitor, "Release"):
      call.reply()
      released("/org/bluez/\(adapter)")
    default: return false
    }
    return true
  }

  private func found(_ call: BusCall, adapter: String, _ monitor: BluetoothMonitor) {
    guard let path = call.arguments.first?.text, let node = objects.tree.devices[path] else {
      return
    }
    news.tell(
      .presence(
        BluetoothPresence(
          address: node.address, adapter: adapter, monitor: monitor.id,
          isNear: call.member == "DeviceFound", tick: EventLoop.now)))
  }

  private func objects(below root: String) -> BusArgument {
    .objects(
      "a{sa{sv}}",
      wanted.enumerated().map { index, monitor in
        (
          "\(root)/\(index)",
          .map("a{sv}", [(BlueZName.monitor, .options(properties(of: monitor)))])
        )
      })
  }

  private func properties(of monitor: BluetoothMonitor) -> [(name: String, value: BusArgument)] {
    [
      ("Type", .text("or_patterns")),
      ("RSSILowThreshold", .int16(Int16(clamping: monitor.farDBm))),
      ("RSSIHighThreshold", .int16(Int16(clamping: monitor.nearDBm))),
      ("RSSILowTimeout", .uint16(UInt16(clamping: monitor.farSeconds))),
      ("RSSIHighTimeout", .uint16(UInt16(clamping: monitor.nearSeconds))),
      (
        "Patterns",
        .array(
          "(yyay)",
          monitor.patterns.map {
            .structure([.byte($0.offset), .byte($0.type), .bytes($0.octets)])
          })
      ),
    ]
  }
}

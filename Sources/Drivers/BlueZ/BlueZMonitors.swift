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
@LoopActor
final class BlueZMonitors {
  static let root = "/org/homeward/monitors"

  private let wanted: [BluetoothMonitor]
  private let bus: BlueZBus
  private let objects: BlueZObjects
  private let news: BlueZNews
  private var states: [String: MonitorState] = [:]

  /// Hears of an adapter on which bluetoothd does not take the monitors, or no longer.
  var onRefused: @LoopActor (String) -> Void = { _ in }

  /// Monitors that are registered nowhere.
  init(_ options: BlueZSource.Options, _ bus: BlueZBus, _ objects: BlueZObjects, _ news: BlueZNews)
  {
    wanted = options.monitors.filter { !$0.patterns.isEmpty }
    self.bus = bus
    self.objects = objects
    self.news = news
  }

  /// Whether there is nothing to watch for.
  var isEmpty: Bool { wanted.isEmpty }

  private func root(of adapter: String) -> String {
    "\(Self.root)/\(BlueZName.name(of: adapter))"
  }

  /// Registers all on an adapter that listens, where bluetoothd offers that.
  func register(on path: String) {
    guard !wanted.isEmpty, states[path] == nil,
      objects.tree.adapters[path]?.offersMonitors == true
    else { return }
    states[path] = .registering
    bus.call(path, BlueZName.monitorManager, "RegisterMonitor", [.path(root(of: path))]) {
      [weak self] result in
      guard let self, states[path] == .registering else { return }
      let isTaken =
        result.failureValue == nil || result.failureValue?.name == "org.bluez.Error.AlreadyExists"
      states[path] = isTaken ? .registered : .refused
      if !isTaken { onRefused(path) }
    }
  }

  /// bluetoothd takes a monitor that it cannot use no longer: better to search than to hear nothing.
  private func released(_ path: String) {
    guard states[path] != nil else { return }
    states[path] = .refused
    onRefused(path)
  }

  /// An adapter is switched off or gone; its monitors are registered again when it is back.
  func drop(of path: String) {
    guard let state = states.removeValue(forKey: path), state == .registered else { return }
    bus.call(path, BlueZName.monitorManager, "UnregisterMonitor", [.path(root(of: path))]) { _ in }
  }

  /// Answers a call to one of the monitors; false when there is no such thing.
  func called(_ call: BusCall) -> Bool {
    let parts = call.path.dropFirst(Self.root.count).split(separator: "/")
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

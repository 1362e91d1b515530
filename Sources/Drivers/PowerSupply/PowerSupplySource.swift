public import Care
public import Loop
public import Moments
public import Ports
import Texts

/// The batteries that the gateway runs on, as the kernel knows them: its own, or those of a UPS.
///
/// Each is a part of its own, `power/<name>`. One that runs down is told while there is time to charge it: a board that
/// loses its power says nothing any more. Without a battery nothing is reported, and it is looked for every ten minutes.
///
/// - Source: Linux, Documentation/ABI/testing/sysfs-class-power.
@LoopActor
public final class PowerSupplySource: ObservationSource {
  /// Where the kernel shows them.
  public nonisolated static let usualFolder = "/sys/class/power_supply"

  /// The name among the sources.
  public let id: SourceID = "power"

  private static let lookMilliseconds: Int64 = 60_000
  private static let searchMilliseconds: Int64 = 600_000

  private let folder: String
  private var observer: (@LoopActor (Observation) -> Void)?
  private var states: [String: BatteryWatch] = [:]
  private lazy var timer = LoopTimer { [weak self] in self?.look() }

  /// A source over a folder of the kernel's form.
  public nonisolated init(folder: String = usualFolder) { self.folder = folder }

  /// Looks at once, then every minute while there is a battery.
  public func start(_ observer: @escaping @LoopActor (Observation) -> Void) {
    self.observer = observer
    look()
  }

  /// Looks no more.
  public func stop() {
    observer = nil
    timer.cancel()
    states = [:]
  }

  /// A battery is not in a hurry.
  public func sampleBurst(until: Tick) {}

  /// Reads every battery; what changed is reported.
  public func look() {
    guard observer != nil else { return }
    let found = BatteryReading.all(in: folder)
    for reading in found {
      var watch = states[reading.name] ?? BatteryWatch()
      let report = watch.take(reading)
      states[reading.name] = watch
      observer?(.health(report))
    }
    for name in states.keys.sorted() where !found.contains(where: { $0.name == name }) {
      states[name] = nil
      observer?(.health(BatteryWatch.gone(name)))
    }
    timer.set(afterMilliseconds: found.isEmpty ? Self.searchMilliseconds : Self.lookMilliseconds)
  }
}

/// Decides when a battery is low, with a margin so that it is said once.
struct BatteryWatch: Hashable, Sendable {
  /// At this level and below a battery that is not being charged is low, in percent.
  static let lowPercent: Int64 = 20
  /// From this level on it is no longer, in percent.
  static let wellPercent: Int64 = 25

  private var isLow = false

  mutating func take(_ reading: BatteryReading) -> HealthReport {
    let limit = isLow ? Self.wellPercent - 1 : Self.lowPercent
    let isEmpty = reading.percent.map { $0 <= limit } ?? reading.saysLow
    isLow = isEmpty && !reading.isCharging
    let component = Self.component(reading.name)
    guard isLow else { return HealthReport(component: component, state: .working) }
    return HealthReport(
      component: component, state: .failed, code: "battery-low",
      detail: reading.percent.map {
        Message(
          "The battery {name} of the gateway is down to {percent} %. Charge it, or help can no longer be called from here.",
          ["name": reading.name, "percent": $0])
      }
        ?? Message(
          "The battery {name} of the gateway is nearly empty. Charge it, or help can no longer be called from here.",
          ["name": reading.name]))
  }

  static func gone(_ name: String) -> HealthReport {
    HealthReport(
      component: component(name), state: .unused, code: "gone",
      detail: Message("The battery {name} was taken out.", ["name": name]))
  }

  private static func component(_ name: String) -> ComponentID { ComponentID("power/\(name)") }
}

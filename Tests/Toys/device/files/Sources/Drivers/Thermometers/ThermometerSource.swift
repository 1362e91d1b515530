public import Care
import Glibc
public import Loop
public import Moments
public import Ports
import Texts

/// The thermometers of the gateway's board, as the kernel knows them.
///
/// Each is a part of its own, `heat/<zone>`. A board that is too hot slows down and then stops; it is looked at once a minute.
///
/// - Source: Linux, Documentation/ABI/testing/sysfs-class-thermal.
@LoopActor
public final class ThermometerSource: ObservationSource {
  /// Where the kernel shows them.
  public nonisolated static let usualFolder = "/sys/class/thermal"
  /// So much cooler it is well again, in thousandths of a degree Celsius.
  nonisolated static let reliefMilliCelsius: Int64 = 10_000

  /// The name among the sources.
  public let id: SourceID = "heat"

  private static let lookMilliseconds: Int64 = 60_000

  private let folder: String
  /// From here on it is too hot, in thousandths of a degree Celsius.
  private let hotMilliCelsius: Int64
  private var observer: (@LoopActor (Observation) -> Void)?
  private var hot: Set<String> = []
  private lazy var timer = LoopTimer { [weak self] in self?.look() }

  /// A source over a folder of the kernel's form.
  public nonisolated init(hotCelsius: Int, folder: String = usualFolder) {
    self.folder = folder
    hotMilliCelsius = Int64(hotCelsius) * 1000
  }

  /// Looks at once, then every minute.
  public func start(_ observer: @escaping @LoopActor (Observation) -> Void) {
    self.observer = observer
    look()
  }

  /// Looks no more.
  public func stop() {
    observer = nil
    timer.cancel()
    hot = []
  }

  /// Heat is not in a hurry.
  public func sampleBurst(until: Tick) {}

  private func look() {
    for number in 0... {
      guard let heat = Self.milliCelsius("\(folder)/thermal_zone\(number)/temp") else { break }
      report(heat, "zone\(number)")
    }
    timer.set(afterMilliseconds: Self.lookMilliseconds)
  }

  private func report(_ heat: Int64, _ zone: String) {
    let limit = hotMilliCelsius - (hot.contains(zone) ? Self.reliefMilliCelsius : 0)
    if heat >= limit { hot.insert(zone) } else { hot.remove(zone) }
    let isHot = hot.contains(zone)
    observer?(
      .health(
        HealthReport(
          component: ComponentID("heat/\(zone)"), state: isHot ? .failed : .working,
          code: isHot ? "too-hot" : "",
          detail: Message(verbatim: isHot ? "\(heat / 1000) °C" : ""))))
  }

  /// What a file of the kernel's says; nil where there is none, or no number in it.
  private nonisolated static func milliCelsius(_ path: String) -> Int64? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    let bytes = [UInt8](unsafeUninitializedCapacity: 32) { buffer, count in
      count = max(0, read(descriptor, buffer.baseAddress, buffer.count))
    }
    return Int64(String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self))
  }
}

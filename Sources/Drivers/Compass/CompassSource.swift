public import Care
public import Loop
public import Moments
public import Ports

/// A compass of this machine, where it has one; it moves with a GPS receiver of the machine.
///
/// It is read while somebody is shown a way, and never else: a tracker lives on its battery. Where there is none, or it says
/// nothing that can be, nothing is reported: whoever shows the way then goes by the movement.
@LoopActor
public final class CompassSource: ObservationSource {
  /// Where the kernel shows its sensors.
  public nonisolated static let usualFolder = "/sys/bus/iio/devices"

  /// The name among the sources.
  public let id: SourceID = .compass

  private static let sampleMilliseconds: Int64 = 250
  private static let reportMilliseconds: Int64 = 1_000
  /// How long is waited before a compass that is not there is looked for again.
  private static let searchMilliseconds: Int64 = 60_000

  private let folder: String
  private let receiver: SourceID
  private var observer: (@LoopActor (Observation) -> Void)?
  private var compass: Magnetometer?
  private var heading = MagneticHeading()
  private var until: Tick?
  private var reported: Tick?
  private var searched: Tick?
  private var isReading = false
  private lazy var timer = LoopTimer { [weak self] in self?.look() }

  /// A compass below a folder of the kernel's form, which moves with a receiver.
  public nonisolated init(movingWith receiver: SourceID, folder: String = usualFolder) {
    self.receiver = receiver
    self.folder = folder
  }

  /// Waits to be asked.
  public func start(_ observer: @escaping @LoopActor (Observation) -> Void) {
    self.observer = observer
  }

  /// Reads no more.
  public func stop() {
    observer = nil
    until = nil
    timer.cancel()
  }

  /// Reads until the tick.
  public func sampleBurst(until: Tick) {
    guard observer != nil else { return }
    let isIdle = self.until == nil
    self.until = max(until, self.until ?? until)
    if isIdle { look() }
  }

  private func look() {
    guard let until, EventLoop.now < until else {
      self.until = nil
      return
    }
    timer.set(afterMilliseconds: Self.sampleMilliseconds)
    guard !isReading, mayRead() else { return }
    isReading = true
    // The bus may take its time, and an alarm must not wait for it.
    let loop = EventLoop.current
    SystemThread.run(name: "homeward-iio") { [folder, compass, weak self] in
      let found = compass ?? Magnetometer(in: folder)
      let sample = found?.read()
      loop.post { self?.take(sample, from: found) }
    }
  }

  private func mayRead() -> Bool {
    guard compass == nil else { return true }
    let now = EventLoop.now
    if let searched, now.milliseconds(since: searched) < Self.searchMilliseconds { return false }
    searched = now
    return true
  }

  private func take(_ sample: MagneticHeading.Sample?, from compass: Magnetometer?) {
    isReading = false
    // One that does not answer any more is looked for again.
    self.compass = sample == nil ? nil : compass
    guard let sample, let degrees = heading.take(sample), until != nil else { return }
    let now = EventLoop.now
    if let reported, now.milliseconds(since: reported) < Self.reportMilliseconds { return }
    reported = now
    observer?(.heading(HeadingReport(receiver: receiver, degrees: degrees)))
  }
}

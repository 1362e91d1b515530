public import Care
import Gestures
public import Loop
public import Moments
public import Ports
import Texts

/// Gestures and health of one button: a contact on a GPIO line, or keys of an input device.
///
/// Gestures are timed by the kernel's stamps, so that a hold is three seconds however busy the loop is. The health
/// component `button/<id>` tells a button that is missing, unplugged, in use by somebody else, forbidden or stuck. A
/// missing one is looked for when something is plugged in, and after 0.5 through 60 s.
@LoopActor
public final class ButtonSource: ObservationSource {
  /// What is plugged in gets its name and its permissions one after the other.
  private static let settleMilliseconds: Int64 = 50
  /// Batches of edges taken before other work of the loop gets its turn.
  private static let batchesPerTurn = 64

  /// The name from the configuration.
  public nonisolated let id: SourceID
  private let opener: any ButtonOpener
  private var recognizer: GestureRecognizer
  private var observer: (@LoopActor (Observation) -> Void)?
  private var device: (any ButtonDevice)?
  private var folder: DeviceFolder?
  /// Whether a device that is down when it is opened counts as pressed: it came while we watched.
  private var countsAsPress = false
  private var backoff = Backoff(firstMilliseconds: 500, longestMilliseconds: 60_000)
  private var health: HealthReport?

  private lazy var gestureTimer = LoopTimer { [weak self] in self?.timeHasCome() }
  private lazy var retryTimer = LoopTimer { [weak self] in self?.connect() }

  /// A source that does nothing until started.
  public convenience init(options: Options) {
    let opener: any ButtonOpener =
      switch options.device {
      case .gpio(let line): GPIOButtonOpener(line: line)
      case .input(let device): InputButtonOpener(device: device)
      }
    self.init(options: options, opener: opener)
  }

  /// A source over a device of another kind.
  public init(options: Options, opener: any ButtonOpener) {
    id = options.id
    self.opener = opener
    recognizer = GestureRecognizer(times: options.times)
  }

  /// Opens the button; observations go to `observer`, on the loop, until ``stop()``.
  public func start(_ observer: @escaping @LoopActor (Observation) -> Void) {
    guard self.observer == nil else { return }
    self.observer = observer
    countsAsPress = false
    connect()
  }

  /// Lets go of the button and says nothing any more.
  public func stop() {
    observer = nil
    letGo()
    folder?.close()
    folder = nil
    retryTimer.cancel()
    _ = recognizer.detach(at: EventLoop.now)
    health = nil
  }

  /// Ignored: edges are told as they come.
  public func sampleBurst(until: Tick) {}

  // MARK: The device comes and goes

  private func connect() {
    guard observer != nil, device == nil else { return }
    retryTimer.cancel()
    do throws(ButtonTrouble) { try adopt(try opener.open()) } catch { wait(because: error) }
  }

  private func adopt(_ opened: any ButtonDevice) throws(ButtonTrouble) {
    let isDown = try opened.isDown()
    let isWatched = EventLoop.current.watch(opened.descriptor, for: .reading) {
      [weak self] readiness in
      self?.drain(isHungUp: readiness.isHungUp)
    }
    guard isWatched else {
      throw ButtonTrouble(
        code: "broken",
        message: Message("The kernel cannot tell when the button {id} is pressed.", ["id": id]))
    }
    device = opened
    folder?.close()
    folder = nil
    backoff.reset()
    tell(
      recognizer.attach(isDown: isDown, countsAsPress: countsAsPress, at: EventLoop.now))
    countsAsPress = true
    setTimer()
    reportHealth()
    drain(isHungUp: false)
  }

  private func wait(because trouble: ButtonTrouble) {
    guard observer != nil else { return }
    countsAsPress = true
    become(.failed, code: trouble.code, trouble.message)
    if folder == nil {
      folder = DeviceFolder(places: opener.places) { [weak self] in self?.somethingAppeared() }
    }
    retryTimer.set(afterMilliseconds: backoff.next())
  }

  private func somethingAppeared() {
    guard device == nil else { return }
    let soon = EventLoop.now.advanced(byMilliseconds: Self.settleMilliseconds)
    retryTimer.set(at: min(soon, retryTimer.deadline ?? soon))
  }

  private func lose(_ trouble: ButtonTrouble) {
    guard device != nil else { return }
    letGo()
    tell(recognizer.detach(at: EventLoop.now))
    wait(because: trouble)
  }

  private func letGo() {
    gestureTimer.cancel()
    if let device { EventLoop.current.unwatch(device.descriptor) }
    device = nil
  }

  // MARK: Edges

  private func drain(isHungUp: Bool) {
    guard let device else { return }
    do throws(ButtonTrouble) {
      let isDrained = try takeEdges(of: device)
      // Whoever hears of a gesture may have stopped us.
      guard self.device === device else { return }
      guard isDrained else { return goOnLater() }
      if isHungUp {
        throw ButtonTrouble(
          code: "unplugged",
          message: Message("The button {id} is gone. Plug it in again, or wake it.", ["id": id]))
      }
    } catch { return lose(error) }
    setTimer()
  }

  /// Hands all waiting edges to the recogniser; false when there may be more.
  private func takeEdges(of device: any ButtonDevice) throws(ButtonTrouble) -> Bool {
    var hasEdges = false
    for _ in 0..<Self.batchesPerTurn {
      guard self.device === device else { return true }
      let edges = try device.readEdges()
      if edges.isEmpty {
        // The kernel keeps a few edges only: after a burst the last one may have been lost.
        if hasEdges { tell(recognizer.edge(isDown: try device.isDown(), at: EventLoop.now)) }
        return true
      }
      hasEdges = true
      let clock = EdgeClock()
      for edge in edges {
        tell(recognizer.edge(isDown: edge.isDown, at: clock.tick(ofStamp: edge.stampNanoseconds)))
      }
    }
    return false
  }

  private func goOnLater() {
    EventLoop.current.post { [weak self] in self?.drain(isHungUp: false) }
  }

  /// A release that waits in the kernel came before the deadline: it is read before time is judged.
  private func timeHasCome() {
    drain(isHungUp: false)
    guard device != nil else { return }
    tell(recognizer.time(at: EventLoop.now))
    setTimer()
  }

  private func setTimer() {
    if let due = recognizer.nextWake { gestureTimer.set(at: due) } else { gestureTimer.cancel() }
  }

  private func tell(_ found: [RecognizedGesture]) {
    for gesture in found {
      observer?(
        .button(ButtonReport(button: id, gesture: gesture.gesture, edge: gesture.tick)))
      switch gesture.gesture {
      case .stuck, .loose: if device != nil { reportHealth() }
      case .down, .press, .double, .triple, .hold: break
      }
    }
  }

  // MARK: Health

  private func reportHealth() {
    if recognizer.isStuck {
      become(
        .degraded, code: "stuck",
        Message(
          "The button {id} has been down for a minute. Free it; if nobody presses it, check its "
            + "wiring and activeLow.", ["id": id]))
    } else {
      become(.working, code: "", Message(verbatim: ""))
    }
  }

  private func become(_ state: HealthState, code: String, _ detail: Message) {
    let report = HealthReport(
      component: ComponentID("button/\(id)"), state: state, code: code, detail: detail)
    guard report != health else { return }
    health = report
    observer?(.health(report))
  }
}

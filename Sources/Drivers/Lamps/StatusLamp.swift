public import Care
import GPIOLines
public import Loop
public import Ports
import Texts

/// A lamp that shows how far an alarm has come, and a buzzer for when nothing else sounds.
///
/// The health component is `lamp`. A light or buzzer that cannot be had is looked for again once a minute, and whenever
/// there is something to show.
@LoopActor
public final class StatusLamp: Lamp {
  private static let retryMilliseconds: Int64 = 60_000

  private let options: Options
  private var observer: (@LoopActor (Observation) -> Void)?
  private var light: Blinker?
  private var buzzer: Blinker?
  private var lightTrouble: LampTrouble?
  private var buzzerTrouble: LampTrouble?
  private var signal = LampSignal.off
  private var isBuzzing = false
  private var health: HealthReport?
  private lazy var retryTimer = LoopTimer { [weak self] in self?.lookAgain() }

  /// A lamp that does nothing until started.
  public init(options: Options) { self.options = options }

  /// Takes light and buzzer; health goes to `observer`, on the loop, until ``stop()``.
  public func start(_ observer: @escaping @LoopActor (Observation) -> Void) {
    guard self.observer == nil else { return }
    self.observer = observer
    lookAgain()
  }

  /// Goes dark and silent and lets go of both.
  public func stop() {
    observer = nil
    retryTimer.cancel()
    light?.stop()
    buzzer?.stop()
    (light, buzzer, lightTrouble, buzzerTrouble, health) = (nil, nil, nil, nil, nil)
    (signal, isBuzzing) = (.off, false)
  }

  /// Shows a signal until the next one.
  public func show(_ signal: LampSignal) {
    guard signal != self.signal else { return }
    self.signal = signal
    if light == nil { openLight() } else { light?.play(.pattern(for: signal)) }
    reportHealth()
  }

  /// Sounds the buzzer, or silences it.
  public func setBuzzer(isOn: Bool) {
    guard isOn != isBuzzing else { return }
    isBuzzing = isOn
    if buzzer == nil { openBuzzer() } else { buzzer?.play(buzzerPattern) }
    reportHealth()
  }

  // MARK: Coming and going

  private func lookAgain() {
    openLight()
    openBuzzer()
    reportHealth()
  }

  private func openLight() {
    guard observer != nil, light == nil, let wanted = options.light else { return }
    do throws(LampTrouble) {
      let output: any LampOutput =
        switch wanted {
        case .gpio(let line): try GPIOLamp(line)
        case .led(let name): try KernelLight(name: name, folder: options.ledFolder)
        }
      lightTrouble = nil
      light = Blinker(output) { [weak self] trouble in self?.lostLight(trouble) }
      light?.play(.pattern(for: signal))
    } catch { lightTrouble = error }
  }

  private func openBuzzer() {
    guard observer != nil, buzzer == nil, let line = options.buzzer else { return }
    do throws(LampTrouble) {
      let output = try GPIOLamp(line)
      buzzerTrouble = nil
      buzzer = Blinker(output) { [weak self] trouble in self?.lostBuzzer(trouble) }
      buzzer?.play(buzzerPattern)
    } catch { buzzerTrouble = error }
  }

  private func lostLight(_ trouble: LampTrouble) {
    light = nil
    lightTrouble = trouble
    reportHealth()
  }

  private func lostBuzzer(_ trouble: LampTrouble) {
    buzzer = nil
    buzzerTrouble = trouble
    reportHealth()
  }

  private var buzzerPattern: LampPattern { isBuzzing ? .emergencyBuzzer : .steady(false) }

  // MARK: Health

  private func reportHealth() {
    let troubles = [
      lightTrouble.map { ($0.code, $0.message) },
      buzzerTrouble.map {
        ("buzzer-\($0.code)", Message("The buzzer is silent. {trouble}", ["trouble": $0.message]))
      },
    ].compactMap { $0 }
    if let first = troubles.first {
      let isAll = light == nil && buzzer == nil
      become(isAll ? .failed : .degraded, first.0, Self.both(troubles.map(\.1)))
      retryTimer.set(afterMilliseconds: Self.retryMilliseconds)
    } else {
      retryTimer.cancel()
      let isUnused = options.light == nil && options.buzzer == nil
      become(isUnused ? .unused : .working, "", Message(verbatim: ""))
    }
  }

  private static func both(_ troubles: [Message]) -> Message {
    guard troubles.count > 1 else { return troubles.first ?? Message(verbatim: "") }
    return Message("{light} {buzzer}", ["light": troubles[0], "buzzer": troubles[1]])
  }

  private func become(_ state: HealthState, _ code: String, _ detail: Message) {
    let report = HealthReport(component: "lamp", state: state, code: code, detail: detail)
    guard report != health else { return }
    health = report
    observer?(.health(report))
  }
}

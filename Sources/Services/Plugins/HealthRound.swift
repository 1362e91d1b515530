import Bytes
import Loop
import PluginProtocol
import Texts

/// Asks one plugin how it does: every minute with patience, and soon and with little while an alarm waits for it.
///
/// A plugin may take its time over a batch, because its far side does; one that does not even say how it does while
/// somebody needs help hangs, and is replaced.
@LoopActor
final class HealthRound {
  /// What the round needs from the plugin's runner.
  struct Links {
    var timings: PluginHost.Timings
    var ask:
      @LoopActor (_ timeoutMilliseconds: Int64, @escaping @LoopActor (RequestTable.Answer) -> Void)
        -> Void
    /// Whether an alarm waits for the plugin's answer now.
    var alarmWaits: @LoopActor () -> Bool
    var onAnswer: @LoopActor (PluginHealth) -> Void
    var onFault: @LoopActor (_ fault: PluginFault, _ isUrgent: Bool) -> Void
  }

  private let links: Links
  private lazy var usual = LoopTimer { [weak self] in self?.askUsually() }
  private lazy var urgent = LoopTimer { [weak self] in self?.askUrgently() }
  private var isRunning = false
  private var isAskedUrgently = false

  init(_ links: Links) { self.links = links }

  /// The plugin runs: it is asked from now on.
  func start() {
    isRunning = true
    isAskedUrgently = false
    usual.set(afterMilliseconds: links.timings.healthIntervalMilliseconds)
    if links.alarmWaits() { noteAlarm() }
  }

  /// The plugin's process ends or is gone.
  func stop() {
    isRunning = false
    usual.cancel()
    urgent.cancel()
  }

  /// An alarm was handed to the plugin.
  func noteAlarm() {
    guard isRunning, !isAskedUrgently, urgent.deadline == nil else { return }
    urgent.set(afterMilliseconds: links.timings.alarmPatienceMilliseconds)
  }

  private func askUsually() {
    ask(links.timings.healthMilliseconds, isUrgent: false) { [weak self] in
      guard let self else { return }
      usual.set(afterMilliseconds: links.timings.healthIntervalMilliseconds)
    }
  }

  private func askUrgently() {
    guard isRunning, links.alarmWaits() else { return }
    isAskedUrgently = true
    ask(links.timings.alarmHealthMilliseconds, isUrgent: true) { [weak self] in
      guard let self else { return }
      isAskedUrgently = false
      if links.alarmWaits() {
        urgent.set(afterMilliseconds: links.timings.alarmHealthMilliseconds)
      }
    }
  }

  private func ask(
    _ milliseconds: Int64, isUrgent: Bool, _ goOn: @escaping @LoopActor () -> Void
  ) {
    links.ask(milliseconds) { [weak self] answer in
      guard let self, isRunning else { return }
      switch answer {
      case .cancelled: return
      case .timedOut:
        links.onFault(.noAnswer(method: PluginMethod.health, milliseconds: milliseconds), isUrgent)
      case .failure(let error):
        links.onFault(
          .wrongHandshake(Message("health: {error}", ["error": error.message])), isUrgent)
      case .result(let message):
        do throws(DecodeError) {
          links.onAnswer(try PluginHealth(json: message.payload()))
          goOn()
        } catch {
          links.onFault(.wrongHandshake(Message("health: {error}", ["error": error])), isUrgent)
        }
      }
    }
  }
}

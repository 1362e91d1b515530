import Loop
import Moments

/// Plays a pattern on an output; wakes the loop only while it blinks and the kernel cannot do it.
@LoopActor
final class Blinker {
  private let output: any LampOutput
  private let failed: @LoopActor (LampTrouble) -> Void
  private var pattern = LampPattern.steady(false)
  private var index = 0
  private var nextStep = Tick(nanoseconds: 0)
  private lazy var timer = LoopTimer { [weak self] in self?.step() }

  init(_ output: any LampOutput, failed: @escaping @LoopActor (LampTrouble) -> Void) {
    self.output = output
    self.failed = failed
  }

  /// Plays from the pattern's start.
  func play(_ pattern: LampPattern) {
    timer.cancel()
    self.pattern = pattern
    index = 0
    do throws(LampTrouble) {
      if let (on, off) = pattern.simpleBlink,
        try output.blink(onMilliseconds: on, offMilliseconds: off)
      {
        return
      }
    } catch { return failed(error) }
    nextStep = EventLoop.now
    show()
  }

  /// Goes dark and silent.
  func stop() {
    timer.cancel()
    do throws(LampTrouble) { try output.set(false) } catch { return }
  }

  private func step() {
    index = (index + 1) % max(1, pattern.steps.count)
    show()
  }

  private func show() {
    guard pattern.steps.indices.contains(index) else { return }
    let step = pattern.steps[index]
    do throws(LampTrouble) { try output.set(step.isOn) } catch { return failed(error) }
    guard !pattern.isSteady else { return }
    // From the step's own time, not from now, so that a busy loop does not stretch the pattern; but never in the past.
    nextStep = max(nextStep.advanced(byMilliseconds: step.milliseconds), EventLoop.now)
    timer.set(at: nextStep)
  }
}

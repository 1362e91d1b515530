import GPIOLines
import Loop
import Texts

/// Why a lamp or buzzer does not work.
struct LampTrouble: Error, Hashable {
  var code: String
  var message: Message
}

/// Something that can be switched on and off.
@LoopActor
protocol LampOutput: AnyObject {
  func set(_ isOn: Bool) throws(LampTrouble)
  /// Blinks by itself from now on until ``set(_:)``; false when it cannot.
  func blink(onMilliseconds: Int64, offMilliseconds: Int64) throws(LampTrouble) -> Bool
}

/// A GPIO line.
final class GPIOLamp: LampOutput {
  private let output: GPIOOutput

  init(_ line: GPIOLine) throws(LampTrouble) {
    do { output = try GPIOOutput(line) } catch { throw LampTrouble(error) }
  }

  func set(_ isOn: Bool) throws(LampTrouble) {
    do { try output.set(isOn) } catch { throw LampTrouble(error) }
  }

  func blink(onMilliseconds: Int64, offMilliseconds: Int64) throws(LampTrouble) -> Bool { false }
}

extension LampTrouble {
  fileprivate init(_ error: GPIOError) {
    self.init(code: error.code.rawValue, message: error.message)
  }
}

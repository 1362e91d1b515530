import Loop
import Ports

/// Tells news to whoever listens; nobody does before a source starts and after it stops.
@LoopActor
final class BlueZNews {
  private var observer: (@LoopActor (BluetoothNews) -> Void)?

  /// Nobody listens.
  init() {}

  /// Whether anybody listens.
  var isHeard: Bool { observer != nil }

  /// Tells news to `observer` from now on.
  func begin(_ observer: @escaping @LoopActor (BluetoothNews) -> Void) { self.observer = observer }

  /// Tells nobody any more.
  func end() { observer = nil }

  func tell(_ news: BluetoothNews) { observer?(news) }
}

import Loop
import PluginProtocol

/// What sends text messages and tells of those that come, by whatever way it reaches its modem.
///
/// What it hears goes to ``ModemHandlers``.
@LoopActor
protocol MessageModem: AnyObject {
  /// Whether messages can be sent now.
  var isReady: Bool { get }
  /// Whether messages to the emergency services can be tried now.
  var isReadyForEmergency: Bool { get }
  /// How it is, for people.
  var health: PluginHealth { get }

  func start()
  func stop()

  /// Sends a message, asking for reports of delivery unless it is for the emergency services.
  ///
  /// - Parameters:
  ///   - onPart: called for each part that the network has taken, with its reference and how many parts there are.
  ///   - completion: called once.
  func send(
    _ entry: Outbox.Entry, onPart: @escaping @LoopActor (_ reference: UInt8, _ total: Int) -> Void,
    completion: @escaping @LoopActor (SendResult) -> Void)
}

extension ATModem: MessageModem {}

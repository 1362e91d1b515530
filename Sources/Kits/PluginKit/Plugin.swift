public import JSON
public import Loop
public import PluginProtocol

/// What a plugin does; ``PluginMain`` runs it over standard input and output.
///
/// Every function is called on the event loop and must return at once: whatever waits for the world waits in a callback.
@LoopActor
public protocol Plugin: AnyObject {
  /// How well the plugin does now; asked every minute, and by ``HostLink/healthChanged()``.
  var health: PluginHealth { get }

  /// Takes the settings and gets to work; called once, before everything else.
  ///
  /// - Returns: how much the plugin takes at a time in one lane.
  /// - Throws: an error whose message tells the owner what to change; the plugin is not started again before that.
  func initialize(_ request: InitializeRequest) throws(RPCError) -> DeliveryCredits

  /// Takes a batch and calls `reply` once, within 60 s, with one outcome for each of its events.
  ///
  /// At most one batch of a lane is outstanding; batches of other lanes come meanwhile. The order of events within a
  /// lane is the order to deliver in.
  func deliver(_ batch: ReceivedBatch, reply: @escaping @LoopActor (BatchOutcomes) -> Void)

  /// Answers a request for a service that the manifest offers (`service.<name>` as its bare name, or `alarm.notify`).
  func serve(
    _ service: String, _ params: JSONValue,
    reply: @escaping @LoopActor (Result<JSONValue, RPCError>) -> Void)

  /// Takes what the host says by itself, such as `watched`.
  func notified(_ method: String, _ params: JSONValue)

  /// Finishes and calls `completion` within 5 s; the process ends after that.
  func shutdown(completion: @escaping @LoopActor () -> Void)
}

extension Plugin {
  /// Refuses every service.
  public func serve(
    _ service: String, _ params: JSONValue,
    reply: @escaping @LoopActor (Result<JSONValue, RPCError>) -> Void
  ) {
    reply(.failure(.methodNotFound(service)))
  }

  /// Writes down that nobody listens to it.
  public func notified(_ method: String, _ params: JSONValue) {
    PluginLog.write(.debug, "the host notified \(method)")
  }

  /// Has nothing to finish.
  public func shutdown(completion: @escaping @LoopActor () -> Void) { completion() }
}

import CMosquitto
import Glibc
import Loop
import PluginKit
import PluginProtocol

/// One client of libmosquitto for one connection, made anew for the next.
///
/// A new client starts with an empty queue: what was not acknowledged is published again by ``DeliveryPump`` and by
/// nobody else. The session at the broker goes on, because it hangs on the client's id.
///
/// While a connection is being made the client belongs to the connecting thread, afterwards to the loop.
final class MosquittoHandle: @unchecked Sendable {
  /// libmosquitto's client.
  let client: OpaquePointer
  /// What libmosquitto and OpenSSL said.
  let notes = ConnectionNotes()
  /// Whom to call; nil once given up.
  @LoopActor weak var owner: BrokerClient?

  private static let isLibraryReady = mosquitto_lib_init() == MOSQ_ERR_SUCCESS.code

  /// A client that is not connected.
  ///
  /// - Throws: ``BrokerFault`` when a file for TLS cannot be used.
  init(_ settings: MQTTSettings) throws(BrokerFault) {
    guard Self.isLibraryReady, let client = mosquitto_new(settings.clientID, false, nil) else {
      throw BrokerFault(
        code: "client-id",
        detail: gettext("libmosquitto does not take the clientID; configure another"))
    }
    self.client = client
    mosquitto_user_data_set(client, Unmanaged.passUnretained(self).toOpaque())
    setOptions(settings)
    Self.setCallbacks(client)
    if let tls = settings.tls { try set(tls) }
  }

  deinit { mosquitto_destroy(client) }

  private func setOptions(_ settings: MQTTSettings) {
    _ = mosquitto_int_option(client, MOSQ_OPT_PROTOCOL_VERSION, MQTT_PROTOCOL_V311)
    _ = mosquitto_int_option(client, MOSQ_OPT_TCP_NODELAY, 1)
    _ = mosquitto_max_inflight_messages_set(client, 0)
    _ = mosquitto_username_pw_set(client, settings.username, settings.password)
    _ = "offline".withCString {
      mosquitto_will_set(client, settings.topics.status, 7, $0, 1, true)
    }
  }

  private func set(_ tls: MQTTSettings.TLS) throws(BrokerFault) {
    for file in [tls.caFile, tls.certificateFile, tls.keyFile].compactMap({ $0 })
    where access(file, R_OK) != 0 {
      let reason = String(cString: strerror(errno))
      throw BrokerFault(
        code: "file",
        detail:
          gettext(
            "the plugin cannot read {file} ({reason}); check the path and the plugin's readPaths",
            ["file": file, "reason": reason]))
    }
    let result = mosquitto_tls_set(
      client, tls.caFile, tls.caFile == nil ? "/etc/ssl/certs" : nil, tls.certificateFile,
      tls.keyFile, { _, _, _, _ in 0 })
    guard result == MOSQ_ERR_SUCCESS.code,
      mosquitto_tls_opts_set(client, 1, nil, nil) == MOSQ_ERR_SUCCESS.code
    else {
      throw BrokerFault(
        code: "file",
        detail: gettext("the files of tls cannot be used; check that each is a PEM file"))
    }
  }

  // MARK: Callbacks, which libmosquitto makes inside calls on the loop; only notes come from the connecting thread

  private static func of(_ object: UnsafeMutableRawPointer?) -> MosquittoHandle? {
    object.map { Unmanaged<MosquittoHandle>.fromOpaque($0).takeUnretainedValue() }
  }

  private static func setCallbacks(_ client: OpaquePointer) {
    mosquitto_log_callback_set(client) { client, object, level, text in
      guard level == MOSQ_LOG_ERR, let client, let text else { return }
      MosquittoHandle.of(object)?.notes.add(String(cString: text), client: client)
    }
    mosquitto_connect_with_flags_callback_set(client) { _, object, code, flags in
      guard let handle = MosquittoHandle.of(object) else { return }
      LoopActor.assumeIsolated {
        handle.owner?.greeted(returnCode: code, hasSession: flags & 1 != 0)
      }
    }
    mosquitto_publish_callback_set(client) { _, object, message in
      guard let handle = MosquittoHandle.of(object) else { return }
      LoopActor.assumeIsolated { handle.owner?.acknowledged(message) }
    }
    mosquitto_message_callback_set(client) { _, object, message in
      guard let handle = MosquittoHandle.of(object), let message = message?.pointee,
        let topic = message.topic
      else { return }
      let payload = UnsafeRawBufferPointer(
        start: message.payload, count: max(0, Int(message.payloadlen)))
      let received = BrokerClient.Message(
        topic: String(cString: topic), payload: Array(payload), isRetained: message.retain)
      let quality = message.qos
      LoopActor.assumeIsolated { handle.owner?.received(received, qualityOfService: quality) }
    }
  }

  // MARK: Connecting, on a thread of its own

  /// Resolves the name and connects on a thread of its own, which may block as long as the network wants.
  ///
  /// - Parameter completion: called on the loop with libmosquitto's result and `errno`.
  func connect(
    _ settings: MQTTSettings,
    completion: @escaping @LoopActor @Sendable (_ result: Int32, _ errorNumber: Int32) -> Void
  ) {
    let isStarted = SystemThread.start(name: "homeward-broker") { [self] in
      let result = mosquitto_connect(
        client, settings.host, settings.port, settings.keepAliveSeconds)
      let errorNumber = errno
      EventLoop.current.post { completion(result, errorNumber) }
    }
    if !isStarted { EventLoop.current.post { completion(MOSQ_ERR_ERRNO.code, EAGAIN) } }
  }
}

import CareModel
import EventLoop
import PluginKit
import PluginProtocol
import RoomTopics

/// Carries events to an MQTT broker and brings granted commands back.
@LoopActor
final class MQTTPlugin: Plugin {
  /// How much is taken at a time: large enough to keep a broker busy, small enough to come twice after a crash.
  static let credits = DeliveryCredits(events: 1000, bytes: 524_288)

  private let link: HostLink
  private var parts: Parts?
  private var fault: BrokerFault?
  private var identifiers = IdentifierGenerator(seed: .random(in: .min ... .max))

  /// What exists once the settings are known.
  private struct Parts {
    let settings: MQTTSettings
    let client: BrokerClient
    let pump: DeliveryPump
    let gate: CommandGate
    let presses: PressGate
    let routine: RoutineGate
    let rooms: RoomFeed
    let announcer: RoomAnnouncer?
    let discovery: HomeAssistantDiscovery?
    let stateFile: StateFile
    var board: StateBoard
    var keptBoard: [UInt8]
    var publishedDiscovery: [String: String] = [:]
  }

  init(link: HostLink) { self.link = link }

  var health: PluginHealth {
    if parts?.client.isConnected == true { return PluginHealth(state: .working) }
    if let fault { return fault.health }
    return PluginHealth(
      state: .degraded, code: "connecting",
      detail: gettext(
        "connecting to {broker}", ["broker": parts?.client.address ?? gettext("the broker")]))
  }

  // MARK: From the host

  func initialize(_ request: InitializeRequest) throws(RPCError) -> DeliveryCredits {
    let settings = try MQTTSettings(json: request.settings, gateway: request.gateway)
    warnOfMissingGrants(settings, grants: request.grants)
    let client = BrokerClient(settings: settings, handlers: handlers)
    let pump = DeliveryPump(settings: settings, client: client) { [weak self] batch in
      self?.show(batch)
    }
    let gate = CommandGate(settings: settings)
    let presses = PressGate(settings: settings)
    let routine = RoutineGate(settings: settings)
    let stateFile = StateFile(directory: request.stateDirectory, name: "board.json") { _ in
      PluginLog.write(
        .warning, "the state directory cannot be written; names and alarms shown may be lost")
    }
    let kept = stateFile.read() ?? []
    let discovery = settings.discoveryPrefix.map {
      HomeAssistantDiscovery(
        prefix: $0, gateway: request.gateway, topics: settings.topics,
        hasLocateButton: gate.allowsPresses, hasSiren: presses.allowsSilence,
        hasHelpButton: presses.allowsSOS, allowsAnswers: routine.allowsAnswers,
        allowsSwitches: routine.allowsSwitches, allowsMessages: routine.allowsMessages,
        guardians: settings.guardians,
        version: request.hostVersion)
    }
    parts = Parts(
      settings: settings, client: client, pump: pump, gate: gate, presses: presses,
      routine: routine, rooms: roomFeed(settings, grants: request.grants),
      announcer: settings.rooms.publishedRoom.map { RoomAnnouncer(room: $0) },
      discovery: discovery,
      stateFile: stateFile,
      board: StateBoard(
        json: (try? JSONValue(parsing: kept)) ?? .object([]), topics: settings.topics),
      keptBoard: kept)
    client.start()
    return Self.credits
  }

  private func roomFeed(_ settings: MQTTSettings, grants: [String]) -> RoomFeed {
    var rooms = settings.rooms
    for grant in RoomMessage.kinds.map({ "observe:\($0)" })
    where !settings.rooms.listen.isEmpty && !grants.contains(grant) {
      PluginLog.write(
        .warning, "rooms are not listened to, because the plugin lacks the grant \(grant)")
      rooms.listen = []
    }
    return RoomFeed(rooms) { [weak self] message, completion in
      self?.link.observe(message.json, completion: completion)
    }
  }

  private func warnOfMissingGrants(_ settings: MQTTSettings, grants: [String]) {
    for action in Set(settings.commands.flatMap(\.actions)).sorted()
    where !grants.contains("command:\(action)") {
      PluginLog.write(
        .warning, "commands allow \(action), but the plugin lacks the grant command:\(action)")
    }
    if !settings.guardians.isEmpty, !grants.contains("command:alarm.acknowledge") {
      PluginLog.write(
        .warning, "guardians are set, but the plugin lacks the grant command:alarm.acknowledge")
    }
  }

  func deliver(_ batch: ReceivedBatch, reply: @escaping @LoopActor (BatchOutcomes) -> Void) {
    parts?.pump.deliver(batch, reply: reply)
  }

  func shutdown(completion: @escaping @LoopActor () -> Void) {
    guard let parts else { return completion() }
    parts.rooms.disconnected()
    parts.pump.handBack(reason: gettext("the gateway stops the plugin"))
    parts.client.stop {
      parts.stateFile.finish(withinMilliseconds: 1000, completion: completion)
    }
  }

  // MARK: From the broker

  private var handlers: BrokerClient.Handlers {
    BrokerClient.Handlers(
      onConnected: { [weak self] in self?.connected() },
      onLost: { [weak self] in self?.lost($0) },
      onAcknowledged: { [weak self] in self?.parts?.pump.acknowledged($0) },
      onMessage: { [weak self] in self?.received($0) },
      onRoundEnd: { [weak self] in self?.parts?.pump.pump() })
  }

  private func connected() {
    guard let parts else { return }
    PluginLog.write(.info, "connected to \(parts.client.address)")
    fault = nil
    parts.client.publish(topic: parts.settings.topics.status, text: "online", isRetained: true)
    var topics =
      parts.gate.subscriptions + parts.presses.subscriptions + parts.routine.subscriptions
    if parts.settings.acceptance == .application {
      topics.append(parts.settings.topics.acknowledgements)
    }
    if let discovery = parts.discovery { topics.append(discovery.birthTopic) }
    for topic in topics { parts.client.subscribe(topic) }
    for topic in parts.rooms.formerSubscriptions { parts.client.unsubscribe(topic) }
    for topic in parts.rooms.subscriptions {
      parts.client.subscribe(topic, qualityOfService: 0)
    }
    self.parts?.board.forgetPublished()
    self.parts?.publishedDiscovery = [:]
    publishChanges()
    link.healthChanged()
  }

  private func lost(_ fault: BrokerFault) {
    if self.fault?.code != fault.code { PluginLog.write(.warning, fault.detail) }
    self.fault = fault
    parts?.pump.connectionLost()
    parts?.rooms.disconnected()
    link.healthChanged()
  }

  private func received(_ message: BrokerClient.Message) {
    guard let parts else { return }
    if parts.rooms.take(message) { return }
    if message.topic == parts.settings.topics.acknowledgements,
      parts.settings.acceptance == .application
    {
      return takeAcknowledgement(message)
    }
    if let discovery = parts.discovery, message.topic == discovery.birthTopic {
      if message.payload.elementsEqual("online".utf8) {
        self.parts?.publishedDiscovery = [:]
        publishChanges()
      }
      return
    }
    carryOut(message, parts)
  }

  private func takeAcknowledgement(_ message: BrokerClient.Message) {
    guard !message.isRetained, let content = try? JSONValue(parsing: message.payload),
      let ids = content["ids"]?.arrayContent ?? content.arrayContent
    else {
      return PluginLog.write(
        .warning, "ignored an acknowledgement: it must be {\"ids\": […]} and not retained")
    }
    parts?.pump.acknowledged(ids: ids.compactMap(\.stringContent))
  }

  private func carryOut(_ message: BrokerClient.Message, _ parts: Parts) {
    let now = WallClock.now
    let press =
      parts.presses.decide(
        message, now: now, openAlarms: parts.board.alarmsToAttend,
        freshID: { identifiers.next(at: now) })
      ?? parts.routine.decide(message, now: now, freshID: { identifiers.next(at: now) })
    let decision =
      press ?? parts.gate.decide(message, now: now, freshID: { identifiers.next(at: now) })
    switch decision {
    case .unknownTopic:
      PluginLog.write(.warning, "ignored a message on \(message.topic), which nobody was granted")
      parts.client.unsubscribe(message.topic)
    case .ignore(let reason, let id, let replyTopic):
      PluginLog.write(.warning, "ignored a command on \(message.topic): \(reason)")
      guard let id, let replyTopic else { return }
      let error = RPCError(code: RPCError.refusedCode, message: reason)
      reply(.failure(error), to: id, on: replyTopic)
    case .forward(let params, let id, let replyTopic):
      link.command(params) { [weak self] result in
        if case .failure(let error) = result {
          PluginLog.write(
            .warning, "the gateway did not do a command of \(message.topic): \(error.message)")
        }
        if let replyTopic { self?.reply(result, to: id, on: replyTopic) }
      }
    }
  }

  private func reply(_ result: Result<JSONValue, RPCError>, to id: String, on topic: String) {
    let content: JSONValue =
      switch result {
      case .success(let answer): ["id": .string(id), "result": answer["result"] ?? answer]
      case .failure(let error): ["id": .string(id), "error": error.json]
      }
    parts?.client.publish(topic: topic, text: content.serialized)
  }

  // MARK: State topics

  private func show(_ batch: ReceivedBatch) {
    let bodies = (0..<batch.count).lazy.compactMap { batch.body($0) }
    parts?.board.take(bodies)
    publishChanges()
    announce(bodies)
  }

  private func announce(_ bodies: some Sequence<ArraySlice<UInt8>>) {
    guard let parts, let announcer = parts.announcer else { return }
    for told in announcer.publications(for: bodies, on: parts.board, now: WallClock.now) {
      _ = parts.client.publish(topic: told.topic, payload: told.payload)
    }
    parts.client.updateInterest()
  }

  private func publishChanges() {
    guard let parts, parts.client.isConnected else { return }
    if let discovery = parts.discovery {
      publish(discovery.payload(for: parts.board), on: discovery.topic)
      for state in parts.board.residents.values.sorted(by: { $0.id < $1.id }) {
        publish(discovery.routinePayload(for: state), on: discovery.routineTopic(state.id))
      }
      for resident in parts.board.erased.sorted() {
        publish(nil, on: discovery.routineTopic(resident))
      }
      publishTags(parts.board, discovery)
    }
    for change in self.parts?.board.takeChanges() ?? [] {
      parts.client.publish(topic: change.topic, text: change.payload, isRetained: true)
    }
    keepBoard()
  }

  private func publishTags(_ board: StateBoard, _ discovery: HomeAssistantDiscovery) {
    for state in board.residents.values.sorted(by: { $0.id < $1.id }) {
      for tag in state.tags.sorted {
        publish(discovery.tagPayload(for: tag, of: state), on: discovery.tagTopic(state.id, tag.id))
      }
      for tag in state.tags.removed.keys.sorted() {
        remove(discovery.tagTopic(state.id, tag))
      }
    }
    for resident in board.erased.sorted() {
      for tag in board.erasedTags[resident] ?? [] { remove(discovery.tagTopic(resident, tag)) }
    }
  }

  /// Removes a device once on each connection: the broker may have kept its message while nobody was connected.
  private func remove(_ topic: String) {
    guard let parts, parts.publishedDiscovery[topic] != "" else { return }
    self.parts?.publishedDiscovery[topic] = ""
    parts.client.publish(topic: topic, text: "", isRetained: true)
  }

  /// Publishes a discovery message where it changed; nothing removes its device.
  private func publish(_ payload: JSONValue?, on topic: String) {
    guard let parts else { return }
    let text = payload?.serialized ?? ""
    guard parts.publishedDiscovery[topic] ?? (payload == nil ? "" : nil) != text else { return }
    self.parts?.publishedDiscovery[topic] = text
    parts.client.publish(topic: topic, text: text, isRetained: true)
  }

  private func keepBoard() {
    guard let parts else { return }
    let bytes = parts.board.json.serializedBytes
    guard bytes != parts.keptBoard else { return }
    self.parts?.keptBoard = bytes
    parts.stateFile.replace(with: bytes)
  }
}

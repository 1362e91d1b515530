import Care
import JSON
import Loop
import MQTTTopics
import Moments
import PluginKit
import PluginProtocol

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
    let discovery: HomeAssistantDiscovery
    let stateFile: StateFile
    var board: StateBoard
    var keptBoard: [UInt8]
    var book: DiscoveryBook
    /// What the broker keeps, while it is looked through.
    var sweep: RetainedSweep?

    var frame: DiscoveryBook.Frame { discovery.frame(settings.discovery) }
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
    let stored = (try? JSONValue(parsing: kept)) ?? .object([])
    let discovery = HomeAssistantDiscovery(
      prefix: settings.discoveryPrefix, gateway: request.gateway, topics: settings.topics,
      hasLocateButton: gate.allowsPresses, hasSiren: presses.allowsSilence,
      hasHelpButton: presses.allowsSOS, allowsAnswers: routine.allowsAnswers,
      allowsMessages: routine.allowsMessages, guardians: settings.guardians,
      routineItems: settings.routineItems, showsCalendarItems: settings.showsCalendarItems,
      version: request.hostVersion)
    parts = Parts(
      settings: settings, client: client, pump: pump, gate: gate, presses: presses,
      routine: routine, rooms: roomFeed(settings, grants: request.grants),
      announcer: settings.rooms.publishedRoom.map { RoomAnnouncer(room: $0) },
      discovery: discovery, stateFile: stateFile,
      board: StateBoard(json: stored, topics: settings.topics), keptBoard: kept,
      book: DiscoveryBook(storage: stored["discovery"] ?? .null))
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
    if parts.settings.discovery != .off { topics.append(parts.discovery.birthTopic) }
    for topic in topics { parts.client.subscribe(topic) }
    for topic in parts.rooms.formerSubscriptions { parts.client.unsubscribe(topic) }
    for topic in parts.rooms.subscriptions {
      parts.client.subscribe(topic, qualityOfService: 0)
    }
    let frame = parts.settings.discovery == .off ? nil : parts.frame
    let sweep = RetainedSweep(topics: parts.settings.topics, frame: frame)
    for topic in sweep.subscriptions { parts.client.subscribe(topic) }
    self.parts?.sweep = sweep
    self.parts?.board.forgetPublished()
    self.parts?.book.forgetPublished()
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
    if self.parts?.sweep?.take(message) == true { return sweepOn() }
    // What was on its way when the look at the broker ended.
    if RetainedSweep(topics: parts.settings.topics, frame: parts.frame).isSubscribed(to: message) {
      return
    }
    if parts.rooms.take(message) { return }
    if message.topic == parts.settings.topics.acknowledgements,
      parts.settings.acceptance == .application
    {
      return takeAcknowledgement(message)
    }
    if message.topic == parts.discovery.birthTopic {
      if message.payload.elementsEqual("online".utf8) {
        self.parts?.book.forgetPublished()
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
    let arrival = Arrival.now
    let press =
      parts.presses.decide(
        message, at: arrival, openAlarms: parts.board.alarmsToAttend,
        known: parts.board.guardians.keys.sorted(), freshID: { identifiers.next(at: arrival.now) })
      ?? parts.routine.decide(
        message, at: arrival, freshID: { identifiers.next(at: arrival.now) })
    let decision =
      press
      ?? parts.gate.decide(message, at: arrival, freshID: { identifiers.next(at: arrival.now) })
    switch decision {
    case .unknownTopic:
      PluginLog.write(.warning, "ignored a message on a topic that nobody was granted")
      parts.client.unsubscribe(message.topic)
    case .ignore(let reason, let id, let replyTopic):
      PluginLog.write(.warning, "ignored a command: \(reason)")
      if press != nil { showAnswer(.failure(RPCError(code: 0, message: reason)), to: message) }
      guard let id, let replyTopic else { return }
      let error = RPCError(code: RPCError.refusedCode, message: reason)
      reply(.failure(error), to: id, on: replyTopic)
    case .forward(let params, let id, let replyTopic):
      link.command(params) { [weak self] result in
        if case .failure(let error) = result {
          PluginLog.write(
            .warning, "the gateway did not do a command: \(error.logWords)")
        }
        if let replyTopic {
          self?.reply(result, to: id, on: replyTopic)
        } else {
          self?.showAnswer(result, to: message)
        }
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

  /// Tells what became of a press; who pressed is at a screen and reads no log.
  private func showAnswer(
    _ result: Result<JSONValue, RPCError>, to message: BrokerClient.Message
  ) {
    guard let parts else { return }
    let (state, words) =
      switch result {
      case .success: ("done", "")
      case .failure(let error): ("refused", error.message)
      }
    let content: JSONValue = [
      "state": .string(state), "message": .string(words), "topic": .string(message.topic),
      "time": .string(WallClock.now.iso8601),
    ]
    parts.client.publish(topic: parts.settings.topics.lastAnswer, text: content.serialized)
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
    let devices = parts.discovery.devices(for: parts.board)
    for message in self.parts?.book.publications(devices, in: parts.frame) ?? [] {
      parts.client.publish(topic: message.topic, text: message.payload, isRetained: true)
    }
    for change in self.parts?.board.takeChanges() ?? [] {
      if let farewell = change.farewell {
        parts.client.publish(topic: change.topic, text: farewell)
      }
      parts.client.publish(topic: change.topic, text: change.payload, isRetained: true)
    }
    keepBoard()
    sweepOn()
  }

  /// Ends the look at what the broker keeps when all of it has come and the gateway has told all residents.
  private func sweepOn() {
    guard let parts, let sweep = parts.sweep, sweep.isOver, parts.board.knowsResidents else {
      return
    }
    self.parts?.sweep = nil
    for topic in sweep.subscriptions { parts.client.unsubscribe(topic) }
    self.parts?.board.empty(sweep.strangers(among: parts.board.residents.keys))
    let devices = parts.discovery.devices(for: parts.board)
    for (topic, found) in sweep.discoveries.sorted(by: { $0.key < $1.key })
    where parts.discovery.isOurs(found.object, devices: devices, on: parts.board) {
      self.parts?.book.learn(topic: topic, components: found.components)
    }
    publishChanges()
  }

  private func keepBoard() {
    guard let parts else { return }
    let bytes = parts.board.json.setting("discovery", to: parts.book.storage).serializedBytes
    guard bytes != parts.keptBoard else { return }
    self.parts?.keptBoard = bytes
    parts.stateFile.replace(with: bytes)
  }
}

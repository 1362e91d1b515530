import Bytes
import Care
import Glibc
import JSON
import Loop
import Moments
import PluginKit
import PluginProtocol
import ShortMessage

/// Tells guardians by text message, and brings their answers back.
@LoopActor
final class SMSModemPlugin: Plugin {
  let link: HostLink
  var settings: SMSModemSettings?
  var modem: ModemSwitch?
  var desk: CallDesk?
  private var maySpeak = false
  private var stateFile: StateFile?
  var state = ModemState()
  /// How long an answer is one of just now.
  static let answerMilliseconds: Int64 = 600_000
  private var steadyTime: SteadyTime?
  private var networkTime = NetworkTime()
  var busy: Outbox.Entry?
  private var ignored = 0
  private var timer: LoopTimer?

  init(link: HostLink) {
    self.link = link
    timer = LoopTimer { [weak self] in self?.work() }
  }

  var health: PluginHealth {
    guard let modem else { return PluginHealth(state: .degraded, code: "starting") }
    var health = modem.health
    if ignored > 0 {
      health.detail += gettext(" ({ignored} messages from strangers ignored)", ["ignored": ignored])
    }
    return health
  }

  // MARK: From the host

  func initialize(_ request: InitializeRequest) throws(RPCError) -> DeliveryCredits {
    let settings = try SMSModemSettings(json: request.settings)
    self.settings = settings
    if !request.grants.contains("observe:delivery") {
      PluginLog.write(
        .warning, "without the grant observe:delivery nobody hears what was delivered")
    }
    if !request.grants.contains("command:alarm.acknowledge") {
      PluginLog.write(
        .warning, "without the grant command:alarm.acknowledge a reply \"1\" stops nothing")
    }
    let file = StateFile(directory: request.stateDirectory, name: "modem.json") { _ in
      PluginLog.write(
        .warning, "the state directory cannot be written; a restart forgets what was sent")
    }
    stateFile = file
    let kept = (try? JSONValue(parsing: file.read() ?? [])) ?? .object([])
    state = ModemState(json: kept, now: WallClock.now, tick: EventLoop.now)
    steadyTime = SteadyTime(now: WallClock.now, notBefore: state.newestTime, at: EventLoop.now)
    let modem = ModemSwitch(settings: settings, handlers: handlers)
    self.modem = modem
    maySpeak = request.grants.contains("service:speech")
    desk = CallDesk(link: link, settings: settings.voice, modem: modem, handlers: deskHandlers)
    // Once the host has its answer: it hears of no health before.
    EventLoop.current.post { modem.start() }
    return DeliveryCredits()
  }

  func deliver(_ batch: ReceivedBatch, reply: @escaping @LoopActor (BatchOutcomes) -> Void) {
    // The manifest asks for no events.
    reply(.all(.accepted, count: batch.count))
  }

  func serve(
    _ service: String, _ params: JSONValue,
    reply: @escaping @LoopActor (Result<JSONValue, RPCError>) -> Void
  ) {
    do throws(DecodeError) {
      switch service {
      case PluginMethod.notify:
        reply(.success(take(Dispatch(try AlarmMessage(json: params))).json))
      case "emergency": reply(.success(takeEmergency(try Dispatch(emergency: params)).json))
      default: reply(.failure(.methodNotFound(service)))
      }
    } catch { reply(.failure(.invalidParameters(error))) }
  }

  func shutdown(completion: @escaping @LoopActor () -> Void) {
    save()
    desk?.stop()
    modem?.stop()
    guard let stateFile else { return completion() }
    stateFile.finish(withinMilliseconds: 2000, completion: completion)
  }

  // MARK: Out

  private func take(_ dispatch: Dispatch) -> NotifyAnswer {
    if let reason = refusal(of: dispatch) { return .failed(reason) }
    guard PhoneAddress(number: dispatch.number)?.kind == .international else {
      return .failed(gettext("the number must begin with + and the country, such as +4791234567"))
    }
    return admit(dispatch)
  }

  private func takeEmergency(_ dispatch: Dispatch) -> NotifyAnswer {
    guard settings?.allowsEmergency == true else {
      return .failed(
        gettext("messages to the emergency services are switched off in the plugin's settings"))
    }
    if let reason = refusal(of: dispatch) {
      return .failed(
        gettext("{reason}; let a person call the emergency services", ["reason": reason]))
    }
    guard (2...4).contains(dispatch.number.utf8.count),
      PhoneAddress(number: dispatch.number)?.kind == .local
    else { return .failed(gettext("an emergency number has 2 through 4 digits, such as 112")) }
    return admit(dispatch)
  }

  /// Why a channel cannot be served, whoever it is for.
  private func refusal(of dispatch: Dispatch) -> String? {
    switch dispatch.key.channel {
    case .sms: return nil
    case .voice:
      guard maySpeak else {
        return gettext("calls need the grant service:speech, to speak the alarm")
      }
      return desk?.refusal(isEmergency: dispatch.isEmergency)
    case .email, .push: return gettext("this plugin sends text messages and calls only")
    }
  }

  private func admit(_ dispatch: Dispatch) -> NotifyAnswer {
    let now = WallClock.now
    switch state.outbox.add(dispatch, takenAt: now, at: EventLoop.now) {
    case .known: return .taken
    case .full: return .failed(gettext("{most} messages wait already", ["most": Outbox.capacity]))
    case .taken:
      for entry in state.outbox.removeOutdated(by: dispatch) {
        tell(
          entry.dispatch, .failed, gettext("not sent: somebody took charge or it was over before"))
      }
      state.told.note(dispatch, at: ownTime)
      save()
      work()
      return .taken
    }
  }

  /// Sends what can be sent, and gives up what waited too long.
  func work() {
    guard let modem else { return }
    let now = EventLoop.now
    for entry in state.outbox.giveUp(at: now) {
      let reason = entry.lastReason.isEmpty ? modem.health.detail : entry.lastReason
      tell(entry.dispatch, .failed, reason)
      save()
    }
    if busy == nil, modem.isReady || modem.isReadyForEmergency,
      let entry = state.outbox.next(.sms, at: now, emergencyOnly: !modem.isReady)
    {
      send(entry, modem)
    }
    callSomebody(modem, at: now)
    if let next = state.outbox.nextDeadline(at: now) { timer?.set(at: next) }
  }

  private func send(_ entry: Outbox.Entry, _ modem: any MessageModem) {
    busy = entry
    modem.send(
      entry,
      onPart: { [weak self] reference, total in
        guard entry.dispatch.isAskedFor else { return }
        self?.state.ledger.note(
          reference, of: entry.dispatch, total: total, at: self?.ownTime ?? WallClock.now)
        self?.save()
      },
      completion: { [weak self] in self?.ended(entry, $0) })
  }

  private func ended(_ entry: Outbox.Entry, _ result: SendResult) {
    busy = nil
    switch result {
    case .sent: tell(entry.dispatch, .sent)
    case .refused(let reason) where desk?.isFree == false:
      // Some modems send nothing while they call.
      state.outbox.putBack(
        entry, because: reason, notBefore: EventLoop.now.advanced(byMilliseconds: 5000))
    case .refused(let reason):
      if !state.outbox.putBack(entry, because: reason, at: EventLoop.now) {
        tell(entry.dispatch, .failed, reason)
      }
    case .modemFailed(let reason): state.outbox.putBackUntried(entry, because: reason)
    }
    save()
    work()
  }

  func tell(
    _ dispatch: Dispatch, _ outcome: DeliveryReport.Outcome, _ detail: String = ""
  ) {
    if dispatch.isAskedFor { link.report(dispatch.notice(outcome, detail)) }
  }

  func save() {
    let open = [busy, desk?.current].compactMap { $0 }
    stateFile?.replace(with: state.json(busy: open).serializedBytes)
  }

  /// The time by which it is remembered who was told of what, and when.
  private var ownTime: Timestamp { steadyTime?.time(at: EventLoop.now) ?? WallClock.now }

  // MARK: From the modem

  private var handlers: ModemHandlers {
    ModemHandlers(
      onChange: { [weak self] in
        self?.link.healthChanged()
        self?.work()
      },
      onReport: { [weak self] in self?.reported($0, $1, $2) },
      onReceived: { [weak self] in self?.received($0, $1) },
      onNetworkTime: { [weak self] in self?.networkTime.note($0) },
      onCallNews: { [weak self] in self?.desk?.heard($0) },
      onNeedsRestart: { [weak self] in self?.restart(because: $0) },
      onPINTry: { [weak self] in self?.beforePIN($0) },
      onPINAccepted: { [weak self] in
        self?.state.spentPIN = nil
        self?.save()
      },
      isPINSpent: { [weak self] in
        guard let self, let pin = settings?.pin else { return true }
        return state.spentPIN == ModemState.fingerprint(pin)
      })
  }

  private func beforePIN(_ proceed: @escaping @LoopActor () -> Void) {
    state.spentPIN = settings?.pin.map(ModemState.fingerprint)
    save()
    guard let stateFile else { return }
    stateFile.finish(withinMilliseconds: 2000, completion: proceed)
  }

  private func restart(because reason: String) {
    PluginLog.write(.info, reason)
    shutdown { exit(0) }
  }

  private func reported(
    _ reference: UInt8, _ recipient: PhoneAddress, _ outcome: StatusReportFrame.Outcome
  ) {
    guard
      let notice = state.ledger.take(reference: reference, recipient: recipient, outcome: outcome)
    else { return }
    link.report(notice)
    save()
  }

  private func received(
    _ message: ReceivedText, _ isHandled: @escaping @LoopActor (Bool) -> Void
  ) {
    defer { message.sentAt.map { networkTime.note($0) } }
    guard let person = state.told.holder(of: message.sender, at: ownTime) else {
      ignored += 1
      PluginLog.write(.info, "a message from somebody who was told of nothing is ignored")
      return isHandled(true)
    }
    guard case .acknowledges(let tag) = Reply(message.text, tags: person.tags) else {
      PluginLog.write(.info, "a guardian wrote something that is no answer")
      explain(to: person, ReplyWords.explanation(person.language))
      return isHandled(true)
    }
    acknowledge(message, person, tag: tag, isHandled)
  }

  private func age(of sent: Timestamp) -> Int64 {
    networkTime.age(of: sent, at: WallClock.now, isClockKept: WallClock.isSynchronised)
  }

  private func acknowledge(
    _ message: ReceivedText, _ person: ToldNumbers.Person, tag: String?,
    _ isHandled: @escaping @LoopActor (Bool) -> Void
  ) {
    // The answer is of now as far as anything here can tell; the alarm that it may mean needs no wall clock.
    if let sent = message.sentAt, age(of: sent) > ReplyWords.oldMilliseconds {
      PluginLog.write(.warning, "a reply is too old to act on")
      explain(to: person, ReplyWords.tooOld(person.language))
      return isHandled(true)
    }
    let seed = "\(message.sentAt?.milliseconds ?? 0) \(message.sender) \(message.text)"
    // Who answers is the number that wrote. An answer without a tag means no alarm that came after it was written, as far
    // as the message centre's clock can tell.
    let age = (message.sentAt.map { self.age(of: $0) } ?? 0) - ReplyWords.clockDoubtMilliseconds
    let call = CommandCall(
      principal: person.number, id: CommandID("sms-\(ModemState.fingerprint(seed))"),
      freshUntil: EventLoop.now.advanced(byMilliseconds: Self.answerMilliseconds),
      sentTick: EventLoop.now.advanced(byMilliseconds: -max(0, age)),
      request: .alarm(.acknowledge(alarm: tag, by: nil)), language: person.language)
    link.command(call.json) { [weak self] result in
      guard case .failure(let error) = result else { return isHandled(true) }
      PluginLog.write(.warning, "the gateway did not take a reply: \(error.logWords)")
      guard error.code != RPCError.busyCode else { return isHandled(false) }
      self?.explain(to: person, ReplyWords.refused(person.language, error.message))
      isHandled(true)
    }
  }

  /// Answers somebody who was told, at most once an hour.
  private func explain(to person: ToldNumbers.Person, _ text: String) {
    guard state.told.mayExplain(to: person.number, at: ownTime) else { return }
    let now = WallClock.now
    let answer = Dispatch(answering: person, text: text, at: now)
    _ = state.outbox.add(answer, takenAt: now, at: EventLoop.now)
    save()
    work()
  }
}

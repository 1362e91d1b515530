import Care
import Loop
import Moments
import PluginKit
import PluginProtocol

extension SMSModemPlugin {
  /// Begins the next call: emergencies at once, others after the texts that can go now.
  func callSomebody(_ modem: ModemSwitch, at now: Tick) {
    guard let desk, modem.voice != .unknown, modem.isReady || modem.isReadyForEmergency else {
      return
    }
    let isEmergency = state.outbox.isWaiting(.voice, at: now, emergencyOnly: true)
    if isEmergency { desk.giveWay() }
    let textsFirst = busy != nil || state.outbox.isWaiting(.sms, at: now)
    guard desk.isFree, isEmergency || (modem.isReady && !textsFirst),
      let entry = state.outbox.next(.voice, at: now, emergencyOnly: isEmergency)
    else { return }
    desk.begin(entry)
    save()
  }

  var deskHandlers: CallDesk.Handlers {
    CallDesk.Handlers(
      tell: { [weak self] dispatch, outcome, detail in
        // Who pressed the key is not called for the same once more.
        if outcome == .delivered { self?.state.outbox.remove(dispatch.key) }
        self?.tell(dispatch, outcome, detail)
      },
      acknowledge: { [weak self] in self?.acknowledge($0, $1) },
      ended: { [weak self] in self?.callEnded($0, isPostponed: $1) })
  }

  private func callEnded(_ entry: Outbox.Entry, isPostponed: Bool) {
    if isPostponed {
      state.outbox.putBackUntried(entry, because: gettext("an emergency call went first"))
    }
    save()
    // Not from within the call that just ends.
    EventLoop.current.post { [weak self] in self?.work() }
  }

  private func acknowledge(
    _ dispatch: Dispatch, _ completion: @escaping @LoopActor (Bool) -> Void
  ) {
    let seed = "\(dispatch.key.event) \(dispatch.key.recipient) \(dispatch.attempt)"
    let call = CommandCall(
      principal: dispatch.number, id: CommandID("call-\(ModemState.fingerprint(seed))"),
      freshUntil: EventLoop.now.advanced(byMilliseconds: Self.answerMilliseconds),
      request: .alarm(.acknowledge(alarm: dispatch.tag.isEmpty ? nil : dispatch.tag, by: nil)))
    link.command(call.json) { result in
      if case .failure(let error) = result {
        PluginLog.write(.warning, "the gateway did not take a pressed key: \(error.logWords)")
      }
      completion((try? result.get()) != nil)
    }
  }
}

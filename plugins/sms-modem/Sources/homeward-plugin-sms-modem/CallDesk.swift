import Care
import JSON
import Loop
import Moments
import PluginKit
import PluginProtocol

/// Makes one call at a time: has the words spoken into files, opens the sound card, dials, and listens for the key.
@LoopActor
final class CallDesk {
  /// What the desk tells the plugin.
  struct Handlers {
    var tell: @LoopActor (Dispatch, DeliveryReport.Outcome, String) -> Void
    /// A guardian pressed the key; continues with whether the gateway took it.
    var acknowledge: @LoopActor (Dispatch, @escaping @LoopActor (Bool) -> Void) -> Void
    /// The call is over; true when it is to be made again.
    var ended: @LoopActor (Outbox.Entry, _ isPostponed: Bool) -> Void
  }

  /// How long the speech plugin may take for all sentences of a call.
  static let speechMilliseconds: Int64 = 25_000
  static let pollMilliseconds: Int64 = 1000
  /// How long after dialling the modem's list of calls may still be empty.
  static let listMilliseconds: Int64 = 4000
  /// What a guardian gets at least after everything was said once.
  static let thinkingMilliseconds: Int64 = 10_000

  private let link: HostLink
  private let settings: VoiceSettings
  private let modem: ModemVoice
  /// What the modem can by the way that is in use.
  private let voice: @LoopActor () -> VoiceAbility
  private let handlers: Handlers
  /// What is being called, from before the words are rendered until the line is free.
  private(set) var current: Outbox.Entry?
  private var call: VoiceCall?
  private var player: LinePlayer?
  private var clipMilliseconds: [Int64] = []
  private var speechDeadline: Tick?
  private var listedBy: Tick?
  private var isPolling = false
  /// Counts the calls, so that what belongs to an earlier one is dropped.
  private var number = 0
  private var timer: LoopTimer?
  private var pollTimer: LoopTimer?
  private var retryTimer: LoopTimer?
  private var retry: (@LoopActor () -> Void)?

  init(link: HostLink, settings: VoiceSettings, modem: ModemSwitch, handlers: Handlers) {
    self.link = link
    self.settings = settings
    self.modem = modem.port.voice
    voice = { [weak modem] in modem?.voice ?? .unknown }
    self.handlers = handlers
    timer = LoopTimer { [weak self] in self?.timeDue() }
    pollTimer = LoopTimer { [weak self] in self?.poll() }
    retryTimer = LoopTimer { [weak self] in self?.retry?() }
  }

  var isFree: Bool { current == nil }

  /// Why no call can be made, for people; nil when one can, or the modem is not known yet.
  func refusal(isEmergency: Bool) -> String? {
    guard settings.isOn else {
      return gettext("voice calls are switched off in the plugin's settings")
    }
    guard settings.playbackDevice != nil else {
      return gettext(
        "there is no sound device to the modem; set voice.playbackDevice to make calls")
    }
    switch voice() {
    case .unknown: return nil
    case .unable(let reason): return reason
    case .able(let hearsKeys):
      return hearsKeys || isEmergency
        ? nil
        : gettext(
          "this modem does not hear the keys that are pressed, and a mailbox would swallow the alarm"
        )
    }
  }

  // MARK: Before the call

  /// Calls; nothing when a call is under way.
  func begin(_ entry: Outbox.Entry) {
    guard isFree else { return }
    number += 1
    current = entry
    if let reason = refusal(isEmergency: entry.dispatch.isEmergency) { return abandon(reason) }
    speechDeadline = EventLoop.now.advanced(byMilliseconds: Self.speechMilliseconds)
    timer?.set(afterMilliseconds: Self.speechMilliseconds)
    render(words(of: entry.dispatch)[...], [], number)
  }

  private func words(of dispatch: Dispatch) -> [String] {
    let spoken = dispatch.spokenText.isEmpty ? dispatch.text : dispatch.spokenText
    guard !dispatch.isEmergency else { return [spoken] }
    let (language, asks) = (dispatch.language, dispatch.asksForAcknowledgement)
    return [
      spoken, CallWords.prompt(language, key: settings.acceptKey, acknowledges: asks),
      CallWords.thanks(language, acknowledges: asks), CallWords.sorry(language),
    ]
  }

  private func render(_ words: ArraySlice<String>, _ files: [String], _ number: Int) {
    guard number == self.number, let entry = current, call == nil else { return }
    guard let sentence = words.first else { return openLine(files) }
    let params: JSONValue = [
      "text": .string(sentence), "language": .string(CallWords.voice(entry.dispatch.language)),
    ]
    link.callService(ServiceCall(service: "speech", params: params)) { [weak self] result in
      guard let self, number == self.number, current != nil else { return }
      switch result {
      // The speech plugin is only starting, or has much to do; the deadline ends it.
      case .failure(let error) where error.code == RPCError.busyCode:
        retry = { [weak self] in self?.render(words, files, number) }
        retryTimer?.set(afterMilliseconds: Self.pollMilliseconds)
      case .failure(let error):
        abandon(gettext("the alarm cannot be spoken: {error}", ["error": error.message]))
      case .success(let answer):
        guard let path = answer["path"]?.stringContent else {
          return abandon(gettext("the alarm cannot be spoken: the speech plugin names no file"))
        }
        render(words.dropFirst(), files + [path], number)
      }
    }
  }

  private func openLine(_ files: [String]) {
    let number = number
    let player = LinePlayer(device: settings.playbackDevice ?? "default", files: files) {
      [weak self] in self?.heard($0, number)
    }
    guard player.start() else {
      return abandon(gettext("the system refuses a thread for the sound"))
    }
    self.player = player
  }

  private func abandon(_ reason: String) {
    guard let entry = current else { return }
    handlers.tell(entry.dispatch, .failed, reason)
    end(isPostponed: false)
  }

  // MARK: The call

  private func heard(_ event: LinePlayer.Event, _ number: Int) {
    guard number == self.number, current != nil else { return }
    switch event {
    case .ready(let milliseconds):
      clipMilliseconds = milliseconds
      if call == nil { dial() }
    case .played: take(.played)
    case .failed(let reason):
      if call == nil { abandon(reason) } else { take(.soundFailed(reason)) }
    }
  }

  private func dial() {
    guard let dispatch = current?.dispatch else { return }
    speechDeadline = nil
    timer?.cancel()
    let round = clipMilliseconds.prefix(2).reduce(0, +) + Self.thinkingMilliseconds
    call = VoiceCall(
      VoiceCall.Plan(
        isEmergency: dispatch.isEmergency, acknowledges: dispatch.asksForAcknowledgement,
        acceptKey: settings.acceptKey, ringMilliseconds: settings.ringMilliseconds,
        keyMilliseconds: max(settings.keyMilliseconds, round)))
    let number = number
    modem.dial(dispatch.number, patienceMilliseconds: settings.ringMilliseconds + 5000) {
      [weak self] result in
      guard let self, number == self.number else { return }
      switch result {
      case .dialled:
        listedBy = EventLoop.now.advanced(byMilliseconds: Self.listMilliseconds)
        take(.dialled)
        pollTimer?.set(afterMilliseconds: Self.pollMilliseconds / 2)
      case .refused(let reason): take(.refused(reason))
      case .modemFailed: take(.modemFailed)
      }
    }
  }

  /// What the modem says unasked.
  func heard(_ news: CallNews) {
    guard call != nil else {
      if news == .ringing { modem.hangUp() }
      return
    }
    switch news {
    case .key(let key): take(.key(key))
    case .busy: take(.ended(gettext("the line is busy")))
    case .unanswered: take(.ended(gettext("nobody answered")))
    case .changed: poll()
    // One who calls while we call hears the busy tone.
    case .ringing: break
    }
  }

  /// Lets a call to the emergency services go first, when nobody has answered this one.
  func giveWay() {
    if call == nil, let entry = current, !entry.dispatch.isEmergency { end(isPostponed: true) }
    if call?.mayGiveWay == true { take(.displaced) }
  }

  private func poll() {
    guard call != nil, listedBy != nil, !isPolling else { return }
    isPolling = true
    pollTimer?.set(afterMilliseconds: Self.pollMilliseconds)
    let number = number
    modem.askForCall { [weak self] state in
      guard let self, number == self.number else { return }
      isPolling = false
      guard let state else { return take(.modemFailed) }
      if state != .gone { listedBy = EventLoop.now }
      guard let listedBy, state != .gone || listedBy <= EventLoop.now else { return }
      take(.line(state))
    }
  }

  private func timeDue() {
    let now = EventLoop.now
    if let speechDeadline, speechDeadline <= now {
      return abandon(gettext("the alarm cannot be spoken: the speech plugin does not answer"))
    }
    if let actions = call?.tick(at: now) { perform(actions) }
  }

  private func take(_ input: VoiceCall.Input) {
    if let actions = call?.handle(input, at: EventLoop.now) { perform(actions) }
  }

  private func perform(_ actions: [VoiceCall.Action]) {
    guard let dispatch = current?.dispatch else { return }
    if let deadline = call?.nextDeadline { timer?.set(at: deadline) } else { timer?.cancel() }
    let number = number
    for action in actions where number == self.number {
      switch action {
      case .speak(let speech): player?.speak(Self.script(speech))
      case .hangUp: modem.hangUp()
      case .tell(let outcome, let detail): handlers.tell(dispatch, outcome, detail)
      case .acknowledge:
        handlers.acknowledge(dispatch) { [weak self] isTaken in
          guard let self, number == self.number else { return }
          take(.noted(isTaken))
        }
      case .finish(let isPostponed): end(isPostponed: isPostponed)
      }
    }
  }

  private static func script(_ speech: VoiceCall.Speech) -> LinePlayer.Script {
    let (breath, pause) = (
      LinePlayer.Item.pause(milliseconds: 700), LinePlayer.Item.pause(milliseconds: 400)
    )
    switch speech {
    case .alarm:
      return .init(items: [breath, .clip(0), pause, .clip(1), pause], isEndless: true)
    case .twice: return .init(items: [breath, .clip(0), breath, .clip(0)], isEndless: false)
    case .thanks: return .init(items: [pause, .clip(2), pause], isEndless: false)
    case .sorry: return .init(items: [pause, .clip(3), pause], isEndless: false)
    case .nothing: return .init(items: [], isEndless: false)
    }
  }

  private func end(isPostponed: Bool) {
    guard let entry = current else { return }
    number += 1
    player?.end()
    (current, call, player, speechDeadline, listedBy) = (nil, nil, nil, nil, nil)
    isPolling = false
    for timer in [timer, pollTimer, retryTimer] { timer?.cancel() }
    handlers.ended(entry, isPostponed)
  }

  /// Hangs up, for a plugin that ends.
  func stop() {
    if call != nil { modem.hangUp() }
    player?.end()
  }
}

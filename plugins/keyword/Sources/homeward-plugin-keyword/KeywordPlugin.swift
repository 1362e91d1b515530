import Bytes
import Care
import Glibc
import JSON
import Loop
import Moments
import PluginKit
import PluginProtocol

/// Raises an SOS when the phrase was said twice, and asks whether to show the way home when the other one was said.
@LoopActor
final class KeywordPlugin: Plugin {
  /// How long an SOS that the gateway does not take is tried again, in milliseconds.
  static let commandMilliseconds: Int64 = 60_000
  /// How long until the next try, in milliseconds.
  static let retryMilliseconds: Int64 = 1000

  /// What the gateway is asked for: to show somebody the way home, after a question.
  struct TakeHome: JSONCodable, Hashable {
    /// The id of the resident.
    var target: String

    init(target: String) { self.target = target }

    init(json: JSONValue) throws(DecodeError) {
      target = try JSONReader(json).string("target")
    }

    var json: JSONValue {
      [
        "action": "guidance.start", "target": .string(target), "to": ["home": true], "asks": true,
      ]
    }
  }

  /// An SOS that the gateway has not answered with yes.
  private struct Raise {
    var call: CommandCall
    var until: Tick
  }

  private let link: HostLink
  private var settings: KeywordSettings?
  private var listener: Listener?
  private var state = PluginHealth(
    state: .degraded, code: "starting", detail: gettext("the microphone is being opened"))
  private var refusal: String?
  private var raise: Raise?
  private var retryTimer: LoopTimer?
  private var identifiers = IdentifierGenerator(seed: .random(in: .min ... .max))

  init(link: HostLink) {
    self.link = link
    retryTimer = LoopTimer { [weak self] in self?.sendRaise() }
  }

  var health: PluginHealth {
    if settings?.isEnabled == false {
      return PluginHealth(
        state: .working, code: "off",
        detail: gettext("it does not listen; set enabled to true if wanted"))
    }
    guard let refusal else { return state }
    return PluginHealth(
      state: .failed, code: "refused",
      detail: gettext("the gateway did not take an SOS: {refusal}", ["refusal": refusal]))
  }

  // MARK: From the host

  func initialize(_ request: InitializeRequest) throws(RPCError) -> DeliveryCredits {
    let settings = try KeywordSettings(json: request.settings)
    self.settings = settings
    guard settings.isEnabled else { return DeliveryCredits() }
    guard request.grants.contains("command:sos.raise") else {
      throw RPCError(
        code: RPCError.notGrantedCode,
        message: gettext("it may not raise an SOS; add command:sos.raise to its grants"))
    }
    if settings.homeWords != nil, !request.grants.contains("command:guidance.start") {
      throw RPCError(
        code: RPCError.notGrantedCode,
        message: gettext("it may not show the way home; add command:guidance.start to its grants"))
    }
    try listen(settings, folder: request.stateDirectory)
    return DeliveryCredits()
  }

  private func listen(_ settings: KeywordSettings, folder: String) throws(RPCError) {
    let spotter: PhraseSpotter
    do throws(PhraseSpotter.Fault) {
      spotter = try PhraseSpotter(
        words: settings.words, home: settings.homeWords, folder: folder,
        thresholdExponent: settings.thresholdExponent)
    } catch { throw KeywordSettings.fault(error.sentence) }
    let listener = Listener(device: settings.device, spotter: spotter) { [weak self] news in
      self?.take(news)
    }
    guard listener.start() else {
      PluginLog.write(.error, "the kernel refuses a thread; the gateway tries again")
      exit(1)
    }
    self.listener = listener
  }

  func deliver(_ batch: ReceivedBatch, reply: @escaping @LoopActor (BatchOutcomes) -> Void) {
    reply(.all(.accepted, count: batch.count))
  }

  func shutdown(completion: @escaping @LoopActor () -> Void) {
    listener?.stop()
    completion()
  }

  // MARK: From the microphone

  private func take(_ news: Listener.News) {
    switch news {
    case .listening: state = PluginHealth(state: .working)
    case .away(let reason): state = Self.away(settings?.device ?? "", reason)
    case .muted:
      state = PluginHealth(
        state: .degraded, code: "silent",
        detail: gettext("the microphone gives pure silence; see that it is not muted"))
    case .broken(let reason):
      state = PluginHealth(state: .failed, code: "decoder", detail: reason)
    case .overrun:
      PluginLog.write(.warning, "the machine is too slow to listen all the time; sound was lost")
    case .heardOnce: PluginLog.write(.debug, "the phrase was heard once")
    case .heardTwice: heardTwice()
    case .heardHome: heardHome()
    }
    link.healthChanged()
  }

  private static func away(_ device: String, _ reason: String) -> PluginHealth {
    PluginHealth(
      state: .failed, code: "no-microphone",
      detail: gettext(
        "the microphone {device} cannot be used ({reason});"
          + " plug it in, check device, and list /dev/snd in the plugin's devicePaths",
        ["device": device, "reason": reason.asPluginReason(limit: 100)]))
  }

  // MARK: The SOS

  private func heardTwice() {
    guard raise == nil, let settings else { return }
    // What was just said needs no clock to be fresh.
    let until = EventLoop.now.advanced(byMilliseconds: Self.commandMilliseconds)
    let request = Command.Request.alarm(
      .raise(
        resident: ResidentID(settings.target), kind: .sos, trigger: .keyword,
        text: gettext("The spoken keyword was heard twice.")))
    raise = Raise(
      call: CommandCall(
        principal: "keyword", id: CommandID(identifiers.next(at: WallClock.now)),
        freshUntil: until, request: request),
      until: until)
    PluginLog.write(.info, "the phrase was heard twice; an SOS is raised")
    sendRaise()
  }

  // MARK: The way home

  /// Once is enough, and the gateway asks before it shows the way: whoever only spoke of home says no.
  private func heardHome() {
    guard let settings else { return }
    PluginLog.write(.info, "the phrase for the way home was heard")
    let call = CommandCall(
      principal: "keyword", id: CommandID(identifiers.next(at: WallClock.now)),
      freshUntil: EventLoop.now.advanced(byMilliseconds: Self.commandMilliseconds),
      request: .feature(
        FeatureRequest("guidance.start", of: settings.target, TakeHome(target: settings.target))))
    link.command(call.json) { result in
      guard case .failure(let error) = result else { return }
      // Nothing is wrong with who is no longer on the map, or is at home already.
      PluginLog.write(.warning, "the way home is not shown: \(error.logWords)")
    }
  }

  /// The same id each time: the gateway does it once.
  private func sendRaise() {
    guard let raise else { return }
    link.command(raise.call.json) { [weak self] result in self?.answered(result) }
  }

  private func answered(_ result: Result<JSONValue, RPCError>) {
    guard let raise else { return }
    switch result {
    case .success: refusal = nil
    case .failure(let error):
      refusal = error.message
      PluginLog.write(.error, "the gateway did not take the SOS: \(error.logWords)")
      let mayHelp = error.code == RPCError.busyCode && EventLoop.now < raise.until
      if mayHelp { return retryTimer?.set(afterMilliseconds: Self.retryMilliseconds) ?? () }
    }
    self.raise = nil
    link.healthChanged()
  }
}

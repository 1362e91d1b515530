import Bytes
import Care
import Glibc
import JSON
import Loop
import Moments
import PluginKit
import PluginProtocol

/// Offers the service `speech`: a sentence becomes a WAV file.
@LoopActor
final class SpeechPlugin: Plugin {
  /// How long a sentence may take, waiting included, in milliseconds.
  static let patienceMilliseconds: Int64 = 20_000
  /// How long after that a thread that has not come back counts as lost, in milliseconds.
  static let graceMilliseconds: Int64 = 20_000

  private let link: HostLink
  private var worker: SpeechWorker?
  private var fault: SpeechFault?
  private var open: [Int: Request] = [:]
  private var nextRequest = 0
  private var watchdog: LoopTimer?

  private struct Request {
    var deadline: Tick
    /// Nil once it has been answered.
    var reply: (@LoopActor (Result<JSONValue, RPCError>) -> Void)?
  }

  init(link: HostLink) {
    self.link = link
    watchdog = LoopTimer { [weak self] in self?.checkTimes() }
  }

  var health: PluginHealth {
    guard let fault else { return PluginHealth(state: .working) }
    return PluginHealth(state: .failed, code: "cannot-speak", detail: fault.sentence)
  }

  // MARK: From the host

  func initialize(_ request: InitializeRequest) throws(RPCError) -> DeliveryCredits {
    let settings = try SpeechSettings(json: request.settings)
    do throws(SpeechFault) { try Synthesizer.prepare(settings) } catch {
      throw RPCError(code: RPCError.refusedCode, message: error.sentence)
    }
    let worker = SpeechWorker(settings: settings, folder: "\(request.stateDirectory)/sentences")
    guard worker.start() else {
      PluginLog.write(.error, "the kernel refuses a thread; the gateway tries again")
      exit(1)
    }
    self.worker = worker
    return DeliveryCredits()
  }

  func deliver(_ batch: ReceivedBatch, reply: @escaping @LoopActor (BatchOutcomes) -> Void) {
    reply(.all(.accepted, count: batch.count))
  }

  func serve(
    _ service: String, _ params: JSONValue,
    reply: @escaping @LoopActor (Result<JSONValue, RPCError>) -> Void
  ) {
    guard service == "speech" else { return reply(.failure(.methodNotFound(service))) }
    do throws(RPCError) { try speak(Self.text(in: params), reply) } catch {
      reply(.failure(error))
    }
  }

  private static func text(in params: JSONValue) throws(RPCError) -> SpokenText {
    let text: String
    let tag: String
    do throws(DecodeError) {
      let reader = try JSONReader(params)
      text = try reader.string("text")
      tag = try reader.string("language")
    } catch { throw .invalidParameters(error) }
    guard let language = SpokenLanguage(tag: tag) else {
      throw refusal(
        gettext(
          "there is no voice for \"{reason}\"; ask for en or zh",
          ["reason": tag.asPluginReason(limit: 40)]))
    }
    do throws(SpokenText.Fault) { return try SpokenText(text, language: language) } catch {
      switch error {
      case .empty: throw refusal(SpeechFault.silent.sentence)
      case .tooLong(let count):
        let most = SpokenText.maximumScalars
        throw refusal(
          gettext(
            "the text has {count} characters, of at most {most}; make it shorter",
            ["count": count, "most": most]))
      }
    }
  }

  private static func refusal(_ message: String) -> RPCError {
    RPCError(code: RPCError.invalidParametersCode, message: message)
  }

  // MARK: Speaking

  private func speak(
    _ text: SpokenText, _ reply: @escaping @LoopActor (Result<JSONValue, RPCError>) -> Void
  ) throws(RPCError) {
    let deadline = EventLoop.now.advanced(byMilliseconds: Self.patienceMilliseconds)
    nextRequest += 1
    let number = nextRequest
    let isTaken = worker?.speak(text, until: deadline) { [weak self] result in
      self?.finished(number, result)
    }
    guard isTaken == true else {
      let busy = gettext("too many sentences wait to be spoken; try again in a few seconds")
      throw RPCError(code: RPCError.busyCode, message: busy)
    }
    open[number] = Request(deadline: deadline, reply: reply)
    armWatchdog()
  }

  private func finished(_ number: Int, _ result: Result<String, SpeechFault>) {
    let reply = open.removeValue(forKey: number)?.reply
    armWatchdog()
    note(result)
    switch result {
    case .success(let path): reply?(.success(["path": .string(path)]))
    case .failure(let fault):
      let code = fault == .tooSlow ? RPCError.busyCode : RPCError.refusedCode
      reply?(.failure(RPCError(code: code, message: fault.sentence)))
    }
  }

  /// A text that cannot be spoken is the text's fault, a disk that cannot be written the plugin's.
  private func note(_ result: Result<String, SpeechFault>) {
    switch result {
    case .success: fault = nil
    case .failure(let failure):
      switch failure {
      case .library, .voice, .disk: fault = failure
      case .tooLong, .tooSlow, .silent: break
      }
    }
    link.healthChanged()
  }

  // MARK: Time limits

  private func armWatchdog() {
    let times = open.values.map { request in
      request.reply == nil ? lost(request) : request.deadline
    }
    guard let next = times.min() else {
      watchdog?.cancel()
      return
    }
    watchdog?.set(at: next)
  }

  private func lost(_ request: Request) -> Tick {
    request.deadline.advanced(byMilliseconds: Self.graceMilliseconds)
  }

  private func checkTimes() {
    let now = EventLoop.now
    for (number, request) in open where request.deadline <= now {
      if request.reply != nil {
        open[number]?.reply = nil
        let late = RPCError(code: RPCError.busyCode, message: SpeechFault.tooSlow.sentence)
        request.reply?(.failure(late))
      } else if lost(request) <= now {
        PluginLog.write(.error, "espeak-ng does not come back; the plugin ends to be started anew")
        exit(1)
      }
    }
    armWatchdog()
  }
}

import Bytes
import Care
import CurlTransfer
import JSON
import Loop
import Moments
import PluginKit
import PluginProtocol
import Texts

/// Tells guardians about alarms by e-mail.
@LoopActor
final class EmailPlugin: Plugin {
  /// The most mails on their way at once; each has a thread.
  private static let maximumRunning = 4
  /// The most mails that wait for one of them.
  private static let maximumWaiting = 60

  private static let mailService = "mail.send"

  private let link: HostLink
  private var isSendingReport = false
  private var settings: EmailSettings?
  private var gateway = ""
  private var waiting: [(MailMessage, SentLedger.Key)] = []
  private var runningCount = 0
  private var ledger = SentLedger()
  private var ledgerFile: StateFile?

  private(set) var health = PluginHealth(state: .working)

  init(link: HostLink) { self.link = link }

  func initialize(_ request: InitializeRequest) throws(RPCError) -> DeliveryCredits {
    settings = try EmailSettings(json: request.settings)
    gateway = request.gateway.rawValue
    let file = StateFile(directory: request.stateDirectory, name: "sent.json") { _ in
      PluginLog.write(
        .warning, "the state directory cannot be written; a mail may be sent twice after a restart")
    }
    ledger = SentLedger(json: (try? JSONValue(parsing: file.read() ?? [])) ?? .null)
    ledgerFile = file
    if !request.grants.contains("observe:delivery") {
      PluginLog.write(
        .warning,
        "the plugin lacks the grant observe:delivery: the gateway cannot know what became of mails")
    }
    return DeliveryCredits(events: 1, bytes: 65_536)
  }

  /// The manifest asks for no lanes, so nothing comes.
  func deliver(_ batch: ReceivedBatch, reply: @escaping @LoopActor (BatchOutcomes) -> Void) {
    reply(.all(.accepted, count: batch.count))
  }

  func serve(
    _ service: String, _ params: JSONValue,
    reply: @escaping @LoopActor (Result<JSONValue, RPCError>) -> Void
  ) {
    if service == Self.mailService { return send(params, reply) }
    guard service == PluginMethod.notify else {
      return reply(.failure(.methodNotFound(service)))
    }
    do throws(DecodeError) {
      reply(.success(take(try AlarmMessage(json: params)).json))
    } catch { reply(.failure(.invalidParameters(error))) }
  }

  /// Sends a report, and answers once the mail server has it, or why not. Alarms do not wait for it: it has a thread of its
  /// own.
  private func send(
    _ params: JSONValue, _ reply: @escaping @LoopActor (Result<JSONValue, RPCError>) -> Void
  ) {
    let mail: ReportMail
    do throws(DecodeError) { mail = try ReportMail(json: params) } catch {
      return reply(.failure(.invalidParameters(error)))
    }
    guard let settings else {
      return reply(.failure(Self.refusal(gettext("the plugin has no settings yet"))))
    }
    guard !isSendingReport else {
      return reply(
        .failure(
          RPCError(
            code: RPCError.busyCode,
            message: gettext("another report is on its way; try again in a minute"))))
    }
    isSendingReport = true
    let (now, gateway) = (WallClock.now, gateway)
    MailThread.start {
      let bytes = mail.bytes(
        at: now, from: settings.sender, named: settings.senderName, gateway: gateway)
      return settings.mail(bytes, to: mail.recipient)
    } completion: { [weak self] result in
      guard let self else { return }
      isSendingReport = false
      switch result {
      case .success:
        note(PluginHealth(state: .working))
        reply(.success(.object([])))
      case .failure(let fault):
        note(fault)
        reply(.failure(Self.refusal(Self.explain(fault))))
      }
    }
  }

  private static func refusal(_ words: String) -> RPCError {
    RPCError(code: RPCError.refusedCode, message: words)
  }

  private func take(_ message: AlarmMessage) -> NotifyAnswer {
    guard let settings else { return .failed(gettext("the plugin has no settings yet")) }
    guard message.channel == .email else {
      return .failed(
        gettext(
          "this plugin sends e-mail only, not {channel}", ["channel": message.channel.rawValue]))
    }
    guard let recipient = MailAddress(message.address) else {
      return .failed(
        gettext(
          "the e-mail address is not one that can be written to; correct it with the guardian"))
    }
    let key = SentLedger.Key(message)
    if let notice = ledger.outcome(of: key) { link.report(notice) }
    guard waiting.count < Self.maximumWaiting else {
      return .failed(
        gettext(
          "{waiting} mails wait already; the mail server is too slow", ["waiting": waiting.count]))
    }
    guard ledger.take(key) else { return .taken }
    let mail = MailMessage(
      message: message, sender: settings.sender, senderName: settings.senderName,
      recipient: recipient, gateway: gateway)
    enqueue(mail, key)
    return .taken
  }

  /// Real alarms go before tests and news, photographs after words; else first come, first served.
  private func enqueue(_ mail: MailMessage, _ key: SentLedger.Key) {
    let place = Self.isUrgent(mail) ? waiting.firstIndex { !Self.isUrgent($0.0) } : nil
    waiting.insert((mail, key), at: place ?? waiting.count)
    sendNext()
  }

  private static func isUrgent(_ mail: MailMessage) -> Bool {
    ![.test, .news].contains(mail.message.notice) && mail.message.attachment == nil
  }

  func shutdown(completion: @escaping @LoopActor () -> Void) {
    waiting = []
    guard let ledgerFile else { return completion() }
    ledgerFile.finish(withinMilliseconds: 1000, completion: completion)
  }

  // MARK: Sending

  private func sendNext() {
    while runningCount < Self.maximumRunning, !waiting.isEmpty, let settings {
      let (mail, key) = waiting.removeFirst()
      runningCount += 1
      let now = WallClock.now
      MailThread.start {
        Self.mail(mail, settings, at: now)
      } completion: { [weak self] result in
        self?.sent(mail, key, result)
      }
    }
  }

  /// Runs on the mail's thread.
  private nonisolated static func mail(
    _ message: MailMessage, _ settings: EmailSettings, at moment: Timestamp
  ) -> Mail {
    var message = message
    if let path = message.message.attachment {
      message.photo = PhotoFile.read(path)
      message.lacksPhoto = message.photo == nil
    }
    return settings.mail(message.bytes(at: moment), to: message.recipient)
  }

  private func sent(
    _ mail: MailMessage, _ key: SentLedger.Key, _ result: Result<Answer, TransferFault>
  ) {
    runningCount -= 1
    let message = mail.message
    var notice = DeliveryNotice(
      event: EventID(message.alarm.rawValue), recipient: message.guardian.rawValue,
      channel: message.channel.rawValue, outcome: .sent,
      detail: gettext("the mail server took it; nobody can prove that it was read"),
      notice: message.notice, attempt: message.attempt)
    switch result {
    case .success: note(PluginHealth(state: .working))
    case .failure(let fault):
      notice.outcome = .failed
      notice.detail = Self.explain(fault)
      note(fault)
    }
    ledger.settle(key, notice)
    if notice.outcome == .sent { ledgerFile?.replace(with: ledger.json.serializedBytes) }
    link.report(notice)
    sendNext()
  }

  private static func explain(_ fault: TransferFault) -> String {
    switch fault.kind {
    case .timedOut, .broken, .closed:
      gettext("{detail}; it may have been sent all the same", ["detail": fault.detail])
    case .refused where fault.status >= 500:
      gettext(
        "{detail}: it takes nothing for this address or from this sender", ["detail": fault.detail])
    default: fault.detail.text(in: PluginLanguage.current)
    }
  }

  /// A refusal concerns one mail; everything else the way to the server.
  private func note(_ fault: TransferFault) {
    guard fault.kind != .refused else {
      return PluginLog.write(.warning, "a mail was not taken: \(fault.detail)")
    }
    note(
      PluginHealth(
        state: .failed, code: fault.kind.rawValue,
        detail: fault.detail.text(in: PluginLanguage.current)))
  }

  private func note(_ health: PluginHealth) {
    guard health != self.health else { return }
    self.health = health
    if health.state != .working { PluginLog.write(.warning, health.detail) }
    link.healthChanged()
  }
}

import Care
import DBus
import Loop
import Moments
import PluginKit
import ShortMessage

/// A message that is being sent.
struct SendOrder {
  var number: PhoneAddress
  var parts: Int
  var isEmergency: Bool
  /// Where ModemManager keeps it; nil as long as it does not.
  var path: String?
  /// Until when its end is asked for after the call itself brought none.
  var deadline: Tick?
  var onPart: @LoopActor (_ reference: UInt8, _ total: Int) -> Void
  var completion: @LoopActor (SendResult) -> Void
}

extension ManagerModem {
  private static let properties = "org.freedesktop.DBus.Properties"
  private static let maximumAwaiting = 50

  // MARK: Out

  func send(
    _ entry: Outbox.Entry, onPart: @escaping @LoopActor (_ reference: UInt8, _ total: Int) -> Void,
    completion: @escaping @LoopActor (SendResult) -> Void
  ) {
    guard let number = PhoneAddress(number: entry.dispatch.number) else {
      return completion(.refused(gettext("that is no phone number")))
    }
    guard let modem, isReadyForEmergency, sending == nil else {
      return completion(.modemFailed(gettext("the modem is not ready")))
    }
    let isEmergency = entry.dispatch.isEmergency
    let parts = SubmitFrame.frames(
      of: entry.dispatch.text, to: number, reference: 0, wantsReport: false
    ).count
    sending = SendOrder(
      number: number, parts: parts, isEmergency: isEmergency, onPart: onPart,
      completion: completion)
    let properties: [(name: String, value: BusArgument)] = [
      ("number", .text(entry.dispatch.number)), ("text", .text(entry.dispatch.text)),
      ("delivery-report-request", .flag(!isEmergency)),
    ]
    call(modem.path, "\(ManagedModem.interface).Messaging", "Create", [.options(properties)]) {
      [weak self] result in
      switch result {
      case .success(let values): self?.sendCreated(values.first?.text ?? "")
      case .failure(let fault): self?.sendingFailed(fault)
      }
    }
  }

  private func sendCreated(_ path: String) {
    guard path.hasPrefix("\(Self.root)/") else {
      return finishSending(.refused(gettext("ModemManager does not say where the message is")))
    }
    leftAlone.insert(path)
    sending?.path = path
    call(path, ManagedMessage.interface, "Send", timeoutMilliseconds: patience.sendMilliseconds) {
      [weak self] result in
      switch result {
      case .success: self?.readReference(of: path)
      case .failure(let fault) where fault.isTimeOut:
        PluginLog.write(.warning, "ModemManager did not answer in time whether a message was sent")
        self?.doubt()
      case .failure(let fault): self?.sendingFailed(fault)
      }
    }
  }

  private func doubt() {
    sending?.deadline = EventLoop.now.advanced(byMilliseconds: patience.doubtMilliseconds)
    askHowSendingEnded()
  }

  /// The network has it; the reference is for the reports.
  private func readReference(of path: String) {
    call(path, Self.properties, "GetAll", [.text(ManagedMessage.interface)]) {
      [weak self] result in
      let properties = (try? result.get().first) ?? .other
      self?.sent(path, ManagedMessage(properties: properties))
    }
  }

  /// Asks how a send ended whose call was not answered.
  func askHowSendingEnded() {
    guard let order = sending, let path = order.path, let deadline = order.deadline else { return }
    call(path, Self.properties, "GetAll", [.text(ManagedMessage.interface)]) {
      [weak self] result in
      guard let self, sending?.path == path else { return }
      let message = (try? result.get().first).map { ManagedMessage(properties: $0) }
      if let message, message.isSent { return sent(path, message) }
      let isStillSending = message?.isSending ?? false
      guard isStillSending, EventLoop.now < deadline else {
        return sendingFailed(
          BusFault(name: "org.freedesktop.DBus.Error.NoReply", message: "no answer"))
      }
      sendTimer?.set(afterMilliseconds: patience.askMilliseconds)
    }
  }

  private func sent(_ path: String, _ message: ManagedMessage) {
    guard let order = sending else { return }
    // ModemManager tells the last part's reference; modems count on from part to part.
    let references = message.reference.map { last in
      (0..<order.parts).reversed().map { last &- UInt8(truncatingIfNeeded: $0) }
    }
    for reference in references ?? [] { order.onPart(reference, order.parts) }
    if let references, !order.isEmergency {
      awaiting.append((path, order.number, references))
      if awaiting.count > Self.maximumAwaiting { delete(awaiting.removeFirst().path) }
    } else {
      delete(path)
    }
    finishSending(.sent)
    if let outcome = message.outcome { noted(outcome, at: path) }
  }

  private func sendingFailed(_ fault: BusFault) {
    if let path = sending?.path { delete(path) }
    let reason = ModemWords.refusal(fault)
    guard ModemWords.isModemGone(fault) else { return finishSending(.refused(reason)) }
    report(
      .degraded, "modem-fails", gettext("a message could not be sent: {reason}", ["reason": reason])
    )
    rest()
    finishSending(.modemFailed(reason))
    refresh()
  }

  /// Ends the send that is on its way, if there is one.
  func finishSending(_ result: SendResult) {
    guard let order = sending else { return }
    sending = nil
    sendTimer?.cancel()
    let held = heldReports
    heldReports = []
    order.completion(result)
    for report in held { tell(report) }
  }

  // MARK: In

  /// Something changed at a message.
  func changed(_ path: String, _ properties: BusValue) {
    if let outcome = ManagedMessage.outcome(properties["DeliveryState"]?.integer) {
      noted(outcome, at: path)
    }
    if properties["State"] != nil { read(path) }
  }

  /// A report that the driver noted at the message that it is about.
  private func noted(_ outcome: StatusReportFrame.Outcome, at path: String) {
    guard outcome != .pending, let index = awaiting.firstIndex(where: { $0.path == path }) else {
      return
    }
    let message = awaiting.remove(at: index)
    for reference in message.references {
      handlers.onReport(reference, message.number, outcome)
    }
    delete(path)
  }

  /// Reads a message and hands it on, unless that is done already.
  func read(_ path: String) {
    guard !leftAlone.contains(path), inHand.insert(path).inserted else { return }
    call(path, Self.properties, "GetAll", [.text(ManagedMessage.interface)]) {
      [weak self] result in
      guard case .success(let values) = result else {
        self?.inHand.remove(path)
        return
      }
      self?.take(ManagedMessage(properties: values.first ?? .other), path)
    }
  }

  private func take(_ message: ManagedMessage, _ path: String) {
    switch message.content {
    case .text(let text): handOn(text, path)
    case .report:
      if sending != nil { heldReports.append(message.content) } else { tell(message.content) }
      delete(path)
    case .unreadable:
      PluginLog.write(.warning, "a message could not be read and is deleted")
      delete(path)
    case .incomplete: inHand.remove(path)
    case .outgoing:
      inHand.remove(path)
      let isOurs = !leftAlone.insert(path).inserted
      // One of an earlier life of the plugin, whose report comes as a message of its own.
      if message.isSent, !isOurs { delete(path) }
    }
  }

  private func tell(_ report: ManagedMessage.Content) {
    guard case .report(let reference, let recipient, let outcome) = report else { return }
    handlers.onReport(reference, recipient, outcome)
    let index = awaiting.firstIndex {
      $0.references.contains(reference) && $0.number.text == recipient.text
    }
    guard outcome != .pending, let index else { return }
    awaiting[index].references.removeAll { $0 == reference }
    if awaiting[index].references.isEmpty { delete(awaiting.remove(at: index).path) }
  }

  private func handOn(_ text: ReceivedText, _ path: String) {
    let generation = generation
    handlers.onReceived(text) { [weak self] isHandled in
      guard let self, generation == self.generation else { return }
      // What was not taken stays where it is and is found by the next reading.
      if isHandled { delete(path) } else { inHand.remove(path) }
    }
  }

  private func delete(_ path: String) {
    guard let modem else { return }
    inHand.insert(path)
    call(
      modem.path, "\(ManagedModem.interface).Messaging", "Delete", [.path(path)]
    ) { [weak self] result in
      self?.inHand.remove(path)
      guard case .failure(let fault) = result, !ModemWords.isModemGone(fault) else { return }
      PluginLog.write(.warning, "a message could not be deleted: \(ModemWords.refusal(fault))")
      self?.leftAlone.insert(path)
    }
  }
}

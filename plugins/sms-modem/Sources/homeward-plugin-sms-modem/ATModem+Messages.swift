import Bytes
import Loop
import PluginKit
import ShortMessage

extension ATModem {
  // MARK: Out

  func send(
    _ entry: Outbox.Entry, onPart: @escaping @LoopActor (_ reference: UInt8, _ total: Int) -> Void,
    completion: @escaping @LoopActor (SendResult) -> Void
  ) {
    guard let number = PhoneAddress(number: entry.dispatch.number) else {
      return completion(.refused(gettext("that is no phone number")))
    }
    nextReference &+= 1
    let frames = SubmitFrame.frames(
      of: entry.dispatch.text, to: number, reference: nextReference,
      wantsReport: !entry.dispatch.isEmergency)
    // Parts of another try bear another reference: then all of them go again.
    send(frames[...], total: frames.count, onPart, completion)
  }

  private func send(
    _ frames: ArraySlice<SubmitFrame>, total: Int,
    _ onPart: @escaping @LoopActor (_ reference: UInt8, _ total: Int) -> Void,
    _ completion: @escaping @LoopActor (SendResult) -> Void
  ) {
    guard let frame = frames.first else { return completion(.sent) }
    let command = ATCommand(
      "AT+CMGS=\(frame.length)", prefix: "+CMGS:", payload: Hexadecimal.digits(frame.octets),
      timeoutMilliseconds: 10_000)
    run(command, isUrgent: true) { [weak self] result in
      switch result {
      case .done:
        let content = result.content(after: "+CMGS:") ?? ""
        if let reference = UInt8(content.prefix { $0.isNumber }) { onPart(reference, total) }
        self?.send(frames.dropFirst(), total: total, onPart, completion)
      case .refused(let words): completion(.refused(ModemWords.refusal(words)))
      case .senseless:
        completion(.refused(gettext("the modem said OK, but does not say that it sent anything")))
      case .timedOut: completion(.modemFailed(gettext("the modem did not answer")))
      }
    }
  }

  // MARK: In

  /// What the modem says unasked.
  func heard(_ words: String, frame: String?) {
    if let frame { return takeUnstored(frame) }
    if words.hasPrefix("+CMTI:") || words.hasPrefix("+CDSI:") { return readInbox() }
    if let news = CallNews(words) { handlers.onCallNews(news) }
  }

  /// Reads everything that is stored, and again in a while.
  func readInbox() {
    guard phase == .ready else { return }
    guard !isReading else {
      mustReadAgain = true
      return
    }
    isReading = true
    schedulePoll()
    for message in reassembly.giveUp(at: EventLoop.now) { delete(message.places) }
    run(ATCommand("AT+CMGL=4", timeoutMilliseconds: 15_000)) { [weak self] result in
      guard let self else { return }
      isReading = false
      if case .done(let lines) = result { takeListed(lines) }
      if mustReadAgain {
        mustReadAgain = false
        readInbox()
      }
    }
  }

  /// Lines of `+CMGL: 3,0,,27`, each with its frame behind it. States 2 and 3 are drafts of the card's owner.
  private func takeListed(_ lines: [String]) {
    for (index, line) in lines.enumerated() where line.hasPrefix("+CMGL:") {
      let parameters = ATParameters.split(String(line.dropFirst(6)))
      guard lines.indices.contains(index + 1), parameters.count > 1,
        let place = Int(parameters[0]), ["0", "1"].contains(parameters[1]),
        inHand.insert(place).inserted
      else { continue }
      take(lines[index + 1], place: place)
    }
  }

  private func takeUnstored(_ frame: String) { take(frame, place: nil) }

  private func take(_ digits: String, place: Int?) {
    let frame: IncomingFrame
    do { frame = try IncomingFrame(octets: Hexadecimal.octets(digits.utf8)) } catch {
      unreadable += 1
      PluginLog.write(.warning, "a message could not be read and is deleted: \(error)")
      return delete(place.map { [$0] } ?? [])
    }
    switch frame {
    case .statusReport(let report):
      report.takenAt.map { handlers.onNetworkTime($0) }
      handlers.onReport(report.reference, report.recipient, report.outcome)
      delete(place.map { [$0] } ?? [])
    case .deliver(let part):
      guard let message = reassembly.take(part, place: place, at: EventLoop.now) else {
        return
      }
      handOn(message)
    }
  }

  private func handOn(_ message: ReceivedText) {
    let generation = generation
    handlers.onReceived(message) { [weak self] isHandled in
      guard let self, generation == self.generation else { return }
      // What was not taken stays where it is and is found by the next reading.
      if isHandled { delete(message.places) } else { inHand.subtract(message.places) }
    }
  }

  private func delete(_ places: [Int]) {
    for place in places {
      run(ATCommand("AT+CMGD=\(place)", timeoutMilliseconds: 10_000)) { [weak self] _ in
        self?.inHand.remove(place)
      }
    }
  }
}

import Bytes
import Loop
import PluginKit
import ShortMessage

extension ATModem {
  /// What the modem says unasked.
  func heard(_ words: String, frame: String?) {
    if let frame { return takeUnstored(frame) }
    if words.hasPrefix("+CMTI:") || words.hasPrefix("+CDSI:") { return readInbox() }
    if let news = CallNews(words) { handlers.onCallNews(news) }
  }

  /// Reads everything that is stored, and again in a while.
  func readInbox() {
    guard phase == .ready else { return }
    guard inbox.beginReading() else { return }
    schedulePoll()
    for message in inbox.giveUp(at: EventLoop.now) { delete(message.places) }
    line.run(ATCommand("AT+CMGL=4", timeoutMilliseconds: 15_000)) { [weak self] result in
      guard let self else { return }
      inbox.endReading()
      if case .done(let lines) = result { takeListed(lines) }
      if inbox.wantsReading() { readInbox() }
    }
  }

  /// Lines of `+CMGL: 3,0,,27`, each with its frame behind it.
  private func takeListed(_ lines: [String]) {
    for (index, line) in lines.enumerated() where line.hasPrefix("+CMGL:") {
      guard lines.indices.contains(index + 1), let place = inbox.place(listed: line) else {
        continue
      }
      take(lines[index + 1], place: place)
    }
  }

  private func takeUnstored(_ frame: String) { take(frame, place: nil) }

  private func take(_ digits: String, place: Int?) {
    let frame: IncomingFrame
    do { frame = try IncomingFrame(octets: Hexadecimal.octets(digits.utf8)) } catch {
      PluginLog.write(.warning, "a message could not be read and is deleted: \(error)")
      return delete(place.map { [$0] } ?? [])
    }
    switch frame {
    case .statusReport(let report):
      report.takenAt.map { handlers.onNetworkTime($0) }
      handlers.onReport(report.reference, report.recipient, report.outcome)
      delete(place.map { [$0] } ?? [])
    case .deliver(let part):
      guard let message = inbox.take(part, place: place, at: EventLoop.now) else {
        return
      }
      handOn(message)
    }
  }

  private func handOn(_ message: ReceivedText) {
    let generation = line.generation
    handlers.onReceived(message) { [weak self] isHandled in
      guard let self, generation == line.generation else { return }
      if isHandled { delete(message.places) } else { inbox.leave(message.places) }
    }
  }

  private func delete(_ places: [Int]) {
    for place in places {
      line.run(ATCommand("AT+CMGD=\(place)", timeoutMilliseconds: 10_000)) { [weak self] _ in
        self?.inbox.deleted(place)
      }
    }
  }
}

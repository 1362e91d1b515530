import Loop
import PluginKit
import ShortMessage

/// Sends text messages over a modem's line, part by part.
@LoopActor
final class MessageSender {
  private let line: ATLine
  private var nextReference = UInt8.random(in: .min ... .max)

  /// A sender over a line.
  init(over line: ATLine) { self.line = line }

  /// Sends a message; see ``MessageModem/send(_:onPart:completion:)``.
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
    line.run(command, isUrgent: true) { [weak self] result in
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
}

import Loop
import PluginKit

/// Whether a modem can call.
enum VoiceAbility: Hashable, Sendable {
  /// It has not been asked yet.
  case unknown
  /// It can; `hearsKeys` when it tells what the far end presses.
  case able(hearsKeys: Bool)
  /// It cannot, and why.
  case unable(String)
}

/// Calls over a modem's line.
@LoopActor
final class ModemVoice {
  /// How dialling ended.
  enum DialResult: Hashable, Sendable {
    case dialled
    case refused(String)
    case modemFailed
  }

  private static let withoutVoice =
    gettext("this modem cannot make voice calls; tell guardians by text, or use a modem with voice")
  /// SIMCom's and Quectel's ways to be told of keys.
  private static let keyDetectors = ["AT+DDET=1", "AT+QTONEDET=1"]

  /// Whether calls can be made.
  private(set) var ability = VoiceAbility.unknown
  private let line: ATLine
  private let onChange: @LoopActor () -> Void

  /// Calls over a line.
  ///
  /// - Parameter onChange: called when it is known whether calls can be made.
  init(over line: ATLine, onChange: @escaping @LoopActor () -> Void) {
    self.line = line
    self.onChange = onChange
  }

  /// Finds out whether the modem can call, and ends a call that an earlier life left behind.
  func prepare() {
    ability = .unknown
    // Huawei's sticks say here whether voice was built in; others do not know the question.
    line.run(ATCommand("AT^CVOICE?", prefix: "^CVOICE:")) { [weak self] result in
      let answer = result.content(after: "^CVOICE:").map { ATParameters.split($0)[0] }
      if let answer, answer != "0" { return self?.know(.unable(Self.withoutVoice)) ?? () }
      if result != .timedOut { self?.askForCallList() }
    }
  }

  private func askForCallList() {
    line.run(ATCommand("AT+CLCC")) { [weak self] result in
      switch result {
      case .timedOut: break
      case .refused, .senseless: self?.know(.unable(Self.withoutVoice))
      case .done(let lines):
        if lines.contains(where: { $0.hasPrefix("+CLCC:") }) { self?.hangUp() }
        // With another setting some modems keep the line after ATH.
        self?.line.run(ATCommand("AT+CVHU=0")) { [weak self] result in
          if result != .timedOut { self?.switchKeysOn(Self.keyDetectors[...]) }
        }
      }
    }
  }

  private func switchKeysOn(_ choices: ArraySlice<String>) {
    guard let choice = choices.first else { return know(.able(hearsKeys: false)) }
    line.run(ATCommand(choice)) { [weak self] result in
      if result.isDone { return self?.know(.able(hearsKeys: true)) ?? () }
      if result != .timedOut { self?.switchKeysOn(choices.dropFirst()) }
    }
  }

  private func know(_ ability: VoiceAbility) {
    self.ability = ability
    onChange()
  }

  /// Dials; a modem that answers only once somebody takes the call may take `patience`.
  func dial(
    _ number: String, patienceMilliseconds: Int64,
    completion: @escaping @LoopActor (DialResult) -> Void
  ) {
    let command = ATCommand(
      "ATD\(number);", timeoutMilliseconds: patienceMilliseconds, isSecret: true)
    line.run(command, isUrgent: true) { result in
      switch result {
      case .done: completion(.dialled)
      case .refused(let words): completion(.refused(Self.reason(words)))
      case .senseless: completion(.refused(Self.reason("NO CARRIER")))
      case .timedOut: completion(.modemFailed)
      }
    }
  }

  private static func reason(_ words: String) -> String {
    switch words {
    case "BUSY": gettext("the line is busy")
    case "NO ANSWER": gettext("nobody answered")
    case "NO CARRIER", "NO DIALTONE", "NO DIAL TONE":
      gettext("the call was declined or not put through")
    case "ERROR":
      gettext("the modem refuses to call; has it voice, and the SIM card's contract calls?")
    default: ModemWords.refusal(words)
    }
  }

  /// Asks how our call stands; nil when the modem does not answer.
  func askForCall(completion: @escaping @LoopActor (CallState?) -> Void) {
    line.run(ATCommand("AT+CLCC"), isUrgent: true) { result in
      switch result {
      case .done(let lines): completion(CallState(listed: lines))
      // Busy with something else: the next question will tell.
      case .refused, .senseless: completion(.dialling)
      case .timedOut: completion(nil)
      }
    }
  }

  /// Ends every call.
  func hangUp() {
    line.run(ATCommand("AT+CHUP"), isUrgent: true) { [weak self] result in
      guard !result.isDone, result != .timedOut else { return }
      self?.line.run(ATCommand("ATH"), isUrgent: true) { _ in }
    }
  }
}

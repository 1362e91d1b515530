import Care
import Glibc
import Loop
import PluginKit
import PluginProtocol

extension ATModem {
  /// One step of the way to a modem that works; the first of `choices` that the modem takes is enough.
  private struct Step {
    var choices: [ATCommand]
    var isRequired = false
  }

  private static let indications = [
    "AT+CNMI=2,1,0,1,0", "AT+CNMI=2,1,0,2,0", "AT+CNMI=1,1,0,1,0", "AT+CNMI=1,1,0,2,0",
    "AT+CNMI=2,1", "AT+CNMI=1,1",
  ]

  /// Asks whether somebody is there, and prepares messages.
  func setUp() {
    phase = .settingUp
    let steps = [
      // Some refuse even this while the card is locked: an answer is an answer.
      Step(choices: [ATCommand("AT", timeoutMilliseconds: 2000)]),
      Step(choices: [ATCommand("ATE0")]),
      Step(choices: [ATCommand("AT+CMEE=1")]),
    ]
    take(steps[...]) { [weak self] in self?.unlock() }
  }

  private func take(_ steps: ArraySlice<Step>, then next: @escaping @LoopActor () -> Void) {
    guard let step = steps.first else { return next() }
    attempt(step.choices[...]) { [weak self] result in
      switch result {
      case .timedOut: self?.setUpFailed(gettext("the modem does not answer"))
      case .refused(let words) where step.isRequired:
        self?.setUpFailed(
          gettext(
            "the modem cannot send messages: {reason}", ["reason": ModemWords.refusal(words)]))
      case .senseless where step.isRequired: self?.setUpFailed(Self.senseless)
      case .done, .refused, .senseless: self?.take(steps.dropFirst(), then: next)
      }
    }
  }

  private static let senseless =
    gettext("what answers on the port makes no sense; is it the modem's port for commands?")

  private func attempt(
    _ choices: ArraySlice<ATCommand>, completion: @escaping @LoopActor (ATResult) -> Void
  ) {
    guard let command = choices.first else { return completion(.senseless) }
    line.run(command) { [weak self] result in
      guard !result.isDone, result != .timedOut, choices.count > 1 else {
        return completion(result)
      }
      self?.attempt(choices.dropFirst(), completion: completion)
    }
  }

  func setUpFailed(_ reason: String) {
    guard phase == .settingUp, line.isOpen else { return }
    report(.failed, "modem-fails", reason)
    phase = .climbing
    climb()
  }

  // MARK: The SIM card

  private func unlock() {
    line.run(ATCommand("AT+CPIN?", prefix: "+CPIN:", timeoutMilliseconds: 10_000)) {
      [weak self] result in
      switch result {
      case .done: self?.judgeCard(result.content(after: "+CPIN:") ?? "")
      case .refused(let words): self?.cardFails(ModemWords.refusal(words))
      case .senseless: self?.setUpFailed(Self.senseless)
      case .timedOut: self?.setUpFailed(gettext("the modem does not answer"))
      }
    }
  }

  private func judgeCard(_ state: String) {
    switch state {
    case "READY": prepareMessages()
    case "SIM PIN":
      guard let pin = settings.pin else {
        return cardFails(gettext("the SIM card wants its PIN; put it into the settings as \"pin\""))
      }
      guard !handlers.isPINSpent() else {
        return cardFails(
          gettext(
            "the PIN in the settings was refused and is not tried again; correct it, or unlock the card"
          )
        )
      }
      let generation = line.generation
      handlers.onPINTry { [weak self] in
        guard let self, generation == line.generation else { return }
        enter(pin)
      }
    default:
      cardFails(
        gettext("the SIM card is locked ({state}); unlock it in a phone", ["state": state]))
    }
  }

  private func enter(_ pin: String) {
    line.run(ATCommand("AT+CPIN=\"\(pin)\"", timeoutMilliseconds: 20_000, isSecret: true)) {
      [weak self] result in
      guard result.isDone else { return self?.setUp() ?? () }
      self?.handlers.onPINAccepted()
      self?.after(2000) { [weak self] in self?.unlock() }
    }
  }

  /// Looks again now and then: a card can be pushed in, and one that is busy becomes ready.
  private func cardFails(_ reason: String) {
    report(.failed, "sim", reason)
    phase = .stuck
    after(15_000) { [weak self] in self?.setUp() }
  }

  // MARK: Messages

  private func prepareMessages() {
    let steps = [
      Step(choices: [ATCommand("AT+CMGF=0")], isRequired: true),
      Step(choices: [ATCommand("AT+CPMS=\"SM\",\"SM\",\"SM\"", timeoutMilliseconds: 10_000)]),
      // Phase 2: reports need no acknowledgement by us.
      Step(choices: [ATCommand("AT+CSMS=0")]),
      Step(choices: Self.indications.map { ATCommand($0) }),
      Step(choices: [ATCommand("AT+CSCA?", prefix: "+CSCA:")], isRequired: true),
    ]
    take(steps[...]) { [weak self] in self?.finishSetUp() }
  }

  private func finishSetUp() {
    askForNetwork { [weak self] in
      guard self?.phase == .settingUp else { return }
      self?.becomeReady()
    }
  }

  // MARK: The ladder

  /// Takes the next measure against a modem that does not work.
  func climb() {
    switch ladder.next(canSwitchPower: settings.powerPath != nil) {
    case .probe:
      line.run(ATCommand("AT", timeoutMilliseconds: 2000)) { [weak self] in
        self?.settle($0 != .timedOut)
      }
    case .radio: switchRadio()
    case .defaults:
      line.run(ATCommand("AT&F", timeoutMilliseconds: 3000)) { [weak self] in
        self?.settle($0 != .timedOut)
      }
    case .reopen:
      PluginLog.write(.warning, "the modem does not answer; its port is opened again")
      closePort()
      after(500) { [weak self] in self?.openPort() }
    case .power: switchPower()
    case .hands:
      report(
        .failed, "modem-hangs",
        gettext("the modem does not answer, whatever is tried; pull its plug and put it in again"))
      closePort()
      phase = .stuck
      after(ladder.restMilliseconds) { [weak self] in self?.climb() }
    }
  }

  private func settle(_ answers: Bool) {
    guard phase == .climbing else { return }
    if answers { setUp() } else { climb() }
  }

  private func switchRadio() {
    PluginLog.write(.warning, "the modem's radio is switched off and on")
    line.run(ATCommand("AT+CFUN=0", timeoutMilliseconds: 5000)) { [weak self] result in
      guard result != .timedOut else { return self?.settle(false) ?? () }
      self?.line.run(ATCommand("AT+CFUN=1", timeoutMilliseconds: 15_000)) { [weak self] result in
        guard result.isDone else { return self?.settle(false) ?? () }
        self?.after(3000) { [weak self] in self?.settle(true) }
      }
    }
  }

  private func switchPower() {
    PluginLog.write(.warning, "the power of the modem's USB port is switched off and on")
    closePort()
    guard let path = settings.powerPath, Self.write("0", to: path) else {
      report(
        .failed, "power", gettext("the file in powerPath cannot be written; list it in devicePaths")
      )
      return after(1000) { [weak self] in self?.openPort() }
    }
    after(3000) { [weak self] in
      _ = Self.write("1", to: path)
      self?.after(10_000) { [weak self] in self?.openPort() }
    }
  }

  private static func write(_ text: String, to path: String) -> Bool {
    let descriptor = open(path, O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    let bytes = Array(text.utf8)
    return bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      == bytes.count
  }
}

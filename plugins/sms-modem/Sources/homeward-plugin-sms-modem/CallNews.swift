/// How a call stands, by the modem's list of calls.
enum CallState: Hashable, Sendable {
  /// The network looks for the phone.
  case dialling
  /// It rings.
  case alerting
  /// Somebody, or a mailbox, has answered.
  case active
  /// There is no call of ours.
  case gone

  /// The state of the call that we made, by the lines `+CLCC: 1,0,3,0,0,"+4791234567",145`.
  ///
  /// The second number is 0 for a call of ours, the third its state: 0 active, 1 held, 2 dialling, 3 alerting; the
  /// fourth is 0 for voice.
  ///
  /// - Source: 3GPP TS 27.007, section 7.18.
  init(listed lines: [String]) {
    for line in lines where line.hasPrefix("+CLCC:") {
      let numbers = ATParameters.split(String(line.dropFirst(6)))
      guard numbers.count > 3, numbers[1] == "0", numbers[3] == "0" else { continue }
      switch numbers[2] {
      case "0", "1": self = .active
      case "3": self = .alerting
      case "2": self = .dialling
      default: continue
      }
      return
    }
    self = .gone
  }
}

/// What a modem says unasked of calls.
enum CallNews: Hashable, Sendable {
  /// The far end pressed a key.
  case key(Character)
  /// The far end is busy.
  case busy
  /// The network gave up.
  case unanswered
  /// Something changed; the list of calls tells what.
  case changed
  /// Somebody calls us.
  case ringing

  /// Reads what was said; nil when it is not of calls.
  ///
  /// - Source: makers' manuals for keys: `+DTMF:` and `+RXDTMF:` (SIMCom), `+QTONEDET:` with the sign's ASCII number
  ///   (Quectel), `^DDTMF:` (Huawei).
  init?(_ words: String) {
    for start in ["+DTMF:", "+RXDTMF:", "^DDTMF:", "+QTONEDET:"] where words.hasPrefix(start) {
      let sign = ATParameters.split(String(words.dropFirst(start.count)))[0]
      guard let key = start == "+QTONEDET:" ? Self.key(numbered: sign) : Self.key(sign) else {
        return nil
      }
      self = .key(key)
      return
    }
    switch words {
    case "RING": self = .ringing
    case "BUSY": self = .busy
    case "NO ANSWER": self = .unanswered
    case "NO CARRIER", "NO DIALTONE", "NO DIAL TONE": self = .changed
    case _ where words.hasPrefix("+CRING:"): self = .ringing
    case _
    where ["VOICE CALL:", "^CONN", "^CEND", "^ORIG", "^CONF"].contains {
      words.hasPrefix($0)
    }: self = .changed
    default: return nil
    }
  }

  private static func key(numbered number: String) -> Character? {
    UInt8(number).flatMap { key(String(Character(Unicode.Scalar($0)))) }
  }

  private static func key(_ sign: String) -> Character? {
    guard sign.count == 1, let key = sign.first, VoiceSettings.keys.contains(key) else {
      return nil
    }
    return key
  }
}

public import Bytes
public import Texts

/// What reaches the collector of a meter.
public enum GlucoseCollectorInput: Hashable, Sendable {
  /// The link is up, the meter paired, notifications of 0x2A18 and 0x2A34 and indications of 0x2A52 are on.
  case ready(hasContext: Bool, clocks: MeterClockReading)
  /// A notification of 0x2A18.
  case measurement([UInt8])
  /// A notification of 0x2A34.
  case context([UInt8])
  /// An indication of 0x2A52.
  case controlPoint([UInt8])
  /// The meter refused what was written, with an error of the attribute protocol.
  case writeRefused(attributeError: UInt8)
  /// Somebody wants the session to end.
  case cancel
  /// The link is down.
  case disconnected
  /// A wake that was asked for, or any other moment.
  case time
}

/// What a collector wants of its shell.
public enum CollectorOutput<Record: Hashable & Sendable>: Hashable, Sendable {
  /// Write these octets to the Record Access Control Point, with response.
  case write([UInt8])
  /// These records are whole: store them, and the bookmark in the same transaction.
  case records([Record])
  /// Something to be logged.
  case notice(CollectorNotice)
  /// The session is over; the link is of no use any more.
  case ended(CollectorEnd)
}

/// Something about a session that whoever cares for the meter may want to know.
public enum CollectorNotice: Hashable, Sendable {
  /// A message could not be read and was left out.
  case damaged(DecodeError)
  /// The meter sent a record that it had sent before.
  case repeated(sequence: UInt16)
  /// The meter answered something that was not asked; the opcode.
  case wrongAnswer(opcode: UInt8)
  /// The meter's numbers began anew: it was reset, its memory cleared, or the numbers wrapped. All is asked for.
  case numbersBeganAnew
  /// An announced context did not come; it is asked for once more.
  case contextMissing(sequence: UInt16)
  /// A context came whose record did not.
  case strayContext(sequence: UInt16)
  /// A session of a continuous monitor began; what the last one left cannot be fetched any more.
  case sessionBegan

  /// The notice in words, for people.
  public var sentence: Message {
    switch self {
    case .damaged(let error):
      Message("A message of the meter was damaged and left out ({error}).", ["error": error])
    case .repeated(let sequence):
      Message("The meter sent record {number} again; it is kept once.", ["number": sequence])
    case .wrongAnswer(let opcode):
      Message(
        "The meter answered something that nobody asked ({code}). It is left out.",
        ["code": opcode])
    case .numbersBeganAnew:
      Message("The meter's numbers began anew, as after a reset. All its records are fetched.")
    case .contextMissing(let sequence):
      Message(
        "The meter did not say what record {number} is about. It is asked again next time.",
        ["number": sequence])
    case .strayContext(let sequence):
      Message(
        "The meter said more about record {number}, but did not send it.", ["number": sequence])
    case .sessionBegan: Message("A new sensor session began.")
    }
  }
}

/// How a session ended.
public enum CollectorEnd: Hashable, Sendable {
  /// Why it ended before its time.
  public enum Failure: Hashable, Sendable {
    /// The meter did not answer for 30 s.
    case noAnswer
    /// The meter refused the request; its code.
    case refused(code: UInt8)
    /// The meter refused what was written; the attribute protocol's error.
    case writeRefused(attributeError: UInt8)
    /// The meter wants to be paired first.
    case notPaired
    /// The meter's notifications are not on.
    case notSubscribed
    /// The meter answered wrongly again and again.
    case wrongAnswers
    /// Meters of this kind keep their records behind a service of their own.
    case noGlucoseService
  }

  /// All records are here.
  case upToDate
  /// It was cancelled.
  case cancelled
  /// The link went down before the end; the next session goes on from here.
  case linkLost
  /// It failed; records that were whole by then have been handed out.
  case failed(Failure)

  /// The end in words, with what to do next.
  public var sentence: Message {
    switch self {
    case .upToDate: Message("All records of the meter are here.")
    case .cancelled: Message("Fetching was cancelled. The next connection goes on from here.")
    case .linkLost:
      Message("The meter went away before the end. The next connection goes on from here.")
    case .failed(let failure): failure.sentence
    }
  }
}

extension CollectorEnd.Failure {
  /// The failure in words, with what to do next.
  public var sentence: Message {
    switch self {
    case .noAnswer:
      Message("The meter does not answer. Keep it near, switch it off and on, and try again.")
    case .refused(let code):
      Message(
        "The meter refused to send its records (code {code}). Switch it off and on, and try again.",
        ["code": code])
    case .writeRefused(let code):
      Message(
        "The meter refused the connection (error {code}). Pair it again.", ["code": code])
    case .notPaired: Message("The meter is not paired. Start pairing on the meter, then pair it.")
    case .notSubscribed:
      Message("The meter does not tell its records. Switch it off and on, and try again.")
    case .wrongAnswers:
      Message("The meter answers wrongly. Switch it off and on, and try again.")
    case .noGlucoseService:
      Message("Meters of this kind cannot be read: type their readings in by hand.")
    }
  }
}

public import Bytes
public import JSON
public import Texts

/// Why an alarm was raised; each kind has a priority, a sound, an escalation and quiet hours of its own.
public enum AlarmKind: String, Hashable, Sendable, CaseIterable {
  /// Somebody asked for help.
  case sos
  /// A resident left a safe zone.
  case zone
  /// A resident is outside and nobody can say where.
  case position
  /// A glucose reading is dangerous.
  case glucose
  /// A critical medicine was not taken.
  case medicine
  /// Somebody who is shown a way needs a person.
  case lost
  /// A part of the gateway does not work.
  case fault
  /// A battery is nearly empty.
  case battery
  /// A monthly test call, told as such.
  case test

  /// Whether somebody needs help, and not only a part of the gateway care.
  public var isAboutAPerson: Bool {
    switch self {
    case .sos, .zone, .position, .glucose, .medicine, .lost: true
    case .fault, .battery, .test: false
    }
  }
}

/// What raised an alarm.
public enum AlarmTrigger: String, Hashable, Sendable, CaseIterable {
  /// The physical button.
  case button
  /// The command line on this machine.
  case commandLine = "command-line"
  /// A spoken keyword.
  case keyword
  /// A backend or console.
  case backend
  /// An engine of the gateway.
  case engine
  /// The gateway's own schedule.
  case schedule

  /// How it came, in words that follow a verb.
  public var words: Message {
    switch self {
    case .button: Message("by the button")
    case .commandLine: Message("at the gateway itself")
    case .keyword: Message("by the spoken word")
    case .backend: Message("from a page or another program")
    case .engine: Message("by what the gateway saw")
    case .schedule: Message("by the gateway’s calendar")
    }
  }
}

/// How far an alarm has come.
public enum AlarmStage: String, Hashable, Sendable, CaseIterable {
  /// Loud in the room; the resident can still cancel, and nothing has left the house.
  case prealarm
  /// Guardians are being told, until somebody takes charge.
  case dispatched
  /// A named guardian or caregiver took charge.
  case acknowledged
  /// Closed with a reason.
  case resolved
  /// Cancelled before it left the house.
  case cancelled
}

/// What a message to a guardian is about.
public enum AlarmNotice: String, Hashable, Sendable, CaseIterable {
  /// Help is needed.
  case alarm
  /// Somebody took charge; the others may stand back.
  case acknowledged
  /// The alarm is over.
  case cancelled
  /// Looks over in the room, and is not: the resident ended it under duress.
  case duress
  /// A photograph was taken.
  case photo
  /// Only a test.
  case test
  /// News of everyday life: a message, a reminder that nobody answered. Nobody needs help.
  case news
}

/// What the gateway's keeper of secrets says about an entered PIN; the PIN itself never reaches an engine or the disk.
public enum PINVerdict: String, Hashable, Sendable, CaseIterable {
  /// The resident's "I'm OK".
  case correct
  /// Looks the same, and tells guardians silently.
  case duress
  /// Neither.
  case wrong
  /// The resident has set no PIN.
  case notSet = "not-set"
}

/// Which PIN is set.
public enum PINKind: String, Hashable, Sendable, CaseIterable {
  /// Ends an SOS.
  case okay
  /// Looks as if it ended an SOS.
  case duress
}

/// One message to one guardian by one channel: the parameters of `alarm.notify`.
public struct AlarmMessage: Hashable, Sendable {
  /// The alarm, whose id is that of its `alarm.raised` event.
  public var alarm: AlarmID
  /// The alarm's four letters and digits, which people read and type.
  public var tag: String
  /// What the message is about.
  public var notice: AlarmNotice
  /// Whom to tell.
  public var guardian: GuardianID
  /// Which way.
  public var channel: Guardian.Channel
  /// The number or address of the guardian on that channel.
  public var address: String
  /// Which attempt it is, from 1.
  public var attempt: Int64
  /// What to say: for a text message at most 160 characters of GSM-7 where the language allows it; for an e-mail or a push
  /// every letter of it, what was given as a reason, and what to do.
  public var text: String
  /// What a voice says, in words to be spoken.
  public var spokenText: String
  /// Language of the texts as BCP 47 has it: `en` or `zh`.
  public var language: String
  /// Whether the guardian has to be asked to take charge.
  public var asksForAcknowledgement: Bool
  /// Absolute path of a picture to attach where the channel can; nil for none.
  public var attachment: String?

  /// A message from its parts.
  public init(
    alarm: AlarmID, tag: String, notice: AlarmNotice, guardian: GuardianID,
    channel: Guardian.Channel, address: String, attempt: Int64, text: String, spokenText: String,
    language: String, asksForAcknowledgement: Bool, attachment: String? = nil
  ) {
    self.alarm = alarm
    self.tag = tag
    self.notice = notice
    self.guardian = guardian
    self.channel = channel
    self.address = address
    self.attempt = attempt
    self.text = text
    self.spokenText = spokenText
    self.language = language
    self.asksForAcknowledgement = asksForAcknowledgement
    self.attachment = attachment
  }
}

extension AlarmMessage: JSONCodable {
  /// Reads the parameters of `alarm.notify`.
  public init(json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    self.init(
      alarm: AlarmID(try reader.string("event")), tag: try reader.string("tag"),
      notice: try reader.word("notice", as: AlarmNotice.self),
      guardian: GuardianID(try reader.string("recipient")),
      channel: try reader.word("channel", as: Guardian.Channel.self),
      address: try reader.string("address"), attempt: try reader.count("attempt"),
      text: try reader.string("text"), spokenText: try reader.string("spokenText"),
      language: try reader.string("language"),
      asksForAcknowledgement: try reader.bool("asksForAcknowledgement"),
      attachment: try reader.optionalString("attachment"))
  }

  /// The parameters of `alarm.notify`.
  public var json: JSONValue {
    .object([
      "event": .string(alarm.rawValue), "tag": .string(tag), "notice": .string(notice.rawValue),
      "recipient": .string(guardian.rawValue), "channel": .string(channel.rawValue),
      "address": .string(address), "attempt": .integer(attempt), "text": .string(text),
      "spokenText": .string(spokenText), "language": .string(language),
      "asksForAcknowledgement": .bool(asksForAcknowledgement),
      "attachment": attachment.map { .string($0) },
    ])
  }
}

/// A text or call to the emergency services, handed to the service `emergency` of a plugin.
public struct EmergencyContact: Hashable, Sendable {
  /// How the emergency services are contacted.
  public enum Mode: String, Hashable, Sendable, CaseIterable {
    /// A text message, silent.
    case text
    /// A voice call.
    case call
  }

  /// Unique id of the contact.
  public var id: String
  /// Whom it is about.
  public var resident: ResidentID
  /// How.
  public var mode: Mode
  /// The number of the country profile, such as `112` or `999`.
  public var number: String
  /// What is sent or spoken.
  public var text: String

  /// A contact from its parts.
  public init(id: String, resident: ResidentID, mode: Mode, number: String, text: String) {
    self.id = id
    self.resident = resident
    self.mode = mode
    self.number = number
    self.text = text
  }

  /// The parameters of the service `emergency`.
  public var json: JSONValue {
    [
      "id": .string(id), "resident": .string(resident.rawValue), "mode": .string(mode.rawValue),
      "number": .string(number), "text": .string(text),
    ]
  }
}

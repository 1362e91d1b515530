import Care
import Texts

/// What there is to raise.
struct Finding {
  var resident: ResidentID?
  var kind: AlarmKind
  var trigger: AlarmTrigger
  var text: String
  var label = ""
  var cause = ""
  /// Whether it must not be heard in the room, whatever the resident's settings say.
  var isSilent = false
}

extension Finding {
  /// What somebody asks to be raised.
  ///
  /// - Throws: a refusal where the reason is too long, or the kind is off.
  init(
    asked kind: AlarmKind, of id: ResidentID, by trigger: AlarmTrigger, saying text: String,
    in house: House
  ) throws(CommandReply.Refusal) {
    guard text.count <= 500 else {
      throw CommandReply.Refusal(
        .invalid, Message("The reason may have at most 500 characters; shorten it."))
    }
    guard house.alarmSettings(of: id).isRaised(kind) else {
      throw CommandReply.Refusal(
        .conflict,
        Message(
          "Alarms of kind {kind} are off; switch on the setting {kind}Alarm.",
          ["kind": kind.rawValue]))
    }
    self.init(resident: id, kind: kind, trigger: trigger, text: text, label: text)
  }

  /// What an engine found, as far as it is kept.
  init(_ finding: Signal.Finding) {
    self.init(
      resident: finding.resident, kind: finding.kind, trigger: .engine,
      text: String(finding.explanation.prefix(500)), label: String(finding.label.prefix(100)),
      cause: finding.cause)
  }

  /// A test for a resident.
  init(testOf id: ResidentID, by trigger: AlarmTrigger, in house: House) {
    self.init(
      resident: id, kind: .test, trigger: trigger,
      text: gettext("Only a test.", in: house.alarmLanguage(of: id)))
  }

  /// That the emergency services are called; an SOS that begins with a text is silent: whoever writes instead of calling
  /// may have to hide.
  init(emergencyOf id: ResidentID, _ mode: EmergencyContact.Mode, in house: House) {
    self.init(
      resident: id, kind: .sos, trigger: .backend,
      text: gettext("The emergency services are called.", in: house.alarmLanguage(of: id)),
      isSilent: mode == .text)
  }

  /// That somebody held a button of which nobody knows whose it is.
  init(held button: SourceID, in house: House) {
    let language = house.residents.keys.min().map { house.alarmLanguage(of: $0) }
    let why = Message("The button {button} was held; nobody knows whose it is.", ["button": button])
    self.init(
      resident: nil, kind: .sos, trigger: .button, text: why.text(in: language ?? house.language))
  }

  /// That a button is stuck, so that nobody can call for help with it.
  init(stuck button: SourceID, of resident: ResidentID?, cause: String, in house: House) {
    let language = house.alarmLanguage(of: resident)
    self.init(
      resident: resident, kind: .fault, trigger: .engine,
      text:
        gettext(
          "The button {button} is stuck: free it, or nobody can call for help with it.",
          ["button": button], in: language),
      label: gettext("button {button}", ["button": button], in: language), cause: cause)
  }
}

extension Signal.Settlement {
  /// With which words the alarm ends.
  ///
  /// - Parameter label: the alarm's.
  func closing(_ label: String) -> Closing {
    switch reason {
    case .located: .located
    case .works where kind == .battery: .charged
    case .works: .works(label)
    case .unused: .unused(label)
    case .done: .medicineSettled
    case .withinRange: .withinRange
    case .goesOn: .goesOn
    case .arrived: .arrived
    }
  }
}

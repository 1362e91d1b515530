import Care
import Texts

/// What is said aloud, in the room and on the phone.
struct Sentences: Hashable, Sendable {
  let language: Language
  let name: String

  init(language: Language, name: String) {
    self.language = language
    self.name = name
  }

  /// Those about an alarm.
  init(about alarm: LiveAlarm, in house: House) {
    self =
      alarm.isForSomebody ? .forSomebody(in: house) : Sentences(about: alarm.resident, in: house)
  }

  /// Those about a resident, or about the gateway itself.
  init(about resident: ResidentID?, in house: House) {
    language = house.alarmLanguage(of: resident)
    name = house.name(of: resident)
  }

  /// What is said to whoever held a button of which nobody knows whose it is.
  static func forSomebody(in house: House) -> Sentences {
    let language = house.alarmLanguage(of: nil)
    return Sentences(language: language, name: gettext("Hello", in: language))
  }

  /// The sentences that have to be spoken in an emergency, to be rendered beforehand.
  static func inEmergencies(of house: House) -> [Sentence] {
    var sentences: [Sentence] = []
    for id in house.residents.keys.sorted() {
      let words = Sentences(about: id, in: house)
      sentences += [words.prealarm, words.calling, words.cancelled, words.over, words.unreachable]
      sentences += house.guardians(toldOf: id).map { words.coming($0.name) }
      sentences += [words.finding(.glucose, ""), words.finding(.medicine, "")]
    }
    let anybodys = forSomebody(in: house)
    sentences += [
      anybodys.prealarm, anybodys.calling, anybodys.cancelled, anybodys.over, anybodys.unreachable,
    ]
    return sentences.reduce(into: []) { unique, sentence in
      if !unique.contains(sentence) { unique.append(sentence) }
    }
  }

  private func sentence(_ text: Message) -> Sentence {
    Sentence(text.text(in: language), language: language.rawValue)
  }

  // MARK: In the room

  /// The pre-alarm asks for one thing.
  var prealarm: Sentence {
    sentence(
      Message(
        "{name}, I am about to call for help. Press twice if you are all right.", ["name": name]))
  }

  var calling: Sentence {
    sentence(Message("{name}, help is being called. Stay where you are.", ["name": name]))
  }

  var cancelled: Sentence {
    sentence(Message("{name}, the alarm is cancelled. Nobody was called.", ["name": name]))
  }

  var over: Sentence { sentence(Message("{name}, the alarm is over.", ["name": name])) }

  var unreachable: Sentence {
    sentence(Message("{name}, nobody could be reached yet. I keep trying.", ["name": name]))
  }

  func coming(_ helper: String) -> Sentence {
    sentence(Message("{name}, {helper} is coming.", ["name": name, "helper": helper]))
  }

  func handled(_ helper: String) -> Sentence {
    sentence(Message("{helper} takes care of it.", ["helper": helper]))
  }

  /// What an alarm says while it sounds.
  ///
  /// - Parameter isOverdue: whether the label says from where and when the resident was expected back.
  func finding(_ kind: AlarmKind, _ label: String, isOverdue: Bool = false) -> Sentence {
    switch kind {
    case .sos: calling
    case .zone where isOverdue:
      sentence(Message("{name} was expected back: {what}.", ["name": name, "what": label]))
    case .zone: sentence(Message("{name} has left {zone}.", ["name": name, "zone": label]))
    case .position: sentence(Message("{name} is out and cannot be located.", ["name": name]))
    case .glucose:
      sentence(
        Message("{name}, your sugar needs care now. Please sit down.", ["name": name]))
    case .medicine: sentence(Message("{name}, a medicine is waiting for you.", ["name": name]))
    case .lost:
      sentence(
        Message("{name} needs somebody on the way to {place}.", ["name": name, "place": label]))
    case .fault: sentence(Message("A part of Homeward needs care: {part}.", ["part": label]))
    case .battery: sentence(Message("Please charge the battery: {part}.", ["part": label]))
    case .test: sentence(Message("This is only a test."))
    }
  }

  // MARK: On the phone

  /// A message to a guardian, spoken.
  static func spoken(_ facts: MessageFacts) -> String {
    let language = facts.language
    let time =
      facts.localTime.map {
        gettext(" The time of the alarm is {time}.", ["time": $0], in: language)
      } ?? ""
    let called =
      facts.emergencyNumber.map {
        gettext(" The emergency number {number} was called.", ["number": $0], in: language)
      } ?? ""
    return spoken(facts, time, called).text(in: language)
  }

  private static func spoken(
    _ facts: MessageFacts, _ time: String, _ called: String
  ) -> Message {
    let name = facts.name
    switch facts.notice {
    case .duress:
      return Message(
        "This is Homeward. {name} was forced to end the call for help and still needs it. "
          + "Do not phone back.{called}{time}",
        ["name": name, "called": called, "time": time])
    case .acknowledged:
      return Message(
        "This is Homeward. {helper} takes charge of {name}'s alarm.",
        ["helper": facts.helper, "name": name])
    case .cancelled:
      return Message(
        "This is Homeward. {name}'s alarm is over. {closing}",
        ["name": name, "closing": facts.closing ?? ""])
    case .photo:
      return Message(
        "This is Homeward. There is a photo for {name}'s alarm.", ["name": name])
    case .test:
      return Message(
        "This is only a test of Homeward for {name}. Nobody needs help. There is nothing to do.",
        ["name": name])
    case .alarm, .news:
      return Message(
        "This is Homeward. {what}{time}", ["what": what(facts, called), "time": time])
    }
  }

  private static func what(_ facts: MessageFacts, _ called: String) -> Message {
    let (name, label) = (facts.name, facts.label)
    return switch facts.kind {
    case .sos where facts.why.isEmpty:
      Message("{name} needs help.{called}", ["name": name, "called": called])
    case .sos:
      Message(
        "{name} needs help: {why}.{called}",
        ["name": name, "why": reason(facts.why), "called": called])
    case .zone where facts.isOverdue:
      Message("{name} was expected back: {what}.", ["name": name, "what": label])
    case .zone: Message("{name} has left {zone}.", ["name": name, "zone": label])
    case .position: Message("{name} is out and cannot be located.", ["name": name])
    case .glucose:
      Message("{name}'s sugar is dangerous. {value}", ["name": name, "value": label])
    case .medicine where label.isEmpty: Message("{name} did not take a medicine.", ["name": name])
    case .medicine:
      Message("{name} did not answer a reminder: {title}.", ["name": name, "title": label])
    case .lost:
      Message("{name} needs somebody on the way to {place}.", ["name": name, "place": label])
    case .fault: Message("A part of Homeward does not work: {part}.", ["part": label])
    case .battery: Message("A battery is low: {part}.", ["part": label])
    case .test: Message("Nobody needs help.")
    }
  }

  /// A reason without the full stop that the sentence around it brings.
  private static func reason(_ words: String) -> String {
    words.last == "." || words.last == "。" ? String(words.dropLast()) : words
  }
}

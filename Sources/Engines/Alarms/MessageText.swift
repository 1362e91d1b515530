import Care
import Texts

/// A text message, or what an e-mail and a push message say: the name in front, the tag at the end, and what fits between
/// them.
///
/// The link and the tag are always whole. What gives way, in this order: the plain coordinates, which the link repeats,
/// the battery, how near the link's map begins, the end of the name, the end of the free words.
struct MessageText {
  private let facts: MessageFacts
  private var alphabet: TextAlphabet

  /// The message in its language.
  static func text(_ facts: MessageFacts) -> String { MessageText(facts).assembled }

  private init(_ facts: MessageFacts) {
    self.facts = facts
    alphabet = facts.hasRoom ? .roomy : facts.language == .zh ? .ucs2 : .gsm
    // The words of a cancel are the resident's own: rather two parts than question marks.
    if let closing = facts.closing, alphabet == .gsm, TextAlphabet.folded(closing) == nil {
      alphabet = .ucs2
    }
  }

  private var assembled: String {
    var frame = self.frame
    var middle = frame.droppable.compactMap { $0 }
    var room = self.room(frame, middle)
    let wanted =
      min(Self.wantedNameUnits, alphabet.units(frame.name))
      + min(Self.wantedReasonUnits, alphabet.units(frame.why))
    while room < wanted, !middle.isEmpty {
      middle.removeFirst()
      room = self.room(frame, middle)
    }
    let reserved = min(Self.wantedReasonUnits, alphabet.units(frame.why))
    let name = alphabet.prefix(
      frame.name, units: max(1, min(Self.wantedNameUnits, room), room - reserved))
    if room < wanted, facts.notice.isAlarm {
      frame.end = end(isShort: true)
      room = self.room(frame, middle)
    }
    // Why is said in what room the name leaves; half a reason is better than none.
    let why = alphabet.prefix(frame.why, units: max(0, room - alphabet.units(name)))
    // Plain coordinates come first to be dropped, and stand first in the text.
    let text = frame.before + name + frame.after + why + middle.joined() + frame.end
    return alphabet.prefix(text, units: max(0, alphabet.limit - alphabet.units(tag))) + tag
  }

  private static let wantedNameUnits = 12
  private static let wantedReasonUnits = 24

  private func room(_ frame: Frame, _ middle: [String]) -> Int {
    let others = [frame.before, frame.after, frame.end, tag] + middle
    return alphabet.limit - others.reduce(0) { $0 + alphabet.units($1) }
  }

  private struct Frame {
    var before = ""
    var name = ""
    var after = ""
    /// The reason given; what of it has no room is left out.
    var why = ""
    /// Pieces that may be left out, the first of them first.
    var droppable: [String?] = []
    var end = ""
  }

  private var tag: String { " #\(facts.tag)" }

  private func plain(_ text: String, units: Int) -> String {
    let folded = alphabet == .gsm ? TextAlphabet.folded(text) ?? "" : text
    return alphabet.prefix(folded, units: units)
  }

  private var name: String {
    guard alphabet == .gsm else { return facts.name }
    return TextAlphabet.folded(facts.name) ?? facts.plainName
  }

  private var why: String {
    let words = plain(facts.why, units: 500)
    guard !words.isEmpty else { return "" }
    let isEnded = words.last.map { ".!?。！？".contains($0) } ?? true
    return " \(words)" + (isEnded ? "" : facts.language == .zh ? "。" : ".")
  }

  private var label: String { plain(facts.label, units: 24) }

  // MARK: Words

  private func text(_ message: Message) -> String { message.text(in: facts.language) }

  private var frame: Frame {
    let time = facts.localTime.map {
      pgettext("in a text message", " {time}", ["time": $0], in: facts.language)
    }
    let around = words(time ?? "").parts(around: "name", in: facts.language)
    var frame = Frame(before: around.before, name: name, after: around.after)
    guard facts.notice.isAlarm else { return frame }
    frame.why = why
    frame.droppable = [facts.coordinates.map { " \($0)" }, battery.map { " \($0)" }]
    frame.end = end(isShort: false)
    return frame
  }

  private func end(isShort: Bool) -> String {
    (isUpkeep ? "" : " \(whereabouts(isShort: isShort))") + " \(reply)"
  }

  private func words(_ time: String) -> Message {
    let called =
      facts.emergencyNumber.map { text(Message(" {number} was contacted.", ["number": $0])) } ?? ""
    switch facts.notice {
    case .alarm, .news: return what(time, called)
    case .duress:
      return Message(
        "SOS DURESS {name}{time} was forced to cancel. Do not phone.{called}",
        ["time": time, "called": called])
    case .acknowledged:
      let helper = plain(facts.helper, units: alphabet == .gsm ? 40 : 30)
      return Message(
        "{helper} takes charge of the alarm of {name}{time}. You may stand back.",
        ["helper": helper.isEmpty ? text(Message("A guardian")) : helper, "time": time])
    case .cancelled:
      let closing = facts.closing ?? text(Message("The alarm is over."))
      return Message(
        "OVER: {name}{time}. {closing}",
        ["time": time, "closing": plain(closing, units: alphabet == .gsm ? 100 : 80)])
    case .photo: return Message("Photo for the alarm of {name}{time}.", ["time": time])
    case .test:
      return facts.isScheduled
        ? Message(
          "TEST ONLY, nobody needs help: the monthly test for {name}{time}. Nothing to do.",
          ["time": time])
        : Message(
          "TEST ONLY, nobody needs help: a test for {name}{time}. Nothing to do.",
          ["time": time])
    }
  }

  private func what(_ time: String, _ called: String) -> Message {
    let values: Message.Values = ["time": time, "label": label, "called": called]
    let isBare = label.isEmpty
    return switch facts.kind {
    case .sos: Message("SOS {name}{time} needs help.{called}", values)
    case .zone where facts.isOverdue:
      Message("ZONE {name}{time} was expected back: {label}.", values)
    case .zone where isBare: Message("ZONE {name}{time} left a safe zone.", values)
    case .zone: Message("ZONE {name}{time} left {label}.", values)
    case .position: Message("LOST {name}{time} is out and cannot be located.", values)
    case .glucose where isBare: Message("GLUCOSE {name}{time}: dangerous.", values)
    case .glucose: Message("GLUCOSE {name}{time}: {label}.", values)
    case .medicine where isBare: Message("MEDICINE {name}{time} did not take a medicine.", values)
    case .medicine: Message("MEDICINE {name}{time} did not answer: {label}.", values)
    case .lost: Message("WAY {name}{time} needs somebody on the way to {label}.", values)
    case .fault where isBare: Message("FAULT {name}{time} has a fault.", values)
    case .fault: Message("FAULT {name}{time}: {label} does not work.", values)
    case .battery where isBare: Message("BATTERY {name}{time} is low.", values)
    case .battery: Message("BATTERY {name}{time}: {label} is low.", values)
    case .test: Message("TEST ONLY {name}{time}: nothing to do.", values)
    }
  }

  /// Whether it is about a device, which is where it always is.
  private var isUpkeep: Bool { facts.kind == .fault || facts.kind == .battery }

  private var battery: String? {
    facts.position?.batteryPercent.map {
      text(Message("batt {percent}%", ["percent": min(100, max(0, $0))]))
    }
  }

  private func whereabouts(isShort: Bool) -> String {
    guard let link = facts.link(isShort: isShort) else { return text(Message("Position unknown.")) }
    let accuracy = facts.accuracy.map { text(Message("+-{meters}m", ["meters": $0])) + " " } ?? ""
    return "\(accuracy)\(text(facts.age)) \(link)"
  }

  /// What to do, as far as whoever reads it can.
  private var reply: String {
    guard !facts.hasRoom else { return whatToDo }
    return isUpkeep
      ? text(Message("Reply 1 = I see to it")) : text(Message("Reply 1 = I am going"))
  }

  private var whatToDo: String {
    let values: Message.Values = ["name": facts.name, "command": command]
    switch facts.answer {
    case .reply, .phone:
      return isUpkeep
        ? text(Message("Answer 1 to the text message to say that you see to it."))
        : text(
          Message(
            "Answer 1 to the text message, or press 1 in the call, to say that you are going."))
    case .inPerson where isUpkeep:
      return text(
        Message("What to do: homeward status. To say that you see to it: {command}", values))
    case .inPerson where facts.notice == .duress:
      return text(
        Message(
          "Get help to go there. The PIN of {name} ends the alarm: homeward sos cancel --pin",
          values))
    case .inPerson:
      return text(
        Message(
          "What to do: call {name}, or go there. To say that you are going, at the gateway: {command}",
          values))
    }
  }

  private var command: String {
    guard case .inPerson(let guardian) = facts.answer else { return "" }
    return "homeward sos acknowledge \(facts.tag) --by \(guardian)"
  }
}

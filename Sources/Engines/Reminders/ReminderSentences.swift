import Care
import Texts

/// What a resident hears about the routine: name, time, one action, the same words each day.
///
/// The time of day is a part of its own between the greeting and the action, spoken by the clock; so the other sentences
/// never change and are ready before they are needed.
struct ReminderSentences: Hashable, Sendable {
  let language: Language
  let name: String

  /// The most titles that are named at once.
  static let titlesAtMost = 3

  private func sentence(_ text: Message) -> Sentence {
    Sentence(text.text(in: language), language: language.rawValue)
  }

  /// Whom the reminder is for.
  var greeting: Sentence {
    sentence(Message("{name},", context: "before a reminder", ["name": name]))
  }

  /// What to do, for one thing: now, or at a time of day that comes while nothing is said.
  func action(_ item: RoutineItem, time: String? = nil) -> Sentence {
    let what = phrase(item)
    if let time {
      if item.place.isEmpty {
        return sentence(Message("At {time}: {what}.", ["time": time, "what": what]))
      }
      return sentence(
        Message(
          "At {time}: {what}, {place}.", ["time": time, "what": what, "place": item.place]))
    }
    switch item.kind {
    case .medicine: return sentence(Message("Please take your {medicine}.", ["medicine": what]))
    case .appointment:
      if item.place.isEmpty {
        return sentence(Message("You have an appointment: {what}.", ["what": what]))
      }
      return sentence(
        Message("You have an appointment: {what}, {place}.", ["what": what, "place": item.place]))
    case .routine: return sentence(Message("It is time for: {what}.", ["what": what]))
    }
  }

  /// What to do now, for several things.
  func action(_ items: [RoutineItem], times: [String?] = [], others: Int) -> Sentence {
    let named = items.enumerated().map { place, item in
      let what = phrase(item)
      guard place < times.count, let time = times[place] else { return what }
      return pgettext(
        "something and its time", "{what} at {time}", ["what": what, "time": time], in: language)
    }
    if others > 0 {
      return sentence(
        Message(
          "Please see to: {things}; and {n} more.",
          plural: "Please see to: {things}; and {n} more.",
          others, ["things": joined(named)]))
    }
    return sentence(
      Message(
        "Please see to: {things}; and {last}.",
        ["things": joined(named.dropLast()), "last": named.last ?? ""]))
  }

  private func phrase(_ item: RoutineItem) -> String {
    if item.dose.isEmpty { return item.title }
    return pgettext(
      "medicine and dose", "{medicine}, {dose}", ["medicine": item.title, "dose": item.dose],
      in: language)
  }

  private func joined(_ things: some Sequence<String>) -> String {
    Array(things).joined(separator: pgettext("between things", "; ", in: language))
  }

  /// Something will be due soon.
  func notice(_ item: RoutineItem, minutes: Int64) -> Sentence {
    sentence(
      Message(
        "In {n} minute: {what}.", plural: "In {n} minutes: {what}.", Int(clamping: minutes),
        ["what": item.title]))
  }

  /// A kind word after something was done.
  var praise: Sentence { sentence(Message("Well done, {name}.", ["name": name])) }

  /// What was answered: done.
  func noted(_ items: [RoutineItem]) -> Sentence {
    sentence(Message("Done: {things}.", ["things": titles(items)]))
  }

  /// What was answered: not now.
  func declined(_ items: [RoutineItem]) -> Sentence {
    sentence(
      Message("All right, {name}. Not now: {things}.", ["name": name, "things": titles(items)]))
  }

  /// What was put off, because it is too important to be left.
  func putOff(_ items: [RoutineItem], minutes: Int64) -> Sentence {
    sentence(
      Message(
        "All right, {name}. I ask again in {n} minute: {things}.",
        plural: "All right, {name}. I ask again in {n} minutes: {things}.", Int(clamping: minutes),
        ["name": name, "things": titles(items)]))
  }

  /// It cannot be put off any more.
  func notAgain(_ items: [RoutineItem]) -> Sentence {
    sentence(
      Message(
        "{name}, please do not wait any longer: {things}.",
        ["name": name, "things": titles(items)]))
  }

  private func titles(_ items: [RoutineItem]) -> String { joined(items.map(\.title)) }
}

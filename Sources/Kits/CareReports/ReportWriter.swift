import Care
import CivilTime
import JSON
import Moments
import Texts

/// What the reports have in common: words, dates, and who it is about.
struct ReportWriter {
  let request: ReportRequest
  let answers: ReportAnswers

  func text(_ message: Message) -> String { message.text(in: request.language) }

  var resident: JSONValue {
    answers.list("residents.list").first { $0["id"]?.stringContent == request.resident } ?? .null
  }

  var profile: JSONValue { answers["profile.get"] }

  /// The whole name, or what they are called.
  var name: String {
    profile["name"]?.stringContent ?? resident["name"]?.stringContent ?? request.resident
  }

  /// A date where the resident lives, such as `2026-11-27`.
  func date(_ moment: Timestamp) -> String { request.zone.local(at: moment).civil.iso8601Date }

  /// A date and a time there, such as `2026-11-27 07:40`.
  func clock(_ moment: Timestamp) -> String {
    let civil = request.zone.local(at: moment).civil
    return "\(civil.iso8601Date) \(civil.iso8601Time.prefix(5))"
  }

  /// A date and a time of a moment as the gateway writes it; a dash for none.
  func clock(_ json: JSONValue?) -> String {
    json?.stringContent.flatMap { try? Timestamp(iso8601: $0) }.map { clock($0) } ?? "–"
  }

  /// The last day of the period: its end is not within it.
  private var lastDay: String { date(request.until.advanced(byMilliseconds: -1)) }

  var period: String {
    text(
      Message(
        "From {from} to {until}", ["from": date(request.since), "until": lastDay]))
  }

  /// Whole years; nil where nobody told the date of birth.
  var age: Int? {
    guard let birth = profile["birthDate"]?.stringContent,
      let born = try? CivilDateTime(localText: "\(birth)T00:00")
    else { return nil }
    let now = request.zone.local(at: request.now).civil
    let hadBirthday = (now.month, now.day) >= (born.month, born.day)
    return now.year - born.year - (hadBirthday ? 0 : 1)
  }

  var born: String? {
    guard let birth = profile["birthDate"]?.stringContent, let age else { return nil }
    return text(
      Message(
        "Born on {date} ({n} year old)", plural: "Born on {date} ({n} years old)", age,
        ["date": birth]))
  }

  var sex: String? {
    switch profile["sex"]?.stringContent {
    case "female": text(Message("Female"))
    case "male": text(Message("Male"))
    case "intersex": text(Message("Intersex"))
    default: nil
    }
  }

  var diabetes: String? {
    switch profile["diabetes"]?.stringContent {
    case "none": text(Message("No diabetes"))
    case "type-1": text(Message("Diabetes: {type}", ["type": Message("Type 1")]))
    case "type-2": text(Message("Diabetes: {type}", ["type": Message("Type 2")]))
    case "gestational": text(Message("Diabetes: {type}", ["type": Message("In a pregnancy")]))
    case "other": text(Message("Diabetes: {type}", ["type": Message("Another one")]))
    default: nil
    }
  }

  /// What could not be asked, so that nobody takes a silence for an answer.
  func missing(_ routes: String...) -> [ReportPart] {
    routes.compactMap { route in
      answers.refusal(route).map {
        .doubt(text(Message("This is missing here: {reason}", ["reason": $0])))
      }
    }
  }

  /// That there is nothing; nothing of the kind where it could not be asked.
  func none(_ words: Message, of routes: String...) -> [ReportPart] {
    routes.contains { answers.refusal($0) != nil } ? [] : [.paragraph(text(words))]
  }

  /// How regularly an item was done in the period; nil where that could not be asked.
  func adherence(of item: JSONValue) -> Adherence? {
    guard answers.refusal("occurrences.query") == nil else { return nil }
    let own = answers.list("occurrences.query").compactMap { try? Occurrence(json: $0) }.filter {
      $0.item.rawValue == item["id"]?.stringContent
    }
    let days = request.until.milliseconds(since: request.since) / 86_400_000 + 1
    return Adherence(own, days: days, before: min(request.until, request.now))
  }

  func document(_ title: String, lines: [String?], _ parts: [ReportPart]) -> ReportDocument {
    ReportDocument(
      title: title, lines: lines.compactMap { $0 },
      language: request.language == .zh ? "zh-Hans" : "en", parts: parts,
      foot: text(
        Message(
          "{name} · made by Homeward on {date} · no medical advice",
          ["name": name, "date": clock(request.now)])))
  }
}

extension ReportDocument {
  /// The report that was asked for.
  public init(_ request: ReportRequest, _ answers: ReportAnswers) {
    let writer = ReportWriter(request: request, answers: answers)
    switch request.kind {
    case .doctor: self = DoctorReport(writer: writer).document
    case .week: self = WeekReport(writer: writer).document
    case .missing: self = MissingSheet(writer: writer).document
    }
  }
}

import Care
import JSON
import Moments
import Texts

/// For the police, when somebody is missing: what they look like, where they were last, where they may go, what they need.
struct MissingSheet {
  let writer: ReportWriter

  private func text(_ message: Message) -> String { writer.text(message) }

  private var portrait: Note? {
    writer.answers.list("notes.query").first.flatMap { try? Note(json: $0) }
  }

  var document: ReportDocument {
    writer.document(
      text(Message("Missing person: {name}", ["name": writer.name])),
      lines: [
        writer.born, writer.sex,
        text(Message("As of {time}", ["time": writer.clock(writer.request.now)])),
      ], looks + last + places + medicine + phones)
  }

  private var looks: [ReportPart] {
    var parts: [ReportPart] = [
      .heading(text(Message("What {name} looks like", ["name": writer.name])))
    ]
    parts += writer.missing("notes.query")
    let picture = portrait?.pictures.first
    if let picture {
      parts.append(
        .picture(
          id: picture.rawValue,
          words: text(Message("Photograph of {name}", ["name": writer.name]))))
    }
    let words = portrait?.text ?? ""
    guard writer.answers.refusal("notes.query") == nil else { return parts }
    parts.append(
      words.isEmpty
        ? .doubt(
          text(
            Message("Nobody has written down yet what {name} looks like.", ["name": writer.name])))
        : .paragraph(words))
    if picture == nil {
      parts.append(.doubt(text(Message("There is no photograph."))))
    }
    return parts
  }

  private var last: [ReportPart] {
    let head: [ReportPart] =
      [.heading(text(Message("Where {name} was last", ["name": writer.name])))]
      + writer.missing("residents.list")
    let position = writer.resident["tracking"]?["position"]
    guard let position, let place = try? Coordinate(json: position) else {
      return head + [
        .doubt(text(Message("No position is known.")))
      ]
    }
    let degrees = "\(place.latitudeDegrees), \(place.longitudeDegrees)"
    var facts = [
      ReportFact(text(Message("Seen")), writer.clock(position["time"])),
      ReportFact(text(Message("Latitude, longitude")), degrees),
    ]
    if let near = position["address"]?.stringContent {
      facts.append(ReportFact(text(Message("Near")), near))
    }
    if let meters = position["accuracyMeters"]?.doubleContent, meters.isFinite {
      facts.append(
        ReportFact(
          text(Message("How sure")),
          text(Message("within {n} m", ["n": Int64(min(meters, 1e6).rounded(.up))]))))
    }
    var parts = head + [.facts(facts)]
    if let time = position["time"]?.stringContent.flatMap({ try? Timestamp(iso8601: $0) }),
      writer.request.now.milliseconds(since: time) > 600_000
    {
      parts.append(
        .doubt(text(Message("This position is more than ten minutes old."))))
    }
    return parts
  }

  private var places: [ReportPart] {
    let all = (writer.answers.list("bookmarks.list") + writer.answers.list("guidance.places"))
      .filter { $0["resident"]?.stringContent == writer.request.resident }
    let head: [ReportPart] =
      [.heading(text(Message("Usual places")))]
      + writer.missing("bookmarks.list", "guidance.places")
    guard !all.isEmpty else {
      return head
        + writer.none(
          Message("No place is kept yet."), of: "bookmarks.list", "guidance.places")
    }
    return head + [
      .table(
        header: [text(Message("Place")), text(Message("Address"))],
        rows: all.map {
          let place = try? Coordinate(json: $0["coordinate"] ?? $0)
          let degrees = place.map { "\($0.latitudeDegrees), \($0.longitudeDegrees)" } ?? ""
          let address = $0["address"]?.stringContent ?? ""
          return [$0["name"]?.stringContent ?? "", address.isEmpty ? degrees : address]
        })
    ]
  }

  private var medicine: [ReportPart] {
    let items = writer.answers.list("routine.list").filter {
      $0["resident"]?.stringContent == writer.request.resident && $0["kind"] == "medicine"
    }
    var parts: [ReportPart] =
      [.heading(text(Message("Medicine and illness")))]
      + writer.missing("routine.list", "profile.get")
    if let diabetes = writer.diabetes { parts.append(.paragraph(diabetes)) }
    guard !items.isEmpty else {
      return parts + writer.none(Message("No medicine is planned."), of: "routine.list")
    }
    return parts + [
      .table(
        header: [text(Message("Medicine")), text(Message("Dose")), text(Message("Last taken"))],
        rows: items.map {
          [
            $0["title"]?.stringContent ?? "", $0["dose"]?.stringContent ?? "",
            writer.clock($0["lastDone"]),
          ]
        })
    ]
  }

  private var phones: [ReportPart] {
    let guardians = writer.answers.list("guardians.list").filter {
      $0["resident"]?.stringContent == writer.request.resident
    }
    let head: [ReportPart] =
      [.heading(text(Message("Whom to call")))] + writer.missing("guardians.list")
    let rows = guardians.map {
      [$0["name"]?.stringContent ?? "", $0["phone"]?.stringContent ?? "–"]
    }
    guard writer.answers.refusal("guardians.list") == nil else { return head }
    return head
      + (rows.isEmpty
        ? [.doubt(text(Message("Nobody is told of alarms.")))]
        : [.table(header: [text(Message("Name")), text(Message("Phone number"))], rows: rows)])
  }
}

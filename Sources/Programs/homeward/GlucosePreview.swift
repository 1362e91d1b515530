import Care
import CivilTime
import Glucose
import GlucoseValues
import JSON
import Moments
import Texts

/// What an import found, before anything is changed.
struct GlucosePreview {
  var table: GlucoseTable
  var found: GlucoseImport
  var resident: Resident
  var zone: CivilTimeZone
  /// The unit to show; that of most readings where nil.
  var unit: GlucoseUnit?

  private var lowest: GlucoseReading? {
    found.fresh.min { $0.level.milligramsPerDecilitre < $1.level.milligramsPerDecilitre }
  }
  private var highest: GlucoseReading? {
    found.fresh.max { $0.level.milligramsPerDecilitre < $1.level.milligramsPerDecilitre }
  }

  var text: String {
    var lines = [
      ngettext(
        "{n} new reading for the journal of {name}.", "{n} new readings for the journal of {name}.",
        found.fresh.count, ["name": resident.name])
    ]
    if let first = found.fresh.last, let last = found.fresh.first, let lowest, let highest {
      let unit = unit ?? GlucoseArguments.usualUnit(found.fresh.map(\.level))
      lines.append(
        gettext(
          "From {first} through {last}, {zone}.",
          ["first": local(first.time), "last": local(last.time), "zone": zone.name]))
      lines.append(
        gettext(
          "From {lowest} through {highest}.",
          ["lowest": lowest.level.text(in: unit), "highest": highest.level.text(in: unit)]))
    }
    lines += [
      count(
        found.knownLines,
        Message("{n} is known already.", plural: "{n} are known already.", found.knownLines.count)),
      count(
        found.repeatedLines,
        Message(
          "{n} is in the file twice.", plural: "{n} are in the file twice.",
          found.repeatedLines.count)),
      count(
        found.futureLines,
        Message(
          "{n} is left out: its time is still to come.",
          plural: "{n} are left out: their time is still to come.", found.futureLines.count)),
      count(
        found.gapLines,
        Message(
          "{n} has a time that the clock jumped over in spring: it counts an hour later.",
          plural: "{n} have a time that the clock jumped over in spring: they count an hour later.",
          found.gapLines.count)),
      count(
        found.ambiguousLines,
        Message(
          "{n} has a time that the clock showed twice in autumn: it counts as the first.",
          plural: "{n} have a time that the clock showed twice in autumn: they count as the first.",
          found.ambiguousLines.count)),
      others, skipped,
    ].compactMap { $0 }
    return lines.map { TextWidth.printable($0) + "\n" }.joined()
  }

  private var others: String? {
    guard table.otherRecordCount > 0 else { return nil }
    return ngettext(
      "{n} line is about something else than glucose.",
      "{n} lines are about something else than glucose.", table.otherRecordCount, [:])
  }

  private var skipped: String? {
    guard !table.faults.isEmpty else { return nil }
    return ngettext(
      "{n} line is no reading and left out.", "{n} lines are no readings and left out.",
      table.faults.count, [:])
  }

  /// A sentence with the first lines that it is about.
  private func count(_ lines: [Int], _ sentence: Message) -> String? {
    guard let first = lines.first else { return nil }
    let named =
      lines.count == 1
      ? gettext("(line {line})", ["line": first])
      : gettext(
        "(lines {lines})",
        [
          "lines": lines.prefix(8).map(String.init).joined(separator: ", ")
            + (lines.count > 8 ? " …" : "")
        ])
    return "\(sentence.spoken) \(named)"
  }

  private func local(_ time: Timestamp) -> String {
    let civil = zone.local(at: time).civil
    return "\(civil.iso8601Date) \(civil.iso8601Time.dropLast(3))"
  }

  var json: JSONValue {
    .object([
      "resident": .string(resident.id.rawValue), "zone": .string(zone.name),
      "new": .integer(Int64(found.fresh.count)),
      "known": .integer(Int64(found.knownLines.count)),
      "first": (found.fresh.last?.time.iso8601).map { .string($0) },
      "last": (found.fresh.first?.time.iso8601).map { .string($0) },
      "lowest": (lowest?.level.text()).map { .string($0) },
      "highest": (highest?.level.text()).map { .string($0) },
      "repeatedLines": numbers(found.repeatedLines), "futureLines": numbers(found.futureLines),
      "gapLines": numbers(found.gapLines), "ambiguousLines": numbers(found.ambiguousLines),
      "otherRecords": .integer(Int64(table.otherRecordCount)),
      "faults": GlucoseFile.json(table.faults),
    ])
  }

  private func numbers(_ lines: [Int]) -> JSONValue {
    .array(lines.map { .integer(Int64($0)) })
  }
}

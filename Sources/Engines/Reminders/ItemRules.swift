import Care
import Recurrence
import Texts

/// What an item may be.
struct ItemRules {
  let household: Household
  /// Pictures that are stored.
  let pictures: Set<PictureID>

  /// Looks at an item that somebody brings.
  ///
  /// - Throws: what is wrong with it.
  func check(_ item: RoutineItem) throws(CommandReply.Refusal) {
    let isID =
      (1...64).contains(item.id.rawValue.utf8.count)
      && item.id.rawValue.utf8.allSatisfy {
        (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D
      }
    guard isID else {
      throw CommandReply.Refusal(
        .invalid,
        Message("The id of an item has 1 through 64 lower-case letters, digits and hyphens."))
    }
    guard household.residents[item.resident] != nil else {
      throw CommandReply.Refusal(
        .unknownTarget,
        Message(
          "There is no resident \"{id}\". List them with: homeward residents",
          ["id": String(item.resident.rawValue.prefix(64))])
      )
    }
    if let picture = item.picture, !pictures.contains(picture) {
      throw Validation.unknownPicture(picture)
    }
    try checkTexts(item)
    try checkNumbers(item)
    try check(item.schedule)
  }

  private func checkTexts(_ item: RoutineItem) throws(CommandReply.Refusal) {
    guard (1...200).contains(item.title.unicodeScalars.count),
      item.title.contains(where: { !$0.isWhitespace }), Self.isOneLine(item.title)
    else {
      throw CommandReply.Refusal(
        .invalid,
        Message(
          "The title of an item has 1 through 200 characters, in any script, on one line."))
    }
    guard item.place.unicodeScalars.count <= 200, Self.isOneLine(item.place) else {
      throw CommandReply.Refusal(
        .invalid, Message("The place has at most 200 characters, on one line."))
    }
    guard item.dose.unicodeScalars.count <= 100, Self.isOneLine(item.dose) else {
      throw CommandReply.Refusal(
        .invalid, Message("The dose has at most 100 characters, on one line."))
    }
    guard item.details.unicodeScalars.count <= 10_000,
      !item.details.unicodeScalars.contains("\0")
    else {
      throw CommandReply.Refusal(.invalid, Message("The details have at most 10,000 characters."))
    }
    guard item.event.utf8.count <= 100, Self.isOneLine(item.event) else {
      throw CommandReply.Refusal(
        .invalid, Message("The fingerprint of an event has at most 100 characters."))
    }
    guard item.source.unicodeScalars.count <= 100 else {
      throw CommandReply.Refusal(
        .invalid, Message("The name of a calendar has at most 100 characters."))
    }
    guard let recording = item.recording else { return }
    guard recording.hasPrefix("/"), recording.utf8.count <= 1_000, Self.isOneLine(recording) else {
      throw CommandReply.Refusal(
        .invalid, Message("The recording is the whole path of a WAV file and starts with \"/\"."))
    }
  }

  private static func isOneLine(_ text: String) -> Bool {
    !text.unicodeScalars.contains { $0.properties.generalCategory == .control }
  }

  private func checkNumbers(_ item: RoutineItem) throws(CommandReply.Refusal) {
    if let fault = item.timing.fault { throw CommandReply.Refusal(.invalid, fault) }
    guard let stock = item.stock else { return }
    guard (UnitCount(0)...100_000).contains(stock.units),
      (UnitCount(hundredths: 1)...1_000).contains(stock.unitsPerDose),
      (0...365).contains(stock.warnDays)
    else {
      throw CommandReply.Refusal(
        .invalid,
        Message(
          "A stock has 0 through 100,000 units, 0.01 through 1,000 a dose, and warns 0 through 365 days ahead."
        )
      )
    }
  }

  private func check(_ schedule: Schedule) throws(CommandReply.Refusal) {
    if let fault = schedule.fault { throw CommandReply.Refusal(.invalid, fault.message) }
    guard let name = schedule.timeZone else { return }
    guard let zone = household.timeZones[name] else { throw Self.unknownZone(name) }
    // One that is over is fine: calendars keep what is past.
    guard let fault = schedule.problem(in: zone) else { return }
    throw CommandReply.Refusal(.invalid, fault.message)
  }

  static func unknownZone(_ name: String) -> CommandReply.Refusal {
    CommandReply.Refusal(
      .invalid,
      Message(
        "There is no time zone \"{zone}\" on this machine. A time zone is written as in Europe/Oslo; see the folder /usr/share/zoneinfo.",
        ["zone": String(name.prefix(64))]))
  }
}

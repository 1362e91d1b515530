import Care
import Door
import GlucoseValues
import JSON
import Texts

/// What the commands about glucose read from their arguments.
enum GlucoseArguments {
  static let unitOption = OptionSpecification.option(
    "unit", "mg/dL|mmol/L",
    gettext("The unit to show; the resident's (setting glucoseUnit) unless set"))

  /// The unit of `--unit`; nil without it.
  static func unit(
    _ session: Session, _ command: CommandSpecification
  ) throws(CommandFailure) -> GlucoseUnit? {
    guard let text = session.arguments.option("unit") else { return nil }
    guard let unit = GlucoseUnit(written: text) else {
      throw .usage(gettext("--unit \"{value}\" must be mg/dL or mmol/L.", ["value": text]), command)
    }
    return unit
  }

  /// The unit that a resident's readings are shown in: the one asked for, else theirs; nil where none is set.
  static func unit(
    _ asked: GlucoseUnit?, of resident: Resident, _ session: Session
  ) throws(CommandFailure) -> GlucoseUnit? {
    // What programs read is as it was measured.
    if asked != nil || session.wantsJSON { return asked }
    let settings = try session.call(.settingsList, ["resident": .string(resident.id.rawValue)])
    return settings["glucoseUnit"]?.stringContent.flatMap { GlucoseUnit(rawValue: $0) }
  }

  /// The unit that most levels came in.
  static func usualUnit(_ levels: [GlucoseConcentration]) -> GlucoseUnit {
    let moles = levels.filter { $0.unit == .millimolesPerLitre }.count
    return moles * 2 > levels.count ? .millimolesPerLitre : .milligramsPerDecilitre
  }

  /// What a meter shows instead of a number, HI or LO, alone or with a unit; nil for a number.
  static func showing(_ words: [String]) -> GlucoseLevelFault.End? {
    let text = words.joined()
    let letters = text.prefix { $0.isLetter || $0.isNumber }
    for word in [text, words[0], String(letters)] {
      if let end = GlucoseLevelFault.End(shown: word) { return end }
    }
    return nil
  }

  /// A level with its unit, in one word or two; nobody guesses a unit.
  static func level(
    _ words: [String], _ command: CommandSpecification
  ) throws(CommandFailure) -> GlucoseConcentration {
    do throws(GlucoseLevelFault) {
      return try GlucoseConcentration(withUnit: words.joined())
    } catch { throw .usage(error.message.spoken, command) }
  }

  /// The tag of an option, from the list or in one's own words; nil without it.
  static func tag(
    _ session: Session, _ command: CommandSpecification
  ) throws(CommandFailure) -> GlucoseTag? {
    guard let text = session.arguments.option("tag") else { return nil }
    guard let tag = GlucoseTag(written: text) else {
      throw .usage(
        gettext(
          "--tag \"{value}\" must be one line of 1 through {limit} characters.",
          ["value": text, "limit": GlucoseTag.ownAtMost]), command)
    }
    return tag
  }
}

public import Care
import GlucoseFigures
import GlucoseValues
import JSON

extension GlucoseEngine {
  /// What is told of readings of glucose.
  public static let events: [EventDeclaration] = readings + limits + [month]

  private static let readings = [
    EventDeclaration(
      .glucoseRecorded, [.record], "A reading of glucose came in.", reading),
    EventDeclaration(
      .glucoseCorrected, [.record], "A reading of glucose was changed.", reading),
    EventDeclaration(
      .glucoseRemoved, [.record],
      "A reading of glucose was removed; the event holds it as it was last.", reading),
  ]

  private static let limits = [
    EventDeclaration(
      .glucoseLow, [.record, .alarm],
      "A fresh reading lies below the resident's limit; in the lane of alarms where an alarm comes of it.",
      beyond),
    EventDeclaration(
      .glucoseVeryLow, [.record, .alarm],
      "A fresh reading lies below the resident's lower limit, or below what the meter can measure.",
      beyond),
    EventDeclaration(
      .glucoseHigh, [.record, .alarm],
      "A fresh reading lies above the resident's limit, or above what the meter can measure.",
      beyond),
    EventDeclaration(
      .glucoseSettled, [.record, .alarm],
      "After a reading beyond a limit a later one lies within.",
      [
        .word("was", of: GlucoseStanding.self, "Where the earlier one lay."),
        .text("reading", "The id of the later one.").optional,
      ],
      .health([
        EventFact(
          "value", .text(JSONShape.Writing(example: "5.6 mmol/L")), "Its level, with its unit."
        ).optional, .explanation,
      ])),
  ]

  private static let month = EventDeclaration(
    .glucoseMonth, [.record], "The means of a calendar month, told at the end of each day.",
    [
      EventFact(
        "month", .text(JSONShape.Writing(pattern: "^[0-9]{4}-[0-9]{2}$", example: "2026-11")),
        "Which month, by the clock of the resident."),
      .flag("isOver", "Whether no day of it is to come."),
      EventFact("through", .date, "The last day that is in it."),
      .flag(
        "isComplete", "Whether all readings of the month are known; else the means are absent."),
    ],
    .health([
      .object("all", mean, "Of all readings.").optional,
      .object("beforeMeals", mean, "Of those before meals.").optional,
      .object("afterMeals", mean, "Of those after meals.").optional, .explanation,
    ]))

  // MARK: What several have

  private static let mean: [EventFact] = [
    .whole("count", "How many."), .number("meanMgPerDl", "Their mean."),
    .text("minimum", "The lowest, with its unit."), .text("maximum", "The highest, with its unit."),
    .word("band", of: GlucoseBand.self, "Where the mean lies."),
  ]

  private static let reading: [EventFact] =
    [
      .text("reading", "The id of the reading, the same in its corrections and its removal."),
      EventFact("time", .time, "When it was measured, with the offset of that place."),
      .word("sensor", of: GlucoseReading.Sensor.self, "What measured it."),
      .word("source", of: GlucoseReading.Source.self, "How it came here."),
      EventFact.object("meter", [.text("name", "What it calls itself.")], "The device.").plain
        .optional,
      .text(
        "timeDoubt",
        "Why the time may be wrong, in the gateway's language. Never show such a time as if it were sure."
      ).optional, .whole("revision", "How often it was changed."),
    ]
    + .health([
      EventFact(
        "value", .text(JSONShape.Writing(example: "5.6")),
        "The level, a decimal number as a text, digit by digit as it was received."),
      .word("unit", of: GlucoseUnit.self, "Its unit."),
      .whole("mgdl", "The same in whole mg/dL, for peers that know nothing else."),
      .text("tag", "What somebody noted with it: a word of the list, or their own.").optional,
      .word("band", of: GlucoseBand.self, "Where it lies, by the bands of the pages."),
      .word("clinicalBand", of: ClinicalBand.self, "Where it lies, by those of clinics."),
      EventFact("previous", .anything, "In a correction, the reading as it was before it.")
        .optional,
      .explanation,
    ]) + .contacts([.by.optional])

  private static let beyond: [EventFact] =
    [
      .word("severity", ["alarm", "notice"], "How urgent it is."),
      .text("reading", "The id of the reading.").optional,
      .time("time", "When it was measured."),
      .flag("isTimeCertain", "Whether that time is sure."),
      .text("origin", "The meter, or who typed it in."),
    ]
    + .health([
      EventFact(
        "value", .text(JSONShape.Writing(example: "3.4 mmol/L")), "The level, with its unit."),
      .text("label", "The level in a few words."),
      .number("mgPerDl", "The level.").optional,
      .text("limit", "The resident's limit, with its unit.").optional, .explanation,
    ])
}

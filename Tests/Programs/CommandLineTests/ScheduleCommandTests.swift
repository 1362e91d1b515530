import Foundation
import JSON
import Moments
import TestSupport
import Testing

@Suite struct ScheduleCommandTests {
  private let tool = Tool(environment: ["HOMEWARD_SOCKET": "/nowhere/s"])

  private func schedule(
    _ start: String, _ zone: String, _ rule: String, _ more: String...
  ) throws -> Tool.Outcome {
    try tool.run(["schedule", "--start", start, "--zone", zone, "--rule", rule] + more)
  }

  private func instants(
    _ start: String, _ zone: String, _ rule: String, _ more: String...
  ) throws -> [String] {
    let outcome = try tool.run(
      ["schedule", "--start", start, "--zone", zone, "--rule", rule, "--json"] + more)
    #expect(outcome.code == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
    return try JSONValue(parsing: outcome.output).arrayContent?.compactMap(\.stringContent) ?? []
  }

  @Test func dueTimesAreInstantsWithTheirOffset() throws {
    #expect(
      try instants("2026-03-28T02:30", "Europe/Madrid", "daily", "--count", "3") == [
        "2026-03-28T02:30:00+01:00", "2026-03-29T03:30:00+02:00", "2026-03-30T02:30:00+02:00",
      ])
    #expect(
      try instants("2026-10-24 02:30:00", "Europe/Madrid", "FREQ=DAILY;COUNT=3") == [
        "2026-10-24T02:30:00+02:00", "2026-10-25T02:30:00+02:00", "2026-10-26T02:30:00+01:00",
      ])
    #expect(
      try instants("20260131T080000", "America/St_Johns", "monthly", "--count=2") == [
        "2026-01-31T08:00:00-03:30", "2026-03-31T08:00:00-02:30",
      ])
    #expect(
      try instants(
        "2026-01-31T08:00", "Etc/UTC", "monthly", "--count=2", "--month-end", "last-day") == [
          "2026-01-31T08:00:00+00:00", "2026-02-28T08:00:00+00:00",
        ])
    #expect(
      try instants(
        "2026-07-01T08:00", "Asia/Kolkata", "daily", "--times=20:00, 08:00", "--until=2026-07-01")
        == [
          "2026-07-01T08:00:00+05:30", "2026-07-01T20:00:00+05:30",
        ])
    #expect(
      try instants("2026-07-01T08:00", "Etc/UTC", "daily", "--until", "2026-07-02T07:59") == [
        "2026-07-01T08:00:00+00:00"
      ])
    #expect(try instants("2026-07-01T08:00", "Etc/UTC", "once") == ["2026-07-01T08:00:00+00:00"])
    #expect(try instants("2026-07-01T08:00", "Etc/UTC", "hourly").count == 10)
    #expect(
      try instants("1900-07-01T08:00", "Etc/UTC", "hourly", "--count", "10000").count == 10_000)
    #expect(try tool.run(["schedule", "--rule", "never", "--json"]).output == "[]\n")
  }

  @Test func anOffsetWithSecondsIsCutAndTheMomentStays() throws {
    // Amsterdam was 19 minutes and 32 seconds ahead of Greenwich until 1937.
    let instants = try instants("1930-01-15T12:00", "Europe/Amsterdam", "once")
    let moment = try Timestamp(iso8601: try #require(instants.first))
    let offset = try #require(instants.first).suffix(6)
    #expect(
      offset == "+00:19" && moment.iso8601 == "1930-01-15T11:40:28.000Z" || offset == "+00:00")
  }

  @Test func theTableSpeaksTheLanguageOfTheEnvironment() throws {
    let chinese = Tool(environment: ["HOMEWARD_SOCKET": "/nowhere/s", "LC_ALL": "zh_CN.UTF-8"])
    let outcome = try chinese.run([
      "schedule", "--start", "2026-03-29T02:30", "--zone", "Europe/Madrid", "--rule", "once",
      "--quiet-hours", "none",
    ])
    #expect(
      outcome.output == """
        时间：一次，2026年3月29日02:30（Europe/Madrid）。

        日期             时间   UTC     说明
        周日 2026-03-29  03:30  +02:00  02:30因时钟拨快而不存在，改为03:30

        就这些：此后不再有。

        """)
    let wrong = try chinese.run(["schedule", "--start", "x", "--zone", "Etc/UTC", "--rule", "once"])
    #expect(wrong.code == 2 && wrong.errors.contains("不是当地的日期和时间"))
  }

  @Test func theTableSaysWhatTheClockDoes() throws {
    let spring = try schedule("2026-03-28T02:30", "Europe/Madrid", "daily", "--count", "2")
    #expect(
      spring.output == """
        Due every day at 02:30 (Europe/Madrid).

        DAY                  TIME   UTC     REMARK
        Saturday 2026-03-28  02:30  +01:00  in the quiet hours
        Sunday 2026-03-29    03:30  +02:00  in the quiet hours; 02:30 does not exist, because the clock is set forward; it is due at 03:30 instead

        """)
    let autumn = try schedule(
      "2026-10-25T02:30", "Europe/Madrid", "FREQ=DAILY;COUNT=1", "--quiet-hours", "none")
    #expect(
      autumn.output.contains(
        "Sunday 2026-10-25  02:30  +02:00  02:30 comes twice on that day, because the clock is set back; it is due the first time only\n"
      ))
    #expect(autumn.output.hasSuffix("\nThat is all: nothing is due after that.\n"))
    let leftOut = try schedule("2011-12-30T08:00", "Pacific/Apia", "once")
    #expect(
      leftOut.output.contains(
        "08:00 on 2011-12-30 does not exist, because the clock is set forward; it is due at 08:00 instead"
      ))
    #expect(
      try tool.run(["schedule", "--rule", "never"]).output
        == "Due never; it is written down only.\n")
  }

  @Test func aMomentThatTwoLocalTimesMeanIsSaidToBeOne() throws {
    let spring = try schedule(
      "2026-03-29T02:30", "Europe/Madrid", "daily", "--times", "02:30,03:30,04:30", "--count", "3",
      "--quiet-hours", "none")
    #expect(
      spring.output.contains(
        """
        Sunday 2026-03-29  03:30  +02:00  02:30 does not exist, because the clock is set forward; it is due at 03:30 instead
        Sunday 2026-03-29  03:30  +02:00  this is the same moment as the line above; it is reminded of once
        Sunday 2026-03-29  04:30  +02:00

        """), "\(spring.output)")
    let autumn = try schedule(
      "2026-10-25T02:30", "Europe/Madrid", "daily", "--times", "02:30,03:30", "--count", "2")
    #expect(!autumn.output.contains("the same moment"))
  }

  @Test(arguments: [
    (["--count", "0"], "--count \"0\" must be a whole number from 1 to 10000."),
    (["--count", "10001"], "from 1 to 10000."), (["--count", "many"], "from 1 to 10000."),
    (["--times", "8.00"], "--times \"8.00\" is no time of day. Write 24-hour times"),
    (["--times", "08:00,,"], "is no time of day"),
    (["--quiet-hours", "night"], "--quiet-hours \"night\" must be hours as 22:00-07:00, or none."),
    (["--times", "08:00", "--rule", "hourly"], "A rule that counts hours takes no times of day."),
    (["--until", "tomorrow"], "--until \"tomorrow\" is no local date and time."),
    (["--until", "2026-01-01"], "ends before it is due for the first time"),
    (["--until", "1800-01-01"], "UNTIL must be a date from 1900 on"),
    (["--until", "2026-12-31", "--rule", "FREQ=DAILY;COUNT=3"], "--until does not go with"),
    (["--month-end", "next"], "--month-end \"next\" must be skip or last-day."),
    (["--start", "2026-02-30T08:00"], "--start \"2026-02-30T08:00\" is no local date and time."),
    (["--start", "2026-03-27T08:00Z"], "without a zone: 2026-03-27T08:00."),
    (["--start", "2026-03-27"], "is no local date and time"),
    (["--start", "1899-12-31T08:00"], "lies outside of 1900 to 2100"),
    (["--zone", "Europe/Atlantis"], "There is no time zone Europe/Atlantis on this machine."),
    (["--zone", "../../etc/passwd"], "is no time zone. Use a name such as Europe/Madrid."),
    (["--zone", ""], "is no time zone"),
    (["--rule", "dayly"], "--rule \"dayly\" is no rule. Did you mean daily? Write never, once,"),
    (["--rule", "FREQ=SECONDLY"], "FREQ=SECONDLY is not possible. Write HOURLY, DAILY"),
    (["--rule", "FREQ=DAILY;BYHOUR=25"], "--rule (from character 19 on): BYHOUR must be hours"),
    (["--rule", "FREQ=YEARLY;BYWEEKNO=3"], "BYWEEKNO is not possible here."),
    (["--rule", "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30"], "No day fits this rule"),
  ]) func whatIsWrongIsSaidWithWhatToDo(change: [String], sentence: String) throws {
    var options = [
      "--start": "2026-03-27T08:00", "--zone": "Europe/Madrid", "--rule": "daily",
    ]
    for index in stride(from: 0, to: change.count, by: 2) {
      options[change[index]] = change[index + 1]
    }
    let words = options.sorted { $0.key < $1.key }.flatMap { [$0.key, $0.value] }
    let outcome = try tool.run(["schedule"] + words)
    #expect(outcome.code == 2 && outcome.output.isEmpty)
    #expect(outcome.errors.contains(sentence), "\(outcome.errors)")
    #expect(outcome.errors.hasSuffix("Try: homeward schedule --help\n"))
  }

  @Test func whatIsMissingIsSaid() throws {
    let outcome = try tool.run(["schedule", "--rule", "daily"])
    #expect(outcome.code == 2)
    #expect(outcome.errors.contains("a schedule needs --start LOCAL, --zone NAME and --rule RULE."))
  }
}

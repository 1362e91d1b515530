import Foundation
import JSON
import TestSupport
import Testing

@Suite struct GlucoseCommandTests {
  private let tool = Tool(environment: ["HOMEWARD_SOCKET": "/nowhere/s"])

  private static let table = """
    time,mg/dL,tag
    2025-10-31 23:30,90,before breakfast
    2025-11-01 08:00,110,before-breakfast
    2025-11-01 10:00,0Hi,after-breakfast
    2025-11-01 12:00,105,my own
    """

  @Test func aTableIsReadFromAFileAndFromStandardInput() throws {
    let folder = try TemporaryDirectory()
    let path = try folder.write(Self.table, to: "readings.csv")
    let outcome = try tool.run(["glucose", "analyse", path])
    #expect(outcome.code == 0)
    #expect(outcome.output.hasPrefix("3 readings, levels in mg/dL.\n"))
    #expect(outcome.output.contains("\n2025-10  1 "))
    #expect(outcome.output.contains("\n2025-11  2 ") && !outcome.output.contains("2025-12"))
    #expect(outcome.output.contains("borderline  100 - 110  2"))
    #expect(outcome.output.contains("The risk indices need 28 readings on 14 days or more."))
    #expect(outcome.errors.hasPrefix("Line 4: The meter showed HI"))
    let input = try tool.run(["glucose", "analyse", "-"], input: Self.table)
    #expect(input.output == outcome.output)
  }

  @Test func jsonHasTheReportAndEveryBadLine() throws {
    let outcome = try tool.run(
      ["glucose", "analyse", "-", "--json", "--zone", "Etc/UTC"], input: Self.table)
    #expect(outcome.code == 0 && outcome.errors.isEmpty)
    let json = try JSONValue(parsing: outcome.output)
    #expect(json["readings"] == 3 && json["zone"] == "Etc/UTC" && json["sensor"] == .null)
    #expect(json["faults"]?.arrayContent?.first?["line"] == 4)
    #expect(json["fingerSticks"]?["bands"]?["borderline"] == 2)
    let months = json["fingerSticks"]?["months"]?.arrayContent
    #expect(months?.first?["month"] == "2025-10" && months?.first?["all"]?["count"] == 1)
    #expect(months?.dropFirst().first?["all"]?["meanMgPerDl"] == .number(107.5))
    #expect(months?.dropFirst().first?["afterMeals"] == .null)
    // In another zone the first reading belongs to another month.
    let table = Self.table.replacingOccurrences(of: "23:30", with: "23:30:00Z")
    let oslo = try JSONValue(
      parsing: try tool.run(
        ["glucose", "analyse", "-", "--json", "--zone", "Europe/Oslo"],
        input: table.replacingOccurrences(of: "2025-10-31 ", with: "2025-10-31T")
      ).output)
    #expect(
      oslo["fingerSticks"]?["months"]?.arrayContent?.first?["month"] == "2025-11")
  }

  @Test func theUnitIsThatOfMostReadingsUnlessItIsAskedFor() throws {
    let moles = "time,mmol/L\n2025-11-01 08:00,5.6\n2025-11-01 09:00,10.0\n"
    let usual = try tool.run(["glucose", "analyse", "-"], input: moles)
    #expect(usual.output.contains("levels in mmol/L") && usual.output.contains("5.6 - 10.0"))
    let other = try tool.run(["glucose", "analyse", "-", "--unit", "mg/dl"], input: moles)
    #expect(other.output.contains("levels in mg/dL") && other.output.contains("101 - 180"))
  }

  @Test func aSensorSaysThatItIsTooShort() throws {
    let outcome = try tool.run(["glucose", "analyse", "-", "--sensor", "cgm"], input: Self.table)
    #expect(outcome.output.contains("The sensor has fewer than 14 days of readings"))
    #expect(!outcome.output.contains("CLINICAL RANGE"))
  }

  @Test(arguments: [
    (["-", "--unit", "g/L"], 2, "--unit \"g/L\" must be mg/dL or mmol/L."),
    (["-", "--sensor", "nose"], 2, "--sensor \"nose\" must be finger-stick or cgm."),
    (["-", "--zone", "Nowhere/Land"], 2, "Nowhere/Land"),
    (["/nowhere/readings.csv"], 1, "/nowhere/readings.csv cannot be read"),
    (["-"], 1, "The file is empty."), ([], 2, "FILE is missing."),
  ]) func whatDoesNotFitIsSaid(arguments: [String], code: Int32, sentence: String) throws {
    let outcome = try tool.run(["glucose", "analyse"] + arguments)
    #expect(outcome.code == code && outcome.errors.contains(sentence), "\(outcome.errors)")
  }

  @Test func aTableWithoutUnitOrReadingsIsRefused() throws {
    let unknown = try tool.run(
      ["glucose", "analyse", "-"], input: "time,glucose\n2025-11-01 08:00,5\n")
    #expect(unknown.code == 1 && unknown.errors.contains("The file does not say the unit."))
    let unnamed = try tool.run(["glucose", "analyse", "-"], input: "2025-11-01 08:00,5\n")
    #expect(unnamed.code == 1 && unnamed.errors.contains("must name the columns, with the unit"))
    let none = try tool.run(
      ["glucose", "analyse", "-"], input: "time,mg/dL\n2025-11-01 08:00,5.6\n")
    #expect(none.code == 1 && none.errors.contains("no line that is a reading"))
    #expect(none.errors.contains("it looks like mmol/L"))
  }

  @Test("Fifty bad lines are named one by one, the others counted; programs get them all")
  func manyFaults() throws {
    let rows = (0..<59).map { "2025-11-01 08:0\($0 % 10),x\($0)\u{1B}[2J" }.joined(separator: "\n")
    let hostile = "2025-11-01 08:00\u{1B}[31m,100"
    let table = "time,mg/dL\n2025-11-01 07:00,100\n\(hostile)\n\(rows)\n"
    let outcome = try tool.run(["glucose", "analyse", "-"], input: table)
    #expect(outcome.code == 0 && !outcome.errors.contains("\u{1B}"), "\(outcome.errors)")
    #expect(outcome.errors.split(separator: "\n").count == 51)
    #expect(outcome.errors.hasPrefix("Line 3: "))
    #expect(outcome.errors.hasSuffix("… and 10 more; --json lists them all.\n"))
    let json = try JSONValue(
      parsing: try tool.run(["glucose", "analyse", "-", "--json"], input: table).output)
    #expect(json["faults"]?.arrayContent?.count == 60)
  }

  @Test("A folder, and a file of more than a table may have, are no tables")
  func noTable() throws {
    let folder = try TemporaryDirectory()
    let directory = try tool.run(["glucose", "analyse", folder.path])
    #expect(directory.code == 1 && directory.errors.contains("cannot be read: Is a directory."))
    let bytes = try tool.run(["glucose", "analyse", "-"], input: "\u{0}\u{1}\u{2}")
    #expect(bytes.code == 1 && bytes.output.isEmpty && !bytes.errors.contains("\u{1}"))
  }
}

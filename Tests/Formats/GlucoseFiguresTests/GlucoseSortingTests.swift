import Care
import GlucoseFigures
import GlucoseValues
import TestSupport
import Testing

@Suite("Tables of glucose readings")
struct GlucoseSortingTests {
  @Test("Tables are sorted by value, date and tag, both ways, and filtered by tag")
  func tables() {
    let readings = [
      GlucoseSamples.reading("150 mg/dL", minutes: 1, tag: .casual),
      GlucoseSamples.reading("5.6 mmol/L", minutes: 2),
      GlucoseSamples.reading("101 mg/dL", minutes: 3, tag: .bedtime),
      GlucoseSamples.reading("150 mg/dL", minutes: 4, tag: .casual),
    ]
    func ids(_ key: GlucoseSorting.Key, _ isAscending: Bool) -> [String] {
      GlucoseSorting.table(readings, by: key, isAscending: isAscending).map(\.id.rawValue)
    }
    #expect(ids(.time, true) == ["r1", "r2", "r3", "r4"])
    #expect(ids(.time, false) == ["r4", "r3", "r2", "r1"])
    #expect(ids(.level, true) == ["r2", "r3", "r1", "r4"])
    #expect(ids(.level, false) == ["r1", "r4", "r3", "r2"])
    #expect(ids(.tag, true) == ["r3", "r1", "r4", "r2"])
    #expect(ids(.tag, false) == ["r1", "r4", "r3", "r2"])
    #expect(
      GlucoseSorting.table(readings, tag: .listed(.casual)).map(\.id.rawValue) == ["r1", "r4"])
    #expect(GlucoseSorting.table(readings, tag: .own("walk")).isEmpty)
  }
}

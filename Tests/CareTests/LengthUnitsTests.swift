import Care
import Testing
import Texts

@Suite("Lengths as people say them")
struct LengthUnitsTests {
  @Test(
    "Metres and kilometres, feet and miles",
    arguments: [
      (LengthUnits.metric, 0.4, "0 m"), (.metric, 999, "999 m"), (.metric, 1000, "1.0 km"),
      (.metric, 12_340, "12.3 km"), (.imperial, 0.3048, "1 ft"), (.imperial, 304, "997 ft"),
      (.imperial, 305, "0.2 mi"), (.imperial, 1609.344, "1.0 mi"), (.metric, .infinity, "inf km"),
      (.imperial, .nan, "nan mi"),
    ])
  func words(units: LengthUnits, meters: Double, expected: String) {
    #expect(units.text(meters: meters).text(in: .en) == expected)
  }

  @Test("Kilometres begin where it is said")
  func threshold() {
    #expect(LengthUnits.metric.text(meters: 9999, kilometersFrom: 10_000).text(in: .en) == "9999 m")
    #expect(LengthUnits.metric.text(meters: 9999.9, kilometersFrom: 10_000).text(in: .zh) != "")
  }
}

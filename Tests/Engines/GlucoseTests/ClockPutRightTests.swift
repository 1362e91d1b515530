import Moments
import TestSupport
import Testing

@testable import Glucose

/// A clock that was years ahead, and is put right, holds no dangerous reading back.
@Suite struct ClockPutRightTests {
  private static let years = 4 * 365 * 1_440

  @Test(
    "A low reading is told, though one of a time to come was told before",
    arguments: [false, true], ["38 mg/dL", "90 mg/dL", "320 mg/dL"])
  func low(isRestarted: Bool, before: String) {
    var home = Home()
    home.now.utc = home.now.utc.advanced(byMilliseconds: Int64(Self.years) * 60_000)
    home.handle(.received([GlucoseSamples.reading(before, minutes: Self.years, id: "ahead")]))
    home.now.utc = home.now.utc.advanced(byMilliseconds: -Int64(Self.years) * 60_000)
    if isRestarted { home.restart() }
    home.handle(.circumstancesChanged)
    home.events = []
    home.now = home.now.advanced(byMilliseconds: 300_000)
    home.handle(.received([GlucoseSamples.reading("38 mg/dL", minutes: 5)]))
    #expect(home.findings.contains("glucose.very-low alarm"), "\(home.findings)")
  }

  @Test("The means of each day go on being told")
  func months() {
    var home = Home()
    home.measure("100 mg/dL", at: 5)
    home.now.utc = home.now.utc.advanced(byMilliseconds: Int64(Self.years) * 60_000)
    home.handle(.circumstancesChanged)
    home.now.utc = home.now.utc.advanced(byMilliseconds: -Int64(Self.years) * 60_000)
    home.handle(.circumstancesChanged)
    home.events = []
    home.wait(until: 3 * 1_440)
    #expect(home.types.contains("glucose.month"), "\(home.types)")
  }
}

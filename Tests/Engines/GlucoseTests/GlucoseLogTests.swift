import Care
import GlucoseValues
import Moments
import TestSupport
import Testing

@testable import Glucose

@Suite("The log of glucose readings")
struct GlucoseLogTests {
  @Test("Readings are by time, whatever order they come in, and one id is one reading")
  func order() throws {
    var log = GlucoseLog()
    for minutes in [5, 1, 3, 1, 9, 0] {
      log.put(GlucoseSamples.reading("\(100 + minutes) mg/dL", minutes: minutes))
    }
    #expect(log.readings.map(\.id.rawValue) == ["r0", "r1", "r3", "r5", "r9"])
    log.put(GlucoseSamples.reading("120 mg/dL", minutes: 20, id: "r3"))
    #expect(log.readings.map(\.id.rawValue) == ["r0", "r1", "r5", "r9", "r3"])
    #expect(log.newest?.id == "r3" && log.reading("r3")?.level.digits == "120")
    log.remove("r3")
    log.remove("r3")
    #expect(log.newest?.id == "r9" && log.reading("r3") == nil)
    log.put(GlucoseSamples.reading("120 mg/dL", minutes: 30, doubts: [.meterFault]))
    #expect(log.newest?.id == "r9")
  }

  @Test("Memory is bounded, and the log knows what it no longer holds")
  func bounded() {
    let count = GlucoseLog.atMost + 50
    var log = GlucoseLog(
      (0..<GlucoseLog.atMost - 1).map { GlucoseSamples.reading("100 mg/dL", minutes: $0) })
    #expect(log.droppedThrough == nil && log.isComplete(since: GlucoseSamples.start))
    for minutes in GlucoseLog.atMost - 1..<count {
      log.put(GlucoseSamples.reading("100 mg/dL", minutes: minutes))
    }
    #expect(log.readings.count == GlucoseLog.atMost && log.readings.first?.id == "r50")
    #expect(log.droppedThrough == GlucoseSamples.start.advanced(byMilliseconds: 49 * 60_000))
    #expect(!log.isComplete(since: GlucoseSamples.start))
    #expect(log.isComplete(since: GlucoseSamples.start.advanced(byMilliseconds: 50 * 60_000)))
    // A full store may hold more than it handed over.
    let full = GlucoseLog(log.readings)
    #expect(!full.isComplete(since: log.readings[0].time))
  }
}

import Bytes
import Care
import Moments
import Testing
import Texts

@testable import Proximity

@Suite("Guided calibration")
struct CalibratorTests {
  /// Runs through both places with a reading each second, of a mean and a scatter in dB.
  static func run(
    near: Double, far: Double, scatter: Double, seed: UInt64, every: Int64 = 1
  ) -> TagCalibrator {
    var random = SplitMix64(seed: seed)
    var now = House.start
    var calibrator = TagCalibrator(tag: "keys", hearer: "phone", at: now)
    for mean in [near, far] {
      for _ in 0..<100 {
        guard calibrator.phase == .near || calibrator.phase == .far else { break }
        now = now.advanced(byMilliseconds: every * 1000)
        take(Int((mean + random.scatter(scatter)).rounded()), &calibrator, now)
      }
      now = now.advanced(byMilliseconds: 20_000)
      calibrator.proceed(at: now)
    }
    return calibrator
  }

  static func take(_ strength: Int, _ calibrator: inout TagCalibrator, _ now: Moment) {
    guard
      let sighting = TagSighting(
        tag: "keys", hearer: "phone", strengthDBm: strength, moment: now)
    else { return }
    calibrator.take(sighting, at: now)
  }

  private func thresholds(_ calibrator: TagCalibrator) -> TagThresholds? {
    guard case .finished(.success(let found)) = calibrator.phase else { return nil }
    return found
  }

  private func fault(_ calibrator: TagCalibrator) -> CalibrationFault? {
    guard case .finished(.failure(let found)) = calibrator.phase else { return nil }
    return found
  }

  @Test("A clear difference gives thresholds between the places", arguments: 1...30)
  func succeeds(seed: UInt64) throws {
    let found = try #require(thresholds(Self.run(near: -55, far: -82, scatter: 3, seed: seed)))
    #expect(found.nearEnterDBm < -50 && found.nearLeaveDBm > -82)
    #expect(found.nearEnterDBm - found.nearLeaveDBm >= 3)
    #expect(found.roomEnterDBm < -79)
    #expect(found.roomEnterDBm - found.roomLeaveDBm >= 5.99)
  }

  @Test("With its thresholds the tag is judged as the person placed it", arguments: 1...10)
  func holds(seed: UInt64) throws {
    let found = try #require(thresholds(Self.run(near: -72, far: -90, scatter: 3, seed: seed)))
    var tag = House.tag(.keys)
    tag.calibration = found
    var house = House(tags: [tag])
    var random = SplitMix64(seed: seed &+ 1000)
    for second in 0..<600 {
      house.wait(until: Double(second))
      let mean = second < 300 ? -72.0 : -90
      house.hear("keys", Int((mean + random.scatter(3)).rounded()))
      if second == 299 { #expect(house.engine.presence(of: "keys") == .near) }
    }
    #expect(house.engine.presence(of: "keys") == .room)
    #expect(house.presences(of: "keys").count <= 4)
  }

  @Test("Places that look alike are said to")
  func notSeparable() throws {
    let found = fault(Self.run(near: -70, far: -72, scatter: 3, seed: 1))
    guard case .notSeparable(let decibels)? = found else {
      Issue.record("\(String(describing: found))")
      return
    }
    #expect(decibels < 6)
    #expect(found?.explanation.description.hasPrefix("Near and far look alike") == true)
  }

  @Test("Swapped places are no calibration")
  func swapped() {
    guard case .notSeparable? = fault(Self.run(near: -85, far: -55, scatter: 2, seed: 2)) else {
      Issue.record("taken")
      return
    }
  }

  @Test("A tag that was moved about is said to waver")
  func tooNoisy() {
    var calibrator = TagCalibrator(tag: "keys", hearer: "phone", at: House.start)
    for second in 1...80 as ClosedRange<Int64> {
      Self.take(
        second % 40 < 20 ? -45 : -85, &calibrator,
        House.start.advanced(byMilliseconds: second * 1000))
      if case .finished = calibrator.phase { break }
      if calibrator.phase == .moveAway { break }
    }
    guard case .finished(.failure(.tooNoisy(let decibels))) = calibrator.phase else {
      #expect(calibrator.phase == .moveAway, "fifteen steady seconds are enough")
      return
    }
    #expect(decibels > 25)
  }

  @Test("Too few readings are counted, none is said to be none, and time runs out by itself")
  func tooFew() {
    let none = TagCalibrator(tag: "keys", hearer: "phone", at: House.start)
    for (count, expected) in [(0, CalibrationFault.notHeard), (4, .tooFewReadings(4))] {
      var calibrator = none
      for reading in 0..<Int64(count) {
        Self.take(
          -60, &calibrator, House.start.advanced(byMilliseconds: 5000 + reading * 20_000))
      }
      calibrator.time(at: House.start.advanced(byMilliseconds: 89_999))
      #expect(calibrator.phase == .near)
      calibrator.time(at: House.start.advanced(byMilliseconds: 90_000))
      #expect(fault(calibrator) == expected)
      #expect(calibrator.nextWake == nil)
    }
  }

  @Test("Nobody who walks off keeps it open for ever")
  func abandoned() {
    var now = House.start
    var calibrator = TagCalibrator(tag: "keys", hearer: "phone", at: now)
    while calibrator.phase == .near {
      now = now.advanced(byMilliseconds: 1000)
      Self.take(-60, &calibrator, now)
    }
    #expect(calibrator.phase == .moveAway)
    calibrator.time(at: now.advanced(byMilliseconds: 600_000))
    #expect(fault(calibrator) == .abandoned)
  }

  @Test("Other tags and devices, deaf devices and people who stop")
  func ends() throws {
    var calibrator = TagCalibrator(tag: "keys", hearer: "phone", at: House.start)
    let before = calibrator
    let now = House.start.advanced(byMilliseconds: 5000)
    for (tag, hearer) in [("wallet", "phone"), ("keys", "kitchen")] {
      let sighting = try #require(
        TagSighting(
          tag: TagID(tag), hearer: SourceID(hearer), strengthDBm: -50, moment: now))
      calibrator.take(sighting, at: now)
    }
    #expect(calibrator == before)
    calibrator.proceed(at: now)
    #expect(calibrator.phase == .near)
    var deaf = calibrator
    deaf.stopListening()
    #expect(fault(deaf) == .notListening)
    calibrator.cancel()
    #expect(fault(calibrator) == .cancelled)
    calibrator.stopListening()
    #expect(fault(calibrator) == .cancelled)
  }

  @Test("Every phase and fault says what to do")
  func words() {
    let faults: [CalibrationFault] = [
      .notHeard, .tooFewReadings(3), .tooNoisy(30.4), .notSeparable(-2), .notListening, .abandoned,
      .cancelled,
    ]
    #expect(Set(faults.map(\.explanation.description)).count == faults.count)
    let calibrator = TagCalibrator(tag: "keys", hearer: "phone", at: House.start)
    #expect(calibrator.instruction.description.hasSuffix("0 of 12 readings."))
    let done = Self.run(near: -55, far: -82, scatter: 2, seed: 3)
    #expect(done.instruction.description == "Done: near and far are told apart now.")
  }
}

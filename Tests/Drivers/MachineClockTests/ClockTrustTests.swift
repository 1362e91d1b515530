import Care
import MachineClock
import Moments
import Testing

@Suite struct ClockTrustTests {
  private let plausible = Release.earliestPlausibleTime.advanced(byMilliseconds: 86_400_000)

  private func quality(_ trust: ClockTrust, system: Timestamp, ntp: Bool = false, rtc: Bool = false)
    -> TimeQuality
  {
    trust.moment(tick: .seconds(100), system: system, isSynchronised: ntp, hasHardwareClock: rtc)
      .quality
  }

  @Test func aClockThatNothingVouchesForIsNotTrusted() {
    #expect(quality(ClockTrust(), system: .seconds(0)) == .untrusted)
    #expect(quality(ClockTrust(), system: plausible) == .untrusted)
  }

  @Test func networkTimeIsTrustedFirst() {
    #expect(quality(ClockTrust(), system: plausible, ntp: true, rtc: true) == .synchronised)
  }

  @Test func aHardwareClockIsTrustedOnlyWithATimeAfterTheBuild() {
    #expect(quality(ClockTrust(), system: plausible, rtc: true) == .hardwareClock)
    #expect(quality(ClockTrust(), system: .seconds(0), rtc: true) == .untrusted)
  }

  @Test func threeAgreeingFixesGiveTheTimeAndTwoDoNot() {
    var trust = ClockTrust()
    for second in 0..<2 {
      trust.consider(
        receiverTime: plausible.advanced(byMilliseconds: Int64(second) * 1000),
        mode: .threeDimensional, at: .seconds(100 + Int64(second)))
    }
    #expect(quality(trust, system: .seconds(0)) == .untrusted)
    trust.consider(
      receiverTime: plausible.advanced(byMilliseconds: 2000), mode: .threeDimensional,
      at: .seconds(102))
    let moment = trust.moment(
      tick: .seconds(110), system: .seconds(0), isSynchronised: false, hasHardwareClock: false)
    #expect(moment.quality == .satellite)
    #expect(moment.utc == plausible.advanced(byMilliseconds: 10_000))
  }

  @Test func fixesThatDisagreeOrAreFlatOrRolledOverNeverCount() {
    var trust = ClockTrust()
    for second in 0..<10 {
      let jump: Int64 = second.isMultiple(of: 2) ? 0 : 60_000
      trust.consider(
        receiverTime: plausible.advanced(byMilliseconds: Int64(second) * 1000 + jump),
        mode: .threeDimensional, at: .seconds(100 + Int64(second)))
      trust.consider(
        receiverTime: plausible.advanced(byMilliseconds: Int64(second) * 1000),
        mode: .twoDimensional,
        at: .seconds(100 + Int64(second)))
    }
    let rolledOver = plausible.advanced(byMilliseconds: -1024 * 7 * 86_400_000)
    for second in 0..<5 {
      trust.consider(
        receiverTime: rolledOver.advanced(byMilliseconds: Int64(second) * 1000),
        mode: .threeDimensional, at: .seconds(200 + Int64(second)))
    }
    #expect(quality(trust, system: .seconds(0)) == .untrusted)
  }
}

import Care
import Moments

/// What was last said to tracking about each tag at home.
struct HomeVerdicts: Hashable, Sendable {
  private var said: [TagID: HomeTagVerdict] = [:]

  /// Notes a verdict where it is news: that it is another, and every ten seconds while the tag is heard.
  ///
  /// - Returns: whether it is to be said.
  mutating func say(_ verdict: HomeTagVerdict) -> Bool {
    guard isNews(verdict) else { return false }
    said[verdict.tag] = verdict
    return true
  }

  mutating func forget(_ tag: TagID) { said[tag] = nil }

  private func isNews(_ verdict: HomeTagVerdict) -> Bool {
    guard let before = said[verdict.tag] else { return verdict.state != .unknown }
    var comparable = verdict
    comparable.heard = before.heard
    if comparable != before { return true }
    guard verdict.state == .heard, let new = verdict.heard, let old = before.heard else {
      return false
    }
    return new.tick.milliseconds(since: old.tick) >= 10_000
  }
}

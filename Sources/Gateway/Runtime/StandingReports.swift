import Care

/// What holds from the moment it was reported until it is taken back, and what a new run has to hear again.
struct StandingReports {
  /// Which ways to people plugins offer now; nil as long as nobody has said.
  private(set) var ways: WaysReport?
  /// The devices that listen for tags now.
  private(set) var listening: Set<SourceID> = []

  /// Whether another voice speaks by a report of ways than until now.
  func isNewVoice(in report: WaysReport) -> Bool {
    report.voice?.isRunning == true && report.voice != ways?.voice
  }

  /// Takes a report of the ways to people.
  mutating func note(_ report: WaysReport) { ways = report }

  /// Notes that a device listens for tags, or does not any more.
  mutating func note(_ hearer: SourceID, isListening: Bool) {
    if isListening { listening.insert(hearer) } else { listening.remove(hearer) }
  }
}

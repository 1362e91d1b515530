import Glibc

/// All prefixes of one message's samples, then so many damaged samples.
struct Trial {
  var message: FuzzedMessage
  var mutations: Int
  var seed: UInt64

  /// What a trial found.
  struct Report {
    var prefixes = 0
    var mutations = 0
    /// Of the mutations.
    var read = 0
    /// Of the mutations.
    var refused = 0
    /// The first promise that was broken, and by which bytes.
    var fault: (promise: String, bytes: [UInt8])?

    /// Both ends were met, so that the numbers mean something.
    var isTelling: Bool { read > 0 && refused > 0 }
  }

  /// A message is read within microseconds: so many take no minute, unless one never ends.
  private static let watchedMutations = 65_536
  private static let patienceSeconds: UInt32 = 60

  func run() -> Report {
    var report = Report()
    alarm(Self.patienceSeconds)
    for sample in message.samples {
      for length in 0...sample.count where report.fault == nil {
        report.prefixes += 1
        _ = read(Array(sample.prefix(length)), &report)
      }
    }
    var mutator = Mutator(seed: seed)
    while report.fault == nil, report.mutations < mutations {
      if report.mutations.isMultiple(of: Self.watchedMutations) { alarm(Self.patienceSeconds) }
      report.mutations += 1
      switch read(mutator.next(message), &report) {
      case .read: report.read += 1
      case .refused: report.refused += 1
      case .broken: break
      }
    }
    alarm(0)
    return report
  }

  private func read(_ bytes: [UInt8], _ report: inout Report) -> FuzzedMessage.Verdict {
    LastInput.keep(bytes)
    let verdict = message.read(bytes)
    if case .broken(let promise) = verdict { report.fault = (promise, bytes) }
    return verdict
  }
}

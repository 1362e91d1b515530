import Loop
import Ports

/// Opens dead letters again: first the cursors remember them, then the letters go, so that a crash loses none.
@LoopActor
struct Redrive {
  let journal: any Journal

  func run(
    _ letters: [DeadLetter], runners: [PluginRunner],
    completion: @escaping @LoopActor @Sendable (Int) -> Void
  ) {
    let groups = runners.flatMap { runner in
      runner.lanes.map { lane in
        (lane, letters.filter { $0.plugin == runner.name && $0.lane == lane.lane })
      }
    }.filter { !$0.1.isEmpty }
    run(groups[...], opened: 0, completion: completion)
  }

  private func run(
    _ groups: ArraySlice<(LaneDelivery, [DeadLetter])>, opened: Int,
    completion: @escaping @LoopActor @Sendable (Int) -> Void
  ) {
    guard let (lane, letters) = groups.first else { return completion(opened) }
    let rest = groups.dropFirst()
    journal.read(lane: lane.lane, sequences: letters.map(\.sequence)) { answer in
      let rows = (try? answer.get()) ?? []
      let found = letters.compactMap { letter in
        rows.first { $0.sequence == letter.sequence }.map { (letter, $0.subject) }
      }
      lane.reopen(found) { reopened in
        let next = opened + reopened.count
        guard !reopened.isEmpty else { return run(rest, opened: next, completion: completion) }
        journal.removeDeadLetters(reopened) { outcome in
          if case .delayed = outcome { return }
          run(rest, opened: next, completion: completion)
        }
      }
    }
  }
}

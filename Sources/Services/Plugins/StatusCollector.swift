import Loop
import PluginProtocol
import Ports

/// Puts the status of every plugin together: what the runners know and what only the journal knows.
@LoopActor
struct StatusCollector {
  let journal: any Journal

  func collect(
    _ runners: [PluginRunner], completion: @escaping @LoopActor @Sendable ([PluginStatus]) -> Void
  ) {
    journal.deadLetters(plugin: nil) { answer in
      let letters = (try? answer.get()) ?? []
      collect(runners[...], letters: letters, collected: [], completion: completion)
    }
  }

  private func collect(
    _ runners: ArraySlice<PluginRunner>, letters: [DeadLetter], collected: [PluginStatus],
    completion: @escaping @LoopActor @Sendable ([PluginStatus]) -> Void
  ) {
    guard let runner = runners.first else { return completion(collected) }
    lanes(runner.wantedLanes[...], collected: []) { lanes in
      let status = PluginStatus(
        name: runner.name, version: runner.manifest?.version ?? "", state: runner.state,
        pid: runner.pid, restarts: runner.restarts, confinement: runner.confinement,
        withheld: runner.withheld, reads: runner.reads, lanes: lanes,
        deadLetters: letters.count { $0.plugin == runner.name },
        lastError: runner.lastError)
      collect(
        runners.dropFirst(), letters: letters, collected: collected + [status],
        completion: completion)
    }
  }

  private func lanes(
    _ lanes: ArraySlice<LaneDelivery>, collected: [PluginStatus.LaneStatus],
    completion: @escaping @LoopActor @Sendable ([PluginStatus.LaneStatus]) -> Void
  ) {
    guard let lane = lanes.first else { return completion(collected) }
    let cursor = lane.ledger?.cursor
    journal.backlog(lane: lane.lane, after: cursor?.sequence ?? 0) { answer in
      let backlog = (try? answer.get()) ?? Backlog(depth: 0, oldest: nil)
      let exceptions = cursor?.exceptions.count ?? 0
      let status = PluginStatus.LaneStatus(
        lane: lane.lane, cursor: cursor?.sequence ?? 0,
        depth: backlog.depth + Int64(exceptions), oldest: backlog.oldest, exceptions: exceptions,
        lastSuccess: lane.lastSuccess, outstandingMilliseconds: lane.outstandingMilliseconds,
        delivered: lane.delivered, redelivered: lane.redelivered)
      self.lanes(lanes.dropFirst(), collected: collected + [status], completion: completion)
    }
  }
}

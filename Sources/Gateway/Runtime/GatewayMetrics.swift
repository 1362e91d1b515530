import Care
import Core
import Door
import JSON
import Loop
import Moments
import Ports

/// Figures of the gateway for a monitoring system.
@LoopActor
struct GatewayMetrics {
  /// What was counted since the start.
  struct Counts {
    var runtime: RuntimeCounters
    var commits: CommitCounters
  }

  let clock: any GatewayClock
  let store: any CareStore
  let plugins: (any PluginAdministration)?
  /// Figures of what the runtime does not know.
  let figures: (@LoopActor () -> [MetricSample])?
  let startedAt: Moment
  /// How the parts do now.
  let health: @LoopActor () -> HealthBoard
  let counts: @LoopActor () -> Counts

  var handlings: [Handling] {
    [
      Handling(.metrics) { _, answer in
        samples { answer(.success(["text": .string(PrometheusText($0).text)])) }
      }
    ]
  }

  /// The figures for a monitoring system, in the order they are shown.
  func samples(completion: @escaping @LoopActor ([MetricSample]) -> Void) {
    store.status { storeStatus in
      pluginReport(of: plugins) { plugins in
        let now = clock.now()
        completion(
          runtimeSamples(at: now) + (figures?() ?? [])
            + storeStatus.samples(at: now)
            + (plugins.arrayContent ?? []).flatMap { pluginSamples($0, at: now) })
      }
    }
  }

  private func runtimeSamples(at now: Moment) -> [MetricSample] {
    let (runtime, commits) = (counts().runtime, counts().commits)
    let components = health().reports.map { report in
      MetricSample(
        "homeward_component_up", .gauge, "1 when the part works or is not needed",
        report.state == .working || report.state == .unused ? 1 : 0,
        [("component", report.component.rawValue), ("state", report.state.rawValue)])
    }
    return [
      MetricSample(
        "homeward_build_info", .gauge, "The version as a label", 1, [("version", Release.version)]),
      MetricSample(
        "homeward_uptime_seconds", .gauge, "Seconds since the start",
        Double(now.tick.milliseconds(since: startedAt.tick)) / 1000),
      MetricSample(
        "homeward_clock_trusted", .gauge, "1 when schedules may be judged by the clock",
        now.quality.isTrusted ? 1 : 0),
      counter("homeward_fixes_total", "GPS reports received", runtime.fixes),
      counter("homeward_commands_total", "Commands received", runtime.commands),
      counter("homeward_events_total", "Events made", runtime.events),
      counter(
        "homeward_commits_delayed_total", "Steps that the disk did not take at first",
        commits.delayedCommits),
      counter(
        "homeward_steps_dropped_total", "Steps that could not be kept",
        commits.droppedSteps),
      counter(
        "homeward_alarms_before_durable_total", "Alarms sent before the disk had them",
        commits.alarmsBeforeDurable),
    ] + components
  }
}

private func counter(_ name: String, _ help: String, _ count: Int64) -> MetricSample {
  MetricSample(name, .counter, help, Double(count))
}

extension StoreStatus {
  fileprivate func samples(at now: Moment) -> [MetricSample] {
    var samples = Lane.allCases.map { lane in
      MetricSample(
        "homeward_lane_head", .gauge, "Highest durable sequence of the lane", Double(heads[lane]),
        [("lane", lane.rawValue)])
    }
    samples += [
      MetricSample(
        "homeward_store_waiting_records", .gauge, "Steps waiting for the disk",
        Double(waitingRecords)),
      MetricSample(
        "homeward_store_free_bytes", .gauge, "Bytes free where the store lives", Double(freeBytes)),
      MetricSample(
        "homeward_store_used_bytes", .gauge, "Bytes of the databases", Double(usedBytes)),
      counter("homeward_traces_thinned_total", "Traces left out for want of space", thinnedTraces),
    ]
    if let lastCommit {
      samples.append(
        MetricSample(
          "homeward_store_last_commit_age_seconds", .gauge, "Seconds since the last commit",
          Double(now.tick.milliseconds(since: lastCommit)) / 1000))
    }
    return samples
  }
}

/// Figures of one plugin from its report; figures that the report lacks are left out.
private func pluginSamples(_ report: JSONValue, at now: Moment) -> [MetricSample] {
  let plugin = report["name"]?.stringContent ?? ""
  var samples = [
    MetricSample(
      "homeward_plugin_up", .gauge, "1 when the plugin is ready",
      report["state"]?.stringContent == "running" ? 1 : 0, [("plugin", plugin)])
  ]
  for (key, name, help) in [
    ("restarts", "homeward_plugin_restarts_total", "Starts after the first"),
    ("deadLetters", "homeward_plugin_dead_letters", "Events that the plugin refused for ever"),
  ] {
    guard let figure = report[key]?.doubleContent else { continue }
    samples.append(
      MetricSample(
        name, name.hasSuffix("_total") ? .counter : .gauge, help, figure, [("plugin", plugin)]))
  }
  for lane in report["lanes"]?.arrayContent ?? [] {
    samples += laneSamples(lane, plugin: plugin)
  }
  return samples
}

private func laneSamples(_ lane: JSONValue, plugin: String) -> [MetricSample] {
  let labels = [("plugin", plugin), ("lane", lane["lane"]?.stringContent ?? "")]
  let figures: [(String, String, MetricSample.Kind, String)] = [
    ("depth", "homeward_plugin_lane_depth", .gauge, "Events waiting"),
    (
      "oldestAgeSeconds", "homeward_plugin_lane_oldest_age_seconds", .gauge,
      "Age of the oldest event waiting"
    ),
    (
      "lastSuccessAgeSeconds", "homeward_plugin_lane_last_success_age_seconds", .gauge,
      "Seconds since the plugin last accepted a batch"
    ),
    (
      "exceptions", "homeward_plugin_lane_exceptions", .gauge,
      "Events before the cursor that are not settled"
    ),
    ("delivered", "homeward_plugin_lane_delivered_total", .counter, "Events accepted"),
    ("redelivered", "homeward_plugin_lane_redelivered_total", .counter, "Events sent again"),
  ]
  return figures.compactMap { key, name, kind, help in
    lane[key]?.doubleContent.map { MetricSample(name, kind, help, $0, labels) }
  }
}

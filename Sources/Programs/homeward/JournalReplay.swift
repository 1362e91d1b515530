import Bytes
import Care
import Core
import JSON
import Moments
import Ports
import Store
import Texts

/// Replays the recorded runs of a state directory.
struct JournalReplay {
  private let session: Session

  init(_ session: Session) { self.session = session }

  func run() throws(CommandFailure) {
    do throws(StoreError) {
      let recorded = try RecordedRuns.open(directory: session.arguments.operands[0])
      try replay(recorded)
    } catch { throw CommandFailure(.failed, error.message.spoken) }
  }

  /// What became of one run.
  private enum Outcome {
    case identical(inputs: Int64, events: Int64)
    case incomplete(String)
    case different(RunReplay.Difference)
  }

  private func replay(_ recorded: RecordedRuns) throws(StoreError) {
    let wanted = session.arguments.option("run")
    let runs = try recorded.runs().filter { wanted == nil || $0.run == wanted }
    if runs.isEmpty {
      throw StoreError(
        .missing,
        wanted.map { Message("there is no run {run}.", ["run": $0]) }
          ?? Message("no run is recorded."))
    }
    var differences = 0
    for run in runs {
      let outcome = try replay(run, recorded)
      if case .different = outcome { differences += 1 }
      tell(outcome, of: run)
    }
    if differences > 0 {
      throw StoreError(
        .other,
        Message(
          "{differences} of {runs} runs differ from their record.",
          ["differences": differences, "runs": runs.count]))
    }
  }

  private func replay(_ run: RunRecord, _ recorded: RecordedRuns) throws(StoreError) -> Outcome {
    var outcome: Outcome?
    let start: RunReplay
    do throws(DecodeError) {
      start = try RunReplay(
        startState: run.startState, seed: run.seed, boot: run.boot, at: run.moment)
    } catch { return .incomplete(gettext("its start cannot be read ({error})", ["error": error])) }
    var replay = start
    try recorded.inputs(run: run.run) { input in
      outcome = feed(input, to: &replay)
      return outcome == nil
    }
    return outcome ?? .identical(inputs: replay.inputs, events: replay.events)
  }

  private func feed(_ input: InputRecord, to replay: inout RunReplay) -> Outcome? {
    guard input.number == replay.inputs + 1 else {
      return .incomplete(
        gettext("input {number} is not kept any more", ["number": replay.inputs + 1]))
    }
    do throws(DecodeError) {
      let difference = try replay.feed(
        number: input.number, body: input.body, at: input.moment,
        recordedDigest: input.outcomeDigest)
      return difference.map { .different($0) }
    } catch {
      return .incomplete(
        gettext(
          "input {number} cannot be read ({error})", ["number": input.number, "error": error]))
    }
  }

  private func tell(_ outcome: Outcome, of run: RunRecord) {
    if session.wantsJSON { return session.terminal.write(json(outcome, run)) }
    let start = session.times.text(run.moment.utc)
    let name = gettext(
      "Run {run} of {start}, version {version}",
      ["run": run.run, "start": start, "version": run.version])
    switch outcome {
    case .identical(let inputs, let events):
      session.terminal.writeLine(
        gettext(
          "{name}: {inputs} inputs, {events} events, identical",
          ["name": name, "inputs": inputs, "events": events]))
    case .incomplete(let reason):
      session.terminal.writeLine(
        gettext("{name}: cannot be replayed whole: {reason}", ["name": name, "reason": reason]))
    case .different(let difference):
      session.terminal.writeLine(
        gettext(
          "{name}: DIFFERS first at input {number}", ["name": name, "number": difference.number]))
      session.terminal.writeLine(
        "  input   \(difference.input.serialized)")
      for event in difference.events {
        session.terminal.writeLine(
          "  event   \(String(decoding: event.body, as: UTF8.self))")
      }
      for change in difference.changes {
        session.terminal.writeLine("  change  \(change)")
      }
      for action in difference.actions {
        session.terminal.writeLine("  action  \(action)")
      }
    }
  }

  private func json(_ outcome: Outcome, _ run: RunRecord) -> JSONValue {
    switch outcome {
    case .identical(let inputs, let events):
      [
        "run": .string(run.run), "outcome": "identical", "inputs": .integer(inputs),
        "events": .integer(events),
      ]
    case .incomplete(let reason):
      ["run": .string(run.run), "outcome": "incomplete", "reason": .string(reason)]
    case .different(let difference):
      [
        "run": .string(run.run), "outcome": "different", "input": .integer(difference.number),
        "recordedDigest": .string(String(difference.recordedDigest, radix: 16)),
        "replayedDigest": .string(String(difference.replayedDigest, radix: 16)),
      ]
    }
  }
}

import Care
import Moments

@testable import GATTProfiles

/// A meter that answers as the specification says, and can be told to misbehave.
struct SimulatedMeter {
  var records: [GlucoseMeasurement] = []
  var contexts: [UInt16: GlucoseContext] = [:]
  var refusesRanges = false
  var refusesLast = false
  var hasContext = true
  /// The link drops after so many messages.
  var dropsAfter: Int?
  /// Does something to what it is about to send.
  var tampers: (([GlucoseCollectorInput]) -> [GlucoseCollectorInput])?
  /// Everything that was written to it.
  var written: [RecordAccess] = []

  mutating func take(_ octets: [UInt8]) -> [GlucoseCollectorInput] {
    guard let message = try? RecordAccess(octets) else { return [] }
    written.append(message)
    var answer = answer(to: message)
    if let tampers { answer = tampers(answer) }
    guard let left = dropsAfter else { return answer }
    dropsAfter = max(0, left - answer.count)
    return answer.count < left ? answer : Array(answer.prefix(left)) + [.disconnected]
  }

  private func answer(to message: RecordAccess) -> [GlucoseCollectorInput] {
    switch message {
    case .abort: return [response(3, 1)]
    case .request(.count, let filter):
      return [.controlPoint(RecordAccess.recordCount(UInt16(chosen(filter).count)).octets)]
    case .request(.report, let filter):
      if case .within = filter, refusesRanges { return [response(1, 4)] }
      if case .last = filter, refusesLast { return [response(1, 4)] }
      let chosen = chosen(filter)
      let sent = chosen.flatMap { record in
        [GlucoseCollectorInput.measurement(record.octets)]
          + (contexts[record.sequence].map { [.context($0.octets)] } ?? [])
      }
      return sent + [response(1, chosen.isEmpty ? 6 : 1)]
    case .request(.delete, _), .recordCount, .response: return [response(message.opcode, 2)]
    }
  }

  private func chosen(_ filter: RecordAccess.Filter) -> [GlucoseMeasurement] {
    switch filter {
    case .all: records
    case .first: Array(records.prefix(1))
    case .last: Array(records.suffix(1))
    case .atLeast(.number(let from)): records.filter { $0.sequence >= from }
    case .atMost(.number(let to)): records.filter { $0.sequence <= to }
    case .within(.number(let from), .number(let to)):
      records.filter { from <= $0.sequence && $0.sequence <= to }
    case .atLeast(.time), .atMost(.time), .within: []
    }
  }

  private func response(_ request: UInt8, _ code: UInt8) -> GlucoseCollectorInput {
    .controlPoint(RecordAccess.response(request: request, code: code).octets)
  }
}

/// What a session brought.
struct SessionOutcome {
  var records: [GlucoseRecord] = []
  var notices: [CollectorNotice] = []
  var end: CollectorEnd?
  var bookmark = GlucoseBookmark()
  /// Seconds until the end.
  var seconds = 0.0

  var sequences: [UInt16] { records.map(\.measurement.sequence) }
  var texts: [String] { records.map(\.identity.text) }
}

/// One session with a meter, until the collector ends it.
func session(
  with meter: inout SimulatedMeter, _ bookmark: GlucoseBookmark = GlucoseBookmark(),
  quirk: MeterQuirk = .none,
  clocks: MeterClockReading = MeterClockReading(meter: nil, hub: hubClock)
) -> SessionOutcome {
  var collector = GlucoseCollector(meter: meterAddress, quirk: quirk, bookmark: bookmark)
  var outcome = SessionOutcome()
  var inputs: [GlucoseCollectorInput] = [.ready(hasContext: meter.hasContext, clocks: clocks)]
  for _ in 0..<100_000 where !collector.isEnded {
    if inputs.isEmpty {
      // Nothing moves any more: the next thing is a wake.
      guard let wake = collector.nextWake else { break }
      outcome.seconds = max(
        outcome.seconds, Double(wake.milliseconds(since: Tick(nanoseconds: 0))) / 1000)
      inputs = [.time]
    }
    let outputs = collector.handle(inputs.removeFirst(), at: moment(outcome.seconds))
    outcome.seconds += 0.001
    for output in outputs {
      switch output {
      case .write(let octets):
        // A link that is down takes nothing.
        if !inputs.contains(.disconnected) { inputs += meter.take(octets) }
      case .records(let records): outcome.records += records
      case .notice(let notice): outcome.notices.append(notice)
      case .ended(let end): outcome.end = end
      }
    }
  }
  outcome.bookmark = collector.bookmark
  return outcome
}

/// The meter's address in tests.
let meterAddress: BluetoothAddress = {
  guard let address = BluetoothAddress("C0:11:22:33:44:55") else {
    preconditionFailure("this is an address")
  }
  return address
}()

import Care
import Glucose
import JSON
import Moments
import Texts

extension GatewayCore {
  // MARK: Glucose

  mutating func perform(
    _ request: GlucoseRequest, _ command: Command, at now: Moment, in step: inout Step
  ) throws(CommandReply.Refusal) -> JSONValue {
    switch request {
    case .put(let reading, _):
      try Validation.id(reading.id.rawValue, of: "glucose reading")
      try directory.requireResident(reading.resident)
    case .showing(_, let resident, _, _): try directory.requireResident(resident)
    case .add(let readings, let resident):
      try directory.requireResident(resident)
      for reading in readings { try Validation.id(reading.id.rawValue, of: "glucose reading") }
    case .remove: break
    }
    let outcome = try glucose.perform(
      request, by: command.principal, stored: command.storedReading,
      in: world(at: now))
    step.take(outcome)
    return outcome.reply
  }

  mutating func advanceGlucose(_ input: GlucoseInput, at now: Moment, in step: inout Step) {
    step.take(glucose.handle(input, in: world(at: now)))
  }

  /// Whom a request about glucose concerns; nil when it names a reading that is not known.
  func resident(concernedBy request: GlucoseRequest) -> ResidentID? {
    switch request {
    case .put(let reading, _): reading.resident
    case .remove(let id, _): glucose.resident(of: id)
    case .showing(_, let resident, _, _), .add(_, let resident): resident
    }
  }
}

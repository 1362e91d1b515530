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
    let outcome = glucose.perform(
      request, by: command.principal, stored: command.storedReading,
      in: glucoseContext(at: now))
    if let refusal = outcome.refusal {
      step.refusalDrafts += outcome.events
      throw refusal
    }
    step.take(outcome)
    return outcome.reply
  }

  mutating func advanceGlucose(_ input: GlucoseInput, at now: Moment, in step: inout Step) {
    step.take(glucose.handle(input, in: glucoseContext(at: now)))
  }

  func glucoseContext(at now: Moment) -> GlucoseContext {
    GlucoseContext(
      now: now,
      people: directory.residents.mapValues { resident in
        GlucoseContext.Person(
          name: resident.name, language: Language(language(of: resident.id)),
          zone: timeZones[resident.timeZone])
      })
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

extension Step {
  mutating func take(_ outcome: GlucoseOutcome) {
    drafts += outcome.events
    changes += outcome.changes
  }
}

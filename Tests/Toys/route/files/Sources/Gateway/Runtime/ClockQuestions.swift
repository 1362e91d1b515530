import Care
import Core
import Door
import JSON
import Loop

/// Questions about the clocks by which people live.
@LoopActor
struct ClockQuestions {
  let view: CoreView

  var handlings: [Handling] { [Handling(.clockGet, getClock)] }

  private func getClock(_ asked: Asked, _ answer: @escaping Answer) throws {
    let id = try asked.wholeResident()
    guard view.isKnown(id, answer),
      let resident = view.core.household.residents.first(where: { $0.id == id })
    else { return }
    answer(
      .success([
        "resident": .string(id.rawValue), "timeZone": .string(resident.timeZone),
        "isKnown": .bool(
          view.core.configuration.timeZoneFiles[resident.timeZone]?.isEmpty == false),
      ]))
  }
}

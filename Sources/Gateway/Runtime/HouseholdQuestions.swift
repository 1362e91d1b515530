import Bytes
import Care
import Core
import Door
import JSON
import Loop
import Moments
import Ports
import Texts

/// Who lives here, where they are, what holds for them, and what they are to do.
@LoopActor
struct HouseholdQuestions {
  let view: CoreView
  let clock: any GatewayClock
  let store: any CareStore

  var handlings: [Handling] {
    [
      Handling(.residentsList) { asked, answer in
        answer(.success(.array(asked.visible(view.core.household.residentSummaries, by: "id"))))
      },
      Handling(listing: .guardiansList) {
        view.core.alarms.guardianSummaries(of: $0, at: clock.now())
      },
      Handling(listing: .zonesList) { view.core.household.zones(of: $0).map(\.json) },
      Handling(listing: .absencesList) {
        view.core.household.absenceSummaries(of: $0, at: clock.now())
      },
      Handling(listing: .bookmarksList) { view.core.household.bookmarks(of: $0).map(\.json) },
      Handling(listing: .guidanceList) { view.core.guidance.summaries(of: $0, at: clock.now()) },
      Handling(.guidanceHome) { asked, answer in
        let id = try asked.wholeResident()
        guard view.isKnown(id, answer) else { return }
        answer(.success(view.core.guidance.wayHome(of: id, at: clock.now())))
      },
      Handling(listing: .guidancePlaces) { view.core.guidance.keptPlaces(of: $0) },
      Handling(listing: .consentsList) { view.core.household.consents(of: $0).map(\.json) },
      Handling(listing: .routineList) { view.core.routine.summaries(of: $0, at: clock.now()) },
      Handling(.alarmsList) { asked, answer in
        let open = view.core.alarms.summaries(in: asked.asking.language)
        answer(.success(.array(asked.visible(open))))
      },
      Handling(.settingsList) { asked, answer in
        answer(.success(view.core.settings.inForce(for: try asked.wholeResident())))
      },
      Handling(.settingsDescribe, describeSettings),
      Handling(.locationsQuery, queryLocations),
    ]
  }

  private func describeSettings(_ asked: Asked, _ answer: @escaping Answer) throws {
    let known = try asked.resident()
    if let known, !view.isKnown(known, answer) { return }
    let language = try asked.reader.optionalString("language").flatMap { Language(tag: $0) }
    answer(
      .success(
        .array(
          view.core.settings.descriptions(
            for: known, in: language ?? view.core.configuration.language))))
  }

  private func queryLocations(_ asked: Asked, _ answer: @escaping Answer) throws {
    let (reader, id) = (asked.reader, try asked.wholeResident())
    guard view.isKnown(id, answer) else { return }
    let now = clock.now().utc
    let query = LocationQuery(
      resident: id, isSeries: try reader.optionalBool("series") ?? false,
      since: try reader.optionalTimestamp("since"), until: try reader.optionalTimestamp("until"),
      limit: try asked.limit(usual: 1000, from: 1, atMost: 1_000_000),
      after: try asked.place(at: now))
    store.locations(query) { found in
      answer(found.map { asked.answer($0.map(\.json), at: now) }.mapError(\.refusal))
    }
  }
}

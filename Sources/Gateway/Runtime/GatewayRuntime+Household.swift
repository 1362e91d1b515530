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
extension GatewayRuntime {
  static let householdHandlings = [
    Handling(.residentsList) { runtime, asked, answer in
      answer(.success(.array(asked.visible(runtime.core.residentSummaries, by: "id"))))
    },
    listing(.guardiansList) { $0.core.guardianSummaries(of: $1, at: $0.parts.clock.now()) },
    listing(.zonesList) { $0.core.zones(of: $1).map(\.json) },
    listing(.absencesList) { $0.core.absenceSummaries(of: $1, at: $0.parts.clock.now()) },
    listing(.bookmarksList) { $0.core.bookmarks(of: $1).map(\.json) },
    listing(.guidanceList) { $0.core.guidanceSummaries(of: $1, at: $0.parts.clock.now()) },
    Handling(.guidanceHome) { runtime, asked, answer in
      let id = try asked.wholeResident()
      guard runtime.isKnown(id, answer) else { return }
      answer(.success(runtime.core.wayHome(of: id, at: runtime.parts.clock.now())))
    },
    listing(.guidancePlaces) { $0.core.keptPlaces(of: $1) },
    listing(.consentsList) { $0.core.consents(of: $1).map(\.json) },
    listing(.routineList) { $0.core.routineSummaries(of: $1, at: $0.parts.clock.now()) },
    Handling(.alarmsList) { runtime, asked, answer in
      let open = runtime.core.alarmSummaries(in: asked.asking.language)
      answer(.success(.array(asked.visible(open))))
    },
    Handling(.settingsList) { runtime, asked, answer in
      answer(.success(runtime.core.settingsInForce(for: try asked.wholeResident())))
    },
    Handling(.settingsDescribe) { try $0.describeSettings($1, $2) },
    Handling(.locationsQuery) { try $0.queryLocations($1, $2) },
  ]

  /// Answers a list of one resident, or of all as far as whoever asks may see them.
  static func listing(
    _ route: Route, _ list: @escaping @LoopActor (GatewayRuntime, ResidentID?) -> [JSONValue]
  ) -> Handling {
    Handling(route) { runtime, asked, answer in
      answer(.success(.array(asked.visible(list(runtime, try asked.resident())))))
    }
  }

  private func describeSettings(_ asked: Asked, _ answer: Answer) throws {
    let known = try asked.resident()
    if let known, !isKnown(known, answer) { return }
    let language = try asked.reader.optionalString("language").flatMap { Language(tag: $0) }
    answer(
      .success(
        .array(core.settingDescriptions(for: known, in: language ?? core.configuration.language))))
  }

  private func queryLocations(_ asked: Asked, _ answer: @escaping Answer) throws {
    let (reader, id) = (asked.reader, try asked.wholeResident())
    guard isKnown(id, answer) else { return }
    let now = parts.clock.now().utc
    let query = LocationQuery(
      resident: id, isSeries: try reader.optionalBool("series") ?? false,
      since: try reader.optionalTimestamp("since"), until: try reader.optionalTimestamp("until"),
      limit: try asked.limit(usual: 1000, from: 1, atMost: 1_000_000),
      after: try asked.place(at: now))
    parts.store.locations(query) { found in
      answer(found.map { asked.answer($0.map(\.json), at: now) }.mapError(Self.refusal))
    }
  }

  func isKnown(_ id: ResidentID, _ answer: Answer) -> Bool { view.isKnown(id, answer) }

  static func refusal(_ error: StoreError) -> CommandReply.Refusal {
    CommandReply.Refusal(
      error.code == .missing ? .unknownTarget : .conflict, error.message)
  }
}

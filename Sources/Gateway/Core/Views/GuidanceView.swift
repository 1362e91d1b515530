public import Care
import Guidance
public import JSON
public import Moments

/// What people may know of the ways that residents are shown.
public struct GuidanceView: Sendable {
  private let engines: EngineSnapshot

  init(_ engines: EngineSnapshot) { self.engines = engines }

  /// Who is shown a way; of one resident, or of all when nil, by id.
  public func summaries(of resident: ResidentID?, at now: Moment) -> [JSONValue] {
    let guidance = engines[GuidanceEngine.self]
    return engines.house.sortedResidents.map(\.id).filter { resident == nil || $0 == resident }
      .compactMap { id in
        let summary = guidance.summary(of: id, at: now.tick)
        return summary == .null ? nil : summary.setting("resident", to: .string(id.rawValue))
      }
  }

  /// Where home is from where a resident is now.
  public func wayHome(of resident: ResidentID, at now: Moment) -> JSONValue {
    engines[GuidanceEngine.self].wayHome(
      of: resident, in: engines.world(showing: [.bookmarks], at: now))
  }

  /// The places in the residents' own address books; of one resident, or of all when nil, by name.
  public func keptPlaces(of resident: ResidentID?) -> [JSONValue] {
    let guidance = engines[GuidanceEngine.self]
    return engines.house.sortedResidents.map(\.id).filter { resident == nil || $0 == resident }
      .flatMap { id in
        guidance.places(keptBy: id).map {
          $0.json.setting("resident", to: .string(id.rawValue))
        }
      }
  }
}

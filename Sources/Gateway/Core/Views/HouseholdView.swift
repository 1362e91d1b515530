import Absences
public import Care
import Households
public import JSON
public import Moments
import Profiles
import Reports
import Room
import Tracking

/// What people and the parts outside of the core may know of the residents and of who is there for them.
public struct HouseholdView: Sendable {
  private let engines: EngineSnapshot

  init(_ engines: EngineSnapshot) { self.engines = engines }

  /// All residents, by id.
  public var residents: [Resident] { engines.house.sortedResidents }

  /// The zones of a resident, or of all when nil, by id.
  public func zones(of resident: ResidentID?) -> [SafeZone] {
    if let resident { return engines.house.zones(of: resident) }
    return engines.house.zones.values.sorted { $0.id < $1.id }
  }

  /// Another number whenever the zones may be others, for what is made of all of them.
  public var zonesVersion: UInt64 { engines[HouseholdsEngine.self].zonesVersion }

  /// The bookmarks of a resident, or of all when nil, by id.
  public func bookmarks(of resident: ResidentID?) -> [Bookmark] {
    engines[HouseholdsEngine.self].bookmarks(of: resident)
  }

  /// The guardians of a resident, or of all when nil, by id.
  public func guardians(of resident: ResidentID?) -> [Guardian] {
    engines.house.guardians.filter { resident == nil || $0.resident == resident }
  }

  /// Homes that were moved or removed.
  public var pastHomes: [PastHome] { engines[HouseholdsEngine.self].pastHomes }

  /// What residents answered, by resident and kind; of one, or of all when nil.
  public func consents(of resident: ResidentID?) -> [Consent] {
    engines.house.consents.filter { resident == nil || $0.resident == resident }
  }

  /// What is known about each resident now, for people to read.
  public var residentSummaries: [JSONValue] {
    let (tracking, absences) = (engines[TrackingEngine.self], engines[AbsenceEngine.self])
    return residents.map { resident in
      var summary = resident.json
        .setting("tracking", to: tracking.summary(of: resident.id, in: engines.house))
        .setting("consent", to: engines[HouseholdsEngine.self].consentSummary(of: resident.id))
      // Nobody is shown where somebody is who refused it.
      if !engines.house.isRefused(.location, by: resident.id),
        let absence = absences.present(of: resident.id)
      {
        summary = summary.setting("absence", to: absence)
      }
      guard let source = resident.gpsSource, let known = engines.house.receivers,
        !known.contains(source)
      else { return summary }
      return summary.setting("isReceiverMissing", to: true)
    }
  }

  /// The planned absences of a resident, or of all when nil; see `absences.list`.
  public func absenceSummaries(of resident: ResidentID?, at now: Moment) -> [JSONValue] {
    engines[AbsenceEngine.self].summaries(
      of: resident, in: engines.world(showing: [.whereabouts], at: now))
  }

  /// What a resident tells of themselves for those who treat them.
  public func profile(of resident: ResidentID) -> JSONValue {
    engines[ProfileEngine.self].profile(of: resident).json
  }

  /// What the fake call of a resident is doing; nil while there is none.
  public func callStage(of resident: ResidentID) -> String? {
    engines[RoomEngine.self].callStage(of: resident)
  }

  /// Reports that go out by e-mail, of one resident or of all.
  public func reportOrders(of resident: ResidentID?) -> [JSONValue] {
    engines[ReportEngine.self].listed(of: resident, in: engines.house)
  }

  /// A report that goes out by e-mail, with whether it may; nil where nobody ordered one of that id.
  public func reportOrder(_ id: String) -> JSONValue? {
    reportOrders(of: nil).first { $0["id"]?.stringContent == id }
  }
}

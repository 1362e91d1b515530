public import CareModel
import Tracking

extension GatewayCore {
  /// All residents, by id.
  public var residents: [Resident] { directory.sortedResidents }

  /// The zones of a resident, or of all when nil, by id.
  public func zones(of resident: ResidentID?) -> [SafeZone] {
    if let resident { return directory.zones(of: resident) }
    return directory.zones.values.sorted { $0.id < $1.id }
  }

  /// The bookmarks of a resident, or of all when nil, by id.
  public func bookmarks(of resident: ResidentID?) -> [Bookmark] {
    if let resident { return directory.bookmarks(of: resident) }
    return directory.bookmarks.values.sorted { $0.id < $1.id }
  }

  /// Every tracking setting of a resident with the value that holds.
  public func settingsInForce(for resident: ResidentID) -> JSONValue {
    let settings = settings(of: resident)
    return .object(
      TrackingSettings.names.map { JSONMember(key: $0, value: settings.value($0) ?? .null) })
  }

  /// What is known about each resident now, for people to read.
  public var residentSummaries: [JSONValue] {
    directory.sortedResidents.map { resident in
      resident.json.setting("tracking", to: trackers[resident.id]?.summary ?? .null)
    }
  }

  /// Whom an input is about, so that erasing a resident reaches the recorded inputs too; nil for the gateway.
  public func resident(concernedBy input: CoreInput) -> ResidentID? {
    switch input {
    case .observation(.fix(let report)): directory.resident(movingWith: report.source)?.id
    case .observation, .wake, .started: nil
    case .command(let command): resident(concernedBy: command.request)
    }
  }

  private func resident(concernedBy request: Command.Request) -> ResidentID? {
    switch request {
    case .putResident(let resident): resident.id
    case .eraseResident(let id), .setTracking(let id, _), .locate(let id),
      .putSetting(let id, _, _):
      id
    case .putZone(let zone): zone.resident
    case .removeZone(let id): directory.zones[id]?.resident
    case .putBookmark(let bookmark): bookmark.resident
    case .removeBookmark(let id): directory.bookmarks[id]?.resident
    }
  }

  /// Faults that are raised now.
  public var faults: [HealthReport] { currentFaults }

  /// Tracking settings that the configuration names wrongly or sets out of range, with the reason.
  public static func problems(in configuration: CoreConfiguration) -> [String] {
    var settings = TrackingSettings()
    var problems: [String] = []
    for setting in configuration.trackingDefaults {
      do { try settings.set(setting.name, to: setting.value) } catch {
        problems.append("tracking.\(setting.name): \(error.message)")
      }
    }
    return problems
  }
}

import Absences
import Alarms
public import Care
public import JSON
import Reminders
import Texts
import Tracking

extension GatewayCore {
  /// All residents, by id.
  public var residents: [Resident] { directory.sortedResidents }

  /// The zones of a resident, or of all when nil, by id.
  public func zones(of resident: ResidentID?) -> [SafeZone] {
    if let resident { return directory.zones(of: resident) }
    return directory.zones.values.sorted { $0.id < $1.id }
  }

  /// Another number whenever the zones may be others, for what is made of all of them.
  public var zonesVersion: UInt64 { directory.zonesVersion }

  /// The bookmarks of a resident, or of all when nil, by id.
  public func bookmarks(of resident: ResidentID?) -> [Bookmark] {
    if let resident { return directory.bookmarks(of: resident) }
    return directory.bookmarks.values.sorted { $0.id < $1.id }
  }

  /// What is known about each resident now, for people to read.
  public var residentSummaries: [JSONValue] {
    directory.sortedResidents.map { resident in
      var summary = resident.json.setting("tracking", to: trackingSummary(of: resident.id))
        .setting("consent", to: consentSummary(of: resident.id))
      if let absence = presentAbsence(of: resident.id) {
        summary = summary.setting("absence", to: absence)
      }
      guard let source = resident.gpsSource, let known = configuration.receivers,
        !known.contains(source)
      else { return summary }
      return summary.setting("isReceiverMissing", to: true)
    }
  }

  /// Whom an input is about, so that erasing a resident reaches the recorded inputs too; nil for the gateway.
  public func resident(concernedBy input: CoreInput) -> ResidentID? {
    switch input {
    case .observation(.fix(let report)): directory.resident(movingWith: report.source)?.id
    case .observation(.sighting(let sighting)): bluetooth.tags[sighting.tag]?.resident
    case .observation(.meter(let report)): bluetooth.meters[report.meter]?.resident
    case .observation, .wake, .started, .timeZone: nil
    case .command(let command):
      // What the store holds comes with the command, also of what it removes.
      command.storedNote?.resident ?? command.storedMessage?.resident
        ?? command.storedReading?.resident ?? resident(concernedBy: command.request)
    }
  }

  private func resident(concernedBy request: Command.Request) -> ResidentID? {
    switch request {
    case .putResident(let resident): resident.id
    case .eraseResident(let id), .setTracking(let id, _), .locate(let id),
      .putSetting(let id, _, _), .putConsent(let id, _, _, _):
      id
    case .putGuardian(let guardian): guardian.resident
    case .removeGuardian(let id): directory.guardians[id]?.resident
    case .room(.startFakeCall(let id, _)): id
    case .room: nil
    case .alarm(let request): request.resident
    case .routine(let request): resident(concernedBy: request)
    case .note(let request): resident(concernedBy: request)
    case .glucose(let request): resident(concernedBy: request)
    case .bluetooth(let request): resident(concernedBy: request)
    case .absence(.put(let absence)): absence.resident
    case .absence(.remove(let id)): absences.resident(of: id)
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
        problems.append(
          "tracking.\(setting.name): \(error.message.text(in: configuration.language))")
      }
    }
    return problems
  }
}

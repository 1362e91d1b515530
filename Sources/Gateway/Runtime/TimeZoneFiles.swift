import Care
import Core
import Loop
import Texts

/// The files of time zones on this machine, which the core judges by.
@LoopActor
struct TimeZoneFiles {
  let view: CoreView
  /// The zone database's file of a time zone; nil when there is none.
  let file: @LoopActor (String) -> [UInt8]?

  /// The file of a zone that the core lacks; nil where it has it, or there is none.
  func missing(_ name: String) -> [UInt8]? {
    view.core.configuration.timeZoneFiles[name] == nil ? file(name) : nil
  }

  /// Why a resident cannot live by a time zone that this machine does not know; nil where one stays as it was.
  func refusal(of request: Command.Request) -> CommandReply.Refusal? {
    let name: String
    switch request {
    case .putResident(let resident):
      let known = view.core.household.residents.first { $0.id == resident.id }?.timeZone
      guard known != resident.timeZone else { return nil }
      name = resident.timeZone
    case .feature:
      guard let zone = request.timeZones.first else { return nil }
      name = zone
    default: return nil
    }
    guard file(name) == nil else { return nil }
    return CommandReply.Refusal(
      .invalid,
      Message(
        "There is no time zone \"{name}\" on this machine. Write it as in Europe/Oslo; see the folder "
          + "/usr/share/zoneinfo.", ["name": name]))
  }
}

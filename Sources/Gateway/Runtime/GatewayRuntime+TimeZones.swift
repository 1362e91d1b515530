import Care
import Core
import Texts

extension GatewayRuntime {
  /// Why a resident cannot live by a time zone that this machine does not know; nil where one stays as it was.
  func unknownTimeZone(of request: Command.Request) -> CommandReply.Refusal? {
    let name: String
    switch request {
    case .putResident(let resident):
      let known = core.residents.first { $0.id == resident.id }?.timeZone
      guard known != resident.timeZone else { return nil }
      name = resident.timeZone
    case .feature:
      guard let zone = request.timeZones.first else { return nil }
      name = zone
    default: return nil
    }
    guard parts.room.timeZoneFile(name) == nil else { return nil }
    return CommandReply.Refusal(
      .invalid,
      Message(
        "There is no time zone \"{name}\" on this machine. Write it as in Europe/Oslo; see the folder "
          + "/usr/share/zoneinfo.", ["name": name]))
  }
}

import Care
import Core
import Texts

extension GatewayRuntime {
  /// Why a resident cannot live by a time zone that this machine does not know; nil where one stays as it was.
  func unknownTimeZone(of request: Command.Request) -> CommandReply.Refusal? {
    guard case .putResident(let resident) = request,
      parts.room.timeZoneFile(resident.timeZone) == nil,
      core.residents.first(where: { $0.id == resident.id })?.timeZone != resident.timeZone
    else { return nil }
    return CommandReply.Refusal(
      .invalid,
      Message(
        "There is no time zone \"{name}\" on this machine. Write it as in Europe/Oslo; see the folder "
          + "/usr/share/zoneinfo.", ["name": resident.timeZone]))
  }
}

import Configuration
import ControlSocket
import Door
import JSON

/// What `homeward doctor` says about the people looked after; nothing where the daemon does not answer.
struct ResidentChecks {
  let session: Session

  func all() -> [Finding] {
    guard let client = try? ControlClient(connectingTo: session.socketPath),
      let answer = try? client.call(.residentsList, timeoutMilliseconds: 5000)
    else { return [] }
    let residents = answer.arrayContent ?? []
    return residents.flatMap { receiver(of: $0) + timeZone(of: $0) } + consents(residents)
  }

  private func receiver(of resident: JSONValue) -> [Finding] {
    guard resident["isReceiverMissing"]?.boolContent == true else { return [] }
    return [
      Finding(
        subject: "residents", state: .failed,
        found: gettext(
          "{name} is not followed: no receiver named \"{source}\" is configured",
          ["name": text(resident, "name"), "source": text(resident, "gpsSource")]),
        advice: gettext(
          "add it under gps in the configuration, or choose another: homeward residents change {id} --gps NAME",
          ["id": text(resident, "id")]))
    ]
  }

  private func timeZone(of resident: JSONValue) -> [Finding] {
    let zone = text(resident, "timeZone")
    guard !TimeZoneDirectory.contains(zone) else { return [] }
    return [
      Finding(
        subject: "residents", state: .failed,
        found: gettext(
          "{name} lives by a time zone that this machine does not know: {zone}",
          ["name": text(resident, "name"), "zone": zone]),
        advice: gettext(
          "choose another: homeward residents change {id} --time-zone ZONE",
          ["id": text(resident, "id")]))
    ]
  }

  /// Whether everybody was asked what may be used.
  private func consents(_ residents: [JSONValue]) -> [Finding] {
    let open = residents.compactMap { resident -> String? in
      let kinds = (resident["consent"]?.objectContent ?? []).filter {
        $0.value.stringContent == "not-asked"
      }
      guard !kinds.isEmpty else { return nil }
      let words = kinds.map { ConsentCommands.word(of: $0.key) }.joined(separator: ", ")
      return "\(text(resident, "name")) (\(words))"
    }
    if open.isEmpty { return [] }
    return [
      Finding(
        subject: "consent", state: .warning,
        found: gettext("not asked yet: {names}", ["names": open.joined(separator: "; ")]),
        advice: gettext("ask, then write the answer down: homeward consent grant --help"))
    ]
  }

  private func text(_ resident: JSONValue, _ member: String) -> String {
    TextWidth.printable(resident[member]?.stringContent ?? "-")
  }
}

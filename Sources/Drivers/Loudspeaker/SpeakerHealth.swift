import Care
import Glibc
import Texts

/// What the component `sound` says about itself.
enum SpeakerHealth {
  private static let component = ComponentID("sound")

  static let starting = HealthReport(component: component, state: .starting)
  static let working = HealthReport(component: component, state: .working)
  static let disabled = HealthReport(
    component: component, state: .unused, code: "disabled",
    detail: Message("Sound is switched off in the configuration (sound.enabled)."))
  static let noThread = HealthReport(
    component: component, state: .failed, code: "no-thread",
    detail: Message(
      "The system refuses a thread for sound; the machine is out of memory or of processes. "
        + "Restart it."))

  static func failed(_ error: Int32, device: String) -> HealthReport {
    let (code, detail) = words(for: error, device)
    return HealthReport(component: component, state: .failed, code: code, detail: detail)
  }

  static func mixerRefuses(_ error: Int32, element: String) -> HealthReport {
    HealthReport(
      component: component, state: .degraded, code: "mixer",
      detail: Message(
        "The volume \"{element}\" cannot be set before an alarm ({reason}), so an "
          + "alarm may be too quiet. Set it by hand: alsamixer",
        ["element": element, "reason": text(error)]))
  }

  private static func words(for error: Int32, _ device: String) -> (String, Message) {
    switch error {
    case EBUSY:
      (
        "busy",
        Message(
          "Another program holds the sound device \"{device}\", so alarms cannot be heard here. "
            + "End it, or set sound.device to one that can be shared.", ["device": device])
      )
    case ENOENT, ENODEV, ENXIO:
      (
        "no-card",
        Message(
          "There is no sound device \"{device}\", so alarms cannot be heard here. Plug in the "
            + "speaker; \"aplay -L\" lists the names for sound.device.", ["device": device])
      )
    case EACCES, EPERM:
      (
        "forbidden",
        Message(
          "The gateway may not use the sound device \"{device}\". Put its user into the group "
            + "audio: adduser homeward audio", ["device": device])
      )
    default:
      (
        "device",
        Message(
          "The sound device \"{device}\" does not work ({reason}), so alarms cannot be heard "
            + "here. Unplug it and plug it in again, or choose another one as sound.device.",
          ["device": device, "reason": text(error)])
      )
    }
  }

  private static func text(_ error: Int32) -> String { String(cString: strerror(error)) }
}

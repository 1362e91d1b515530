import Loop

/// gpsd and the receivers behind it.
struct ReceiverChecks {
  let receivers: [DaemonProgram.Receiver]

  func all() -> [Finding] {
    if receivers.isEmpty {
      return [
        Finding(
          subject: "gps", state: .unused, found: gettext("no receiver is configured"),
          advice: gettext("without one nobody can be located; see gps in the configuration"))
      ]
    }
    return receivers.flatMap(check)
  }

  private func check(_ receiver: DaemonProgram.Receiver) -> [Finding] {
    let subject = "gps/\(receiver.name)"
    let address = "\(receiver.host):\(receiver.port)"
    do throws(TCPProbe.Failure) {
      let gpsd = try GPSDProbe(host: receiver.host, port: receiver.port)
      let found = Finding(
        subject: subject, state: .working,
        found: gettext(
          "gpsd {version} answers on {address}", ["version": gpsd.version, "address": address]))
      return [found, device(receiver, gpsd.devices)]
    } catch {
      return [
        Finding(
          subject: subject, state: .failed,
          found: gettext(
            "no gpsd on {address}: {reason}", ["address": address, "reason": error.reason]),
          advice: gettext(
            "install and start it: apt install gpsd && systemctl enable --now gpsd.socket"))
      ]
    }
  }

  private func device(
    _ receiver: DaemonProgram.Receiver, _ devices: [String]
  ) -> Finding {
    let subject = gettext("gps/{name} receiver", ["name": receiver.name])
    if let wanted = receiver.device {
      if devices.contains(wanted) {
        return Finding(
          subject: subject, state: .working,
          found: gettext("gpsd watches {wanted}", ["wanted": wanted]))
      }
      let exists = FileText.exists(wanted)
      return Finding(
        subject: subject, state: .failed,
        found: exists
          ? gettext("{wanted} is there, gpsd does not watch it", ["wanted": wanted])
          : gettext("{wanted} is not plugged in", ["wanted": wanted]),
        advice: exists
          ? gettext("hand it over: gpsdctl add {wanted}", ["wanted": wanted])
          : gettext("plug it in, or correct gps.device in the configuration"))
    }
    if !devices.isEmpty {
      return Finding(
        subject: subject, state: .working,
        found: gettext("gpsd watches {devices}", ["devices": devices.joined(separator: ", ")]))
    }
    let candidates = Self.serialDevices
    if candidates.isEmpty {
      return Finding(
        subject: subject, state: .failed,
        found: gettext("gpsd has no receiver, and none is plugged in"),
        advice: gettext("plug a receiver in; a USB one shows up as /dev/ttyACM0 or /dev/ttyUSB0"))
    }
    return Finding(
      subject: subject, state: .failed,
      found: gettext(
        "gpsd has no receiver; plugged in: {candidates}",
        ["candidates": candidates.joined(separator: ", ")]),
      advice: gettext("hand one over: gpsdctl add {candidates}", ["candidates": candidates[0]]))
  }

  /// Where receivers at a serial line or at USB are: their device files, sorted.
  static var serialDevices: [String] {
    Folder.entries(of: "/dev").filter { name in
      ["ttyACM", "ttyUSB", "gps", "homeward-gps"].contains(where: name.hasPrefix)
    }.map { "/dev/\($0)" }
  }
}

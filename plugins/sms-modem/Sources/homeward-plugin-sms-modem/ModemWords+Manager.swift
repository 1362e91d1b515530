import DBus
import PluginKit

/// Errors of ModemManager and of the bus in words for people.
extension ModemWords {
  /// What a failed call means.
  static func refusal(_ fault: BusFault) -> String {
    let name = fault.name.split(separator: ".").last.map(String.init) ?? fault.name
    if let words = manager[name] { return words }
    let detail = fault.message.isEmpty ? name : "\(fault.message.prefix(200))"
    return gettext("ModemManager refuses ({detail})", ["detail": detail])
  }

  /// Whether a failed call says more about ModemManager or the modem than about the message.
  static func isModemGone(_ fault: BusFault) -> Bool {
    if fault.isTimeOut { return true }
    let name = fault.name.split(separator: ".").last.map(String.init) ?? ""
    return [
      "ServiceUnknown", "NameHasNoOwner", "UnknownObject", "UnknownMethod", "UnknownInterface",
      "Disconnected", "Aborted", "Cancelled", "NotFound", "WrongState", "NotOpened", "Removed",
      "SerialOpenFailed", "InProgress", "Retry", "Unauthorized", "AccessDenied",
    ].contains(name)
  }

  private static let notAllowed =
    gettext(
      "ModemManager does not let the gateway use the modem; give its user the right with a rule of polkit"
    )

  private static let manager: [String: String] = [
    "Unauthorized": notAllowed, "AccessDenied": notAllowed, "NotAuthorized": notAllowed,
    "NoReply": gettext("ModemManager did not answer"),
    "Timeout": gettext("ModemManager did not answer"),
    "ServiceUnknown": gettext("ModemManager is not running"),
    "NameHasNoOwner": gettext("ModemManager is not running"),
    "Disconnected": gettext("the connection to the system bus is gone"),
    "UnknownObject": gettext("the modem went away"),
    "UnknownMethod": gettext("the modem went away"),
    "UnknownInterface": gettext("the modem went away"), "Removed": gettext("the modem went away"),
    "Aborted": gettext("ModemManager gave up the message"),
    "Cancelled": gettext("ModemManager gave up the message"),
    "InProgress": gettext("the modem is busy"), "Retry": gettext("the modem is busy"),
    "WrongState": gettext("the modem is not ready"),
    "Unsupported": gettext("the modem cannot do that"),
    "NetworkTimeout": gettext("the network does not answer in time"),
    "NoNetwork": gettext("there is no mobile network"),
    "NotAllowed": gettext("the modem does not allow that"),
    "NotSupported": gettext("the modem cannot do that"),
    "SimNotInserted": gettext("there is no SIM card"),
    "SimPin": gettext("the SIM card wants its PIN; put it into the settings"),
    "SimPuk": gettext("the SIM card is locked; unlock it with its PUK in a phone"),
    "SimFailure": gettext("the SIM card fails"), "SimBusy": gettext("the SIM card is busy"),
    "SimWrong": gettext("the SIM card is the wrong one"),
    "IncorrectPassword": gettext("the PIN is wrong"),
    "MemoryFull": gettext("the modem's storage is full"),
    "SmscUnknown": gettext("the number of the message centre is not known"),
    "SmscAddressUnknown": gettext("the number of the message centre is not known"),
    "EmergencyOnly": gettext("the network allows emergency calls only"),
    "NetworkNotAllowed": gettext("the network allows emergency calls only"),
  ]
}

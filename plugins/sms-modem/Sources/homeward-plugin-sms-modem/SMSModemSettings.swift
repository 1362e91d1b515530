import Bytes
import JSON
import PluginKit
import PluginProtocol

/// What the owner configured.
struct SMSModemSettings: Hashable, Sendable {
  /// By which way the modem is reached.
  enum Backend: String, Hashable, Sendable, CaseIterable {
    /// ModemManager where it has a modem for messages, else the port.
    case auto
    case modemmanager
    case port
  }

  /// By which way the modem is reached.
  var backend: Backend
  /// Which of ModemManager's modems: its device's path or its IMEI; nil for any.
  var modem: String?
  /// The serial port; nil when none is set.
  var port: String?
  /// The SIM card's PIN.
  var pin: String?
  /// The file that switches the power of the modem's USB port.
  var powerPath: String?
  /// Whether messages to the emergency services are let through.
  var allowsEmergency: Bool
  /// How calls are made.
  var voice: VoiceSettings

  /// Reads the settings.
  ///
  /// - Throws: an error that names the setting and says what to change.
  init(json: JSONValue) throws(RPCError) {
    do throws(DecodeError) {
      let reader = try JSONReader(json)
      backend = try reader.optionalWord("backend", as: Backend.self) ?? .auto
      modem = try reader.optionalString("modem")
      port = try reader.optionalString("port")
      pin = try reader.optionalString("pin")
      powerPath = try reader.optionalString("powerPath")
      allowsEmergency = try reader.optionalBool("emergency") ?? false
    } catch { throw Self.fault(gettext("the setting does not fit: {error}", ["error": error])) }
    if backend == .port, port == nil {
      throw Self.fault(
        gettext("backend is port, and no port is set; write the modem's port as \"port\""))
    }
    voice = try VoiceSettings(json: json["voice"])
    if let port, !port.hasPrefix("/dev/") {
      throw Self.fault(
        gettext("port must be a path below /dev, such as /dev/serial/by-id/usb-…-if02"))
    }
    if let powerPath, !powerPath.hasPrefix("/sys/") || !powerPath.hasSuffix("/authorized") {
      throw Self.fault(gettext("powerPath must be the file authorized of a USB device below /sys"))
    }
    if let pin,
      !(4...8).contains(pin.utf8.count) || !pin.utf8.allSatisfy({ (48...57).contains($0) })
    {
      throw Self.fault(gettext("pin must have 4 through 8 digits"))
    }
  }

  private static func fault(_ message: String) -> RPCError {
    RPCError(code: RPCError.invalidParametersCode, message: message)
  }
}

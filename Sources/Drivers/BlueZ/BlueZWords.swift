import Care
import DBus
import Ports
import Texts

/// Says what bluetoothd's errors mean.
enum BlueZWords {
  static let rejected = "org.bluez.Error.Rejected"
  static let cancelled = "org.bluez.Error.Canceled"

  /// What a failed call with a device means to whoever wanted it.
  static func failure(_ fault: BusFault) -> BluetoothFailure {
    guard fault != .noConnection else { return .noRadio }
    guard !fault.isTimeOut else { return .timedOut }
    let code = attributeError(in: fault.message)
    switch fault.name.split(separator: ".").last.map(String.init) ?? "" {
    case "NotReady": return .noRadio
    case "InProgress", "Busy": return .connectionIsBusy
    case "NotConnected", "ConnectionAttemptFailed", "AuthenticationTimeout":
      return .notReached(fault.message)
    case "AuthenticationFailed", "AuthenticationRejected", "Rejected": return .pairingRefused
    case "AuthenticationCanceled", "Canceled":
      return BluetoothFailure(.cancelled, Message("The pairing was cancelled."))
    case "NotAuthorized", "NotPermitted":
      return BluetoothFailure(
        .refused, Message("The device refuses: {words}", ["words": fault.message]),
        attributeError: code)
    case "NotSupported", "NotAvailable", "InvalidValueLength", "InvalidOffset",
      "InvalidArguments", "UnknownMethod", "UnknownObject", "DoesNotExist":
      return .unsupported
    case "Failed" where code == 0x05 || code == 0x0F || code == 0x0C:
      return BluetoothFailure(
        .notBonded,
        Message("The device wants to be paired first. Try: homeward bluetooth pair"),
        attributeError: code)
    case "Failed" where code != nil:
      return BluetoothFailure(
        .refused, Message("The device refuses: {words}", ["words": fault.message]),
        attributeError: code)
    case "Failed", "NoReply": return .notReached(fault.message)
    default:
      return BluetoothFailure(
        .failed, Message("Bluetooth fails: {words}", ["words": fault.message]))
    }
  }

  /// The number at the end of `Operation failed with ATT error: 0x81`; nil without one.
  static func attributeError(in words: String) -> UInt8? {
    let marker = "ATT error: 0x"
    var rest = Substring(words)
    while !rest.isEmpty, !rest.hasPrefix(marker) { rest = rest.dropFirst() }
    guard !rest.isEmpty else { return nil }
    return UInt8(rest.dropFirst(marker.count).prefix { $0.isHexDigit }.prefix(3), radix: 16)
  }
}

extension BluetoothFailure {
  static let noRadio = BluetoothFailure(
    .noRadio, Message("Bluetooth does not work just now. Try: homeward status"))
  static let timedOut = BluetoothFailure(
    .timedOut, Message("The device did not answer in time. Bring it nearer, wake it and try again.")
  )
  static let disconnected = BluetoothFailure(
    .disconnected, Message("The connection to the device ended. Bring it nearer and try again."))
  static let unsupported = BluetoothFailure(
    .unsupported, Message("The device cannot do that."))
  static let connectionIsBusy = BluetoothFailure(
    .busy, Message("The device is in use just now. Try again in a moment."))
  static let pairingRefused = BluetoothFailure(
    .refused,
    Message(
      "The pairing failed. Put the device into pairing mode, look at its number, and try again."))

  static func unknown(_ address: BluetoothAddress) -> Self {
    BluetoothFailure(
      .unknownDevice,
      Message(
        "The device {address} was not heard yet. Wake it, bring it near and try again.",
        ["address": address]))
  }

  static func notReached(_ words: String) -> Self {
    BluetoothFailure(
      .disconnected,
      Message("The device could not be reached ({words}). Wake it and try again.", ["words": words])
    )
  }
}

import Care
import Moments
import Ports
import Texts

/// Judges what devices want from the pairing agent: only what somebody asked for, and only in the way asked for.
struct PairingDesk {
  /// What bluetoothd asks the agent.
  enum Request: Hashable {
    case pinCode
    case passkey
    case displayPasskey(UInt32)
    case confirmation(UInt32)
    case authorization
    case service
  }

  /// What the agent does.
  enum Verdict: Hashable {
    case accept
    case acceptPasskey(UInt32)
    /// Tell somebody and accept.
    case tell(PairingQuestion)
    /// Ask somebody, and answer when they have.
    case ask(PairingQuestion)
    case refuse(PairingRefusal)
  }

  /// The pairing that goes on.
  struct Open: Hashable {
    var path: String
    var request: PairingRequest
    /// What somebody was asked and has not answered.
    var question: PairingQuestion.Kind?
    /// The number that was told to be typed in on the device.
    var told: UInt32?
  }

  private static let mostRemembered = 32
  private static let againMilliseconds: Int64 = 60_000

  private(set) var open: Open?
  private var toldRefusals: [(refusal: PairingRefusal, tick: Tick)] = []

  mutating func begin(_ request: PairingRequest, path: String) {
    open = Open(path: path, request: request)
  }

  mutating func end() { open = nil }

  /// Judges a request about a device, whose address is nil when it is not known.
  mutating func judge(_ request: Request, path: String, address: BluetoothAddress?) -> Verdict {
    guard let open, open.path == path, let address else {
      return .refuse(Self.unasked(request, address))
    }
    switch request {
    case .service: return .accept
    case .pinCode:
      return .refuse(
        PairingRefusal(
          address: address, wish: .otherWay,
          message: Message(
            "The device {address} asks for a PIN in an outdated way and was refused.",
            ["address": address])))
    case .passkey:
      if let passkey = open.request.passkey { return .acceptPasskey(passkey) }
      return ask(.passkey, address)
    case .displayPasskey(let number):
      guard open.told != number else { return .accept }
      self.open?.told = number
      return .tell(PairingQuestion(address: address, kind: .typeOnDevice(number)))
    case .confirmation(let number):
      guard let passkey = open.request.passkey else { return ask(.confirmation(number), address) }
      guard passkey != number else { return .accept }
      return .refuse(
        PairingRefusal(
          address: address, wish: .otherWay,
          message: Message(
            "The device {address} shows another number than the one given, and was refused. Try again, and look at the number on the device.",
            ["address": address])))
    case .authorization:
      guard open.request.passkey != nil else { return .accept }
      return .refuse(
        PairingRefusal(
          address: address, wish: .otherWay,
          message: Message(
            "The device {address} wants to pair without a number and was refused. If it shows none, pair it without one.",
            ["address": address])))
    }
  }

  private mutating func ask(_ kind: PairingQuestion.Kind, _ address: BluetoothAddress) -> Verdict {
    open?.question = kind
    return .ask(PairingQuestion(address: address, kind: kind))
  }

  /// Takes a person's answer; nil when it fits nothing that was asked.
  mutating func answer(_ answer: PairingAnswer, for address: BluetoothAddress) -> Verdict? {
    guard let open, open.request.address == address, let question = open.question else {
      return nil
    }
    switch (question, answer) {
    case (.passkey, .passkey(let number)) where number <= 999_999:
      self.open?.question = nil
      return .acceptPasskey(number)
    case (.confirmation, .isSame(let isSame)):
      self.open?.question = nil
      return isSame
        ? .accept
        : .refuse(
          PairingRefusal(
            address: address, wish: .otherWay,
            message: Message(
              "The numbers are not the same: the device {address} was refused.",
              ["address": address])))
    default: return nil
    }
  }

  private static func unasked(_ request: Request, _ address: BluetoothAddress?) -> PairingRefusal {
    let name = address?.text ?? "?"
    guard request != .service else {
      return PairingRefusal(
        address: address, wish: .service,
        message: Message(
          "The device {address} wanted to use a service that nobody had asked for, and was refused.",
          ["address": name]))
    }
    return PairingRefusal(
      address: address, wish: .pairing,
      message: Message(
        "The device {address} wanted to pair though nobody had asked for it, and was refused. If it is yours, try: homeward bluetooth pair",
        ["address": name]))
  }

  /// Whether to tell of a refusal: the same one once a minute, and never more than 32 kinds at a time.
  mutating func shouldTell(_ refusal: PairingRefusal, at now: Tick) -> Bool {
    toldRefusals.removeAll { now.milliseconds(since: $0.tick) >= Self.againMilliseconds }
    guard toldRefusals.count < Self.mostRemembered,
      !toldRefusals.contains(where: { $0.refusal == refusal })
    else { return false }
    toldRefusals.append((refusal, now))
    return true
  }
}

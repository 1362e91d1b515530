import CEvdev
import Glibc
import Loop
import Texts

/// The keys of an input device.
final class InputButton: ButtonDevice {
  private let handle: OpaquePointer
  private let device: String

  init(path: String, device: InputDevice) throws(ButtonTrouble) {
    let keys = try Self.codes(of: device.keys)
    var code: Int32 = 0
    guard let opened = homeward_input_open(path, keys, keys.count, &code) else {
      throw ButtonTrouble(opening: device, code: code)
    }
    handle = opened
    self.device = device.device
  }

  deinit { homeward_input_close(handle) }

  var descriptor: Int32 { homeward_input_descriptor(handle) }

  func readEdges() throws(ButtonTrouble) -> [ButtonEdge] {
    var edges = [homeward_input_edge](repeating: homeward_input_edge(), count: 16)
    let count = homeward_input_read(handle, &edges, Int32(edges.count))
    if count < 0 { throw ButtonTrouble(unplugged: device) }
    return edges.prefix(Int(count)).map {
      ButtonEdge(isDown: $0.is_down, stampNanoseconds: $0.nanoseconds)
    }
  }

  func isDown() throws(ButtonTrouble) -> Bool { homeward_input_is_down(handle) }

  static func codes(of names: [String]) throws(ButtonTrouble) -> [UInt16] {
    var codes: [UInt16] = []
    for name in names {
      guard let code = UInt16(exactly: homeward_input_key(name)) else {
        throw ButtonTrouble(
          code: "no-keys",
          message:
            Message(
              "There is no key \"{name}\". Names are those that evtest shows, such as KEY_ENTER.",
              ["name": name])
        )
      }
      codes.append(code)
    }
    return codes
  }
}

/// Finds and opens an input device by its path or by its name.
struct InputButtonOpener: ButtonOpener {
  let device: InputDevice
  /// Where event devices are.
  var folder = "/dev/input"

  func open() throws(ButtonTrouble) -> any ButtonDevice {
    if device.isPath { return try InputButton(path: device.device, device: device) }
    guard let path = pathOfNamed() else { throw ButtonTrouble(opening: device, code: ENOENT) }
    return try InputButton(path: path, device: device)
  }

  /// A stable name is a link; the device behind it may get its permissions later.
  var places: [String] { ["\(folder)/event"] + (device.isPath ? [device.device] : []) }

  private func pathOfNamed() -> String? {
    Folder.entries(of: folder).filter { $0.hasPrefix("event") }.map { "\(folder)/\($0)" }
      .first { Self.name(of: $0) == device.device }
  }

  private static func name(of path: String) -> String? {
    var name = [CChar](repeating: 0, count: Int(HOMEWARD_INPUT_NAME_MAX))
    guard homeward_input_name(path, &name, name.count) == 0 else { return nil }
    return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

extension ButtonTrouble {
  fileprivate init(opening device: InputDevice, code: Int32) {
    let name = device.device
    switch code {
    case HOMEWARD_INPUT_NO_KEYS:
      let wanted =
        device.keys.isEmpty
        ? Message("no keys")
        : Message("none of {keys}", ["keys": device.keys.joined(separator: ", ")])
      self.init(
        code: "no-keys",
        message: Message(
          "The input device {name} has {wanted}. Try evtest to see which keys it has.",
          ["name": name, "wanted": wanted]))
    case ENOENT, ENODEV, ENXIO:
      self.init(
        code: "missing",
        message: Message(
          "The button {name} is not there. Plug it in, or charge and wake it.", ["name": name]))
    case EBUSY:
      self.init(
        code: "busy",
        message:
          Message(
            "Another program has grabbed the input device {name}. End it, then it works again.",
            ["name": name]))
    case EACCES, EPERM:
      self.init(
        code: "no-permission",
        message: Message(
          "The input device {name} may not be opened. The service's user has to be in the "
            + "group input.", ["name": name]))
    case ENOTTY, EINVAL:
      self.init(
        code: "no-keys",
        message: Message(
          "{name} is no input device. Take one of /dev/input/by-id or /dev/homeward.",
          ["name": name]))
    default:
      self.init(
        code: "broken",
        message: Message(
          "The input device {name} cannot be opened ({reason}).",
          ["name": name, "reason": String(cString: strerror(code))]))
    }
  }

  fileprivate init(unplugged name: String) {
    self.init(
      code: "unplugged",
      message: Message(
        "The button {name} is gone. Plug it in again, or charge and wake it.", ["name": name]))
  }
}

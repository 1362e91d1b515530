import Glibc
import Loop
import Texts

/// A light of the kernel below `/sys/class/leds`, which can blink without us.
final class KernelLight: LampOutput {
  private let name: String
  private let folder: String
  private let brightest: String
  private let hasTimer: Bool
  private var isBlinking = false

  /// Takes the light away from what it showed before.
  init(name: String, folder: String) throws(LampTrouble) {
    self.name = name
    self.folder = "\(folder)/\(name)"
    guard access(self.folder, F_OK) == 0 else {
      throw LampTrouble(
        code: "no-light",
        message: Message(
          "There is no light {name}. Take one of those that ls {folder} shows.",
          ["name": name, "folder": folder]))
    }
    let most = KernelFile.read("\(self.folder)/max_brightness").flatMap { Int($0) } ?? 1
    brightest = String(max(1, most))
    let triggers = KernelFile.read("\(self.folder)/trigger") ?? ""
    hasTimer = triggers.split(separator: " ").contains { $0 == "timer" || $0 == "[timer]" }
    if !triggers.isEmpty, !triggers.contains("[none]") { try write("none", to: "trigger") }
  }

  func set(_ isOn: Bool) throws(LampTrouble) {
    if isBlinking {
      try write("none", to: "trigger")
      isBlinking = false
    }
    try write(isOn ? brightest : "0", to: "brightness")
  }

  func blink(onMilliseconds: Int64, offMilliseconds: Int64) throws(LampTrouble) -> Bool {
    guard hasTimer else { return false }
    try set(true)
    try write("timer", to: "trigger")
    isBlinking = true
    // The files of the times come with the trigger and belong to root until udev has seen them.
    let hasTimes =
      KernelFile.write(String(onMilliseconds), to: "\(folder)/delay_on") == 0
      && KernelFile.write(String(offMilliseconds), to: "\(folder)/delay_off") == 0
    if !hasTimes { try set(true) }
    return hasTimes
  }

  private func write(_ text: String, to file: String) throws(LampTrouble) {
    let code = KernelFile.write(text, to: "\(folder)/\(file)")
    switch code {
    case 0: return
    case EACCES, EPERM, EROFS:
      throw LampTrouble(
        code: "no-permission",
        message: Message(
          "The light {name} may not be switched. Homeward's udev rules and the group gpio "
            + "give the permission; a service needs ReadWritePaths= for it.", ["name": name]))
    case ENOENT, ENODEV:
      throw LampTrouble(
        code: "no-light",
        message: Message(
          "The light {name} is gone. Check that its board is plugged in.", ["name": name]))
    default:
      throw LampTrouble(
        code: "broken",
        message: Message(
          "The light {name} cannot be switched ({reason}).",
          ["name": name, "reason": String(cString: strerror(code))]))
    }
  }
}

/// Small files by which the kernel is asked and told.
enum KernelFile {
  /// The text without white space around it; nil when it cannot be read.
  static func read(_ path: String) -> String? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = Glibc.read(file, &bytes, bytes.count)
    guard count >= 0 else { return nil }
    let text = bytes.prefix(count).split(whereSeparator: { $0 == 0x0A }).first ?? []
    return String(decoding: text, as: UTF8.self)
  }

  /// Writes all of a text; answers 0 or the error's number.
  static func write(_ text: String, to path: String) -> Int32 {
    let file = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC)
    guard file >= 0 else { return errno }
    defer { close(file) }
    let bytes = Array(text.utf8)
    return Glibc.write(file, bytes, bytes.count) == bytes.count ? 0 : errno
  }
}

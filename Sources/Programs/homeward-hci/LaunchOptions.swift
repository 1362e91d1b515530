// SPDX-License-Identifier: GPL-2.0-or-later
import Care
import Glibc
import Texts

/// What the command line says.
struct LaunchOptions: Hashable, Sendable {
  /// What is wrong with a command line.
  struct Fault: Error {
    var message: Message
  }

  static let usualSocket = "/run/homeward-hci/hci.sock"

  /// The number of the adapter: 0 for `hci0`.
  var adapter = 0
  /// Where clients connect.
  var socketPath = Self.usualSocket
  /// Without any advertisement for so long, the scan is begun anew.
  var silenceSeconds: Int64 = 120
  /// Ends once the adapter was off, or did not answer, for so long; nil for never.
  var endWhenDownSeconds: Int64?
  /// Only switches the adapter off and on.
  var switchesOn = false
  /// What to print instead of running.
  var textToPrint: String?

  /// The adapter's name.
  var adapterName: String { "hci\(adapter)" }

  init(arguments: [String]) throws(Fault) {
    var rest = arguments[...]
    while let word = rest.popFirst() {
      switch word {
      case "--help", "-h": textToPrint = Self.help
      case "--version": textToPrint = "homeward-hci \(Release.version)\n"
      case "--adapter": adapter = try Self.adapter(try Self.operand(of: word, &rest))
      case "--socket": socketPath = try Self.operand(of: word, &rest)
      case "--silence": silenceSeconds = try Self.seconds(of: word, &rest)
      case "--end-when-down": endWhenDownSeconds = try Self.seconds(of: word, &rest)
      case "--switch-on": switchesOn = true
      default:
        throw Fault(
          message: Message(
            "homeward-hci does not know \"{word}\". Try: homeward-hci --help", ["word": word]))
      }
    }
  }

  private static func operand(
    of word: String, _ rest: inout ArraySlice<String>
  ) throws(Fault) -> String {
    guard let operand = rest.popFirst() else {
      throw Fault(
        message: Message("{word} needs a value. Try: homeward-hci --help", ["word": word]))
    }
    return operand
  }

  private static func adapter(_ text: String) throws(Fault) -> Int {
    // The kernel counts adapters in 16 bits, and the last number means none.
    guard text.hasPrefix("hci"), let number = UInt16(text.dropFirst(3)), number < UInt16.max,
      text == "hci\(number)"
    else {
      throw Fault(
        message: Message(
          "\"{text}\" is no name of a Bluetooth adapter, such as hci0.", ["text": text]))
    }
    return Int(number)
  }

  private static func seconds(
    of word: String, _ rest: inout ArraySlice<String>
  ) throws(Fault) -> Int64 {
    let text = try operand(of: word, &rest)
    guard let seconds = Int64(text), (1...86_400).contains(seconds) else {
      throw Fault(
        message: Message(
          "{word} wants a number of seconds, 1 through 86400, and not \"{text}\".",
          ["word": word, "text": text]))
    }
    return seconds
  }

  /// In the language of whoever sits at the terminal.
  static var help: String {
    gettext(
      """
      homeward-hci hears Bluetooth devices without bluetoothd, and tells Homeward what it hears.

      Usage: homeward-hci [--adapter NAME] [--socket FILE] [--silence SECONDS] [--end-when-down SECONDS]
             homeward-hci --switch-on [--adapter NAME]

        --adapter NAME           the Bluetooth adapter; hci0 unless given
        --socket FILE            where Homeward connects; {path} unless given
        --silence SECONDS        begins anew when nothing was heard for so long; 120 unless given
        --end-when-down SECONDS  ends when the adapter is off or silent for so long, to be switched on and started again
        --switch-on              switches the adapter off and on, and ends; needs CAP_NET_ADMIN
        --version                prints the version
        --help, -h               prints this

      It needs CAP_NET_RAW and nothing else. It listens only: devices cannot be paired or connected to, for which there
      is bluetoothd. Never run both at the same adapter. It waits for an adapter that is not there, is off, or fails.

      Clients of the socket read one JSON object a line:
        {"state":"listening","adapter":"hci0","address":"00:1A:7D:DA:71:13"}
        {"state":"down","adapter":"hci0","why":"The adapter hci0 is off."}
        {"address":"C0:11:22:33:44:55","kind":"random","rssi":-62,"data":"0201060303d2fc","tick":8431200345678}
        {"dropped":12}
      States are listening, starting, absent, down, blocked, forbidden, refusing, hung and no-bluetooth; the state comes
      first, whenever it changes, and every 30 seconds. The address of an advertisement is public or random, rssi is in
      dBm and left out when unknown, data are its AD structures in hexadecimal, tick counts nanoseconds since boot.
      Dropped is how many advertisements were left out because the client was slow.

      homeward-hci is free software under the GNU General Public License, version 2 or later.

      """, ["path": usualSocket], in: language)
  }

  /// The language of the environment.
  static var language: Language {
    Language(environment: { name in getenv(name).map { String(cString: $0) } })
  }
}

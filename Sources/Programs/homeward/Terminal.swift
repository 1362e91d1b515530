import Glibc
import JSON

/// Standard input, output and error.
struct Terminal: Sendable {
  /// Whether somebody sits in front of input and output.
  var isInteractive: Bool { isatty(0) == 1 && isatty(2) == 1 }

  /// How wide the terminal behind the output is; nil where a file or a program reads it.
  static var columns: Int? {
    var size = winsize()
    guard isatty(1) == 1, ioctl(1, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
      return nil
    }
    return max(40, Int(size.ws_col))
  }

  func write(_ text: String) { Self.write(text, to: 1) }

  func writeLine(_ text: String) { write(text + "\n") }

  func writeError(_ text: String) { Self.write(text + "\n", to: 2) }

  func write(_ json: JSONValue) { write(json.serialized + "\n") }

  /// Asks and waits for a line; nil at the end of the input.
  func ask(_ question: String) -> String? {
    Self.write(question, to: 2)
    return readLine(strippingNewline: true)
  }

  /// A reader that went away ends the program quietly, as it does every tool in a pipe.
  private static func write(_ text: String, to descriptor: Int32) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let written = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if written > 0 {
        rest = rest.dropFirst(written)
      } else if errno == EPIPE {
        exit(descriptor == 1 ? 0 : 1)
      } else if errno != EINTR {
        return
      }
    }
  }
}

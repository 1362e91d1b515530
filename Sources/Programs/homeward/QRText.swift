import CQRCode
import Glibc

/// A QR code for a terminal: two rows of squares in a line of text.
enum QRText {
  /// Squares of white around it, which cameras need.
  private static let margin = 4

  /// The code of a text, dark on light whatever the terminal's colours; nil where the text is too long.
  static func lines(_ text: String) -> String? {
    guard let code = QRcode_encodeString8bit(text, 0, QR_ECLEVEL_M) else { return nil }
    defer { QRcode_free(code) }
    let width = Int(code.pointee.width)
    func isDark(_ row: Int, _ column: Int) -> Bool {
      guard (0..<width).contains(row), (0..<width).contains(column) else { return false }
      return code.pointee.data[row * width + column] & 1 == 1
    }
    let columns = -margin..<width + margin
    return stride(from: -margin, to: width + margin, by: 2).map { row in
      let squares = columns.map { column in
        switch (isDark(row, column), isDark(row + 1, column)) {
        case (true, true): "█"
        case (true, false): "▀"
        case (false, true): "▄"
        case (false, false): " "
        }
      }
      return "\u{1B}[30;107m\(squares.joined())\u{1B}[0m\n"
    }.joined()
  }
}

import CQRCode
import JSON

/// A QR code as a drawing: the squares of a page's `svg`, whose path it is.
///
/// - Source: ISO/IEC 18004, made by libqrencode.
enum QRPicture {
  /// Squares of white around it, which cameras need.
  private static let margin = 4

  /// The code of a text: `{side, path}`, its side in squares with the margin, and the dark ones as a path of SVG, row by row;
  /// nil where the text is too long.
  static func drawing(_ text: String) -> JSONValue? {
    guard let code = QRcode_encodeString8bit(text, 0, QR_ECLEVEL_M) else { return nil }
    defer { QRcode_free(code) }
    let width = Int(code.pointee.width)
    var path = ""
    for row in 0..<width {
      var column = 0
      while column < width {
        var length = 0
        while column + length < width,
          code.pointee.data[row * width + column + length] & 1 == 1
        { length += 1 }
        if length > 0 { path += "M\(column + margin) \(row + margin)h\(length)v1h-\(length)z" }
        column += max(length, 1)
      }
    }
    return ["side": .integer(Int64(width + 2 * margin)), "path": .string(path)]
  }

  // MARK: Codes that open a page

  /// Where the code that an action answered with is to be entered, and as what it stands behind the address there.
  private static let places = [
    "account.show-code": "/family#code=", "account.add-browser": "/enter#browser=",
    "account.show-view-code": "/family#code=", "account.add-screen": "/enter#screen=",
  ]

  /// The answer to an action with the drawing of its code, as the address of the page on which it is entered; the same answer
  /// where the action shows none.
  ///
  /// The code stands in the fragment, which a browser keeps to itself: it is in no request, no log of a proxy, and no referrer.
  ///
  /// - Parameter pages: where browsers find these pages; nil where that is not known: a code without a drawing is typed in.
  static func added(to answer: JSONValue, of action: String, at pages: String?) -> JSONValue {
    let plain = JSONValue.object((answer.objectContent ?? []).filter { $0.key != "pages" })
    guard let place = places[action], let code = answer["code"]?.stringContent,
      let base = answer["pages"]?.stringContent ?? pages, let drawn = drawing(base + place + code)
    else { return plain }
    return plain.setting("picture", to: drawn)
  }
}

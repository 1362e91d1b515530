/// Strokes of our own on a grid of 24, always beside their word, so that readers of the page aloud pass over them.
enum Icon {
  static let home = drawn("<path d=\"M4 11 12 4l8 7M6 10v10h12V10M10 20v-6h4v6\"/>")
  static let pin = drawn(
    "<path d=\"M12 21s-7-6.2-7-11a7 7 0 0 1 14 0c0 4.8-7 11-7 11Z\"/><circle cx=\"12\" cy=\"10\" r=\"2.5\"/>"
  )
  static let bell = drawn("<path d=\"M6 17V11a6 6 0 0 1 12 0v6l2 2H4Zm4 2.5a2 2 0 0 0 4 0\"/>")
  static let pill = drawn(
    "<rect x=\"3\" y=\"8\" width=\"18\" height=\"8\" rx=\"4\"/><path d=\"M12 8v8\"/>")
  static let dots = drawn(
    "<circle cx=\"5\" cy=\"12\" r=\"1.5\"/><circle cx=\"12\" cy=\"12\" r=\"1.5\"/><circle cx=\"19\" cy=\"12\" r=\"1.5\"/>"
  )
  static let check = drawn("<path d=\"m5 13 5 5L19 7\"/>")
  static let drop = drawn("<path d=\"M12 3s6 7 6 11a6 6 0 0 1-12 0c0-4 6-11 6-11Z\"/>")
  static let clock = drawn("<circle cx=\"12\" cy=\"12\" r=\"8.5\"/><path d=\"M12 7v5l3.5 2\"/>")
  static let speech = drawn("<path d=\"M4 5h16v11H9l-5 4Z\"/>")
  static let person = drawn(
    "<circle cx=\"12\" cy=\"8\" r=\"4\"/><path d=\"M4.5 21a7.5 7.5 0 0 1 15 0\"/>")
  static let phone = drawn(
    "<path d=\"M6 3h4l2 5-3 2a12 12 0 0 0 5 5l2-3 5 2v4a3 3 0 0 1-3 3A17 17 0 0 1 3 6a3 3 0 0 1 3-3Z\"/>"
  )
  static let gear = drawn(
    "<circle cx=\"12\" cy=\"12\" r=\"3\"/><path d=\"M12 2v4m0 12v4M2 12h4m12 0h4M5 5l3 3m8 8 3 3M5 19l3-3m8-8 3-3\"/>"
  )
  static let note = drawn("<path d=\"M6 3h9l4 4v14H6ZM9 11h7M9 15h7\"/>")
  static let tag = drawn("<path d=\"M3 12V4h8l10 10-8 7Z\"/><circle cx=\"8\" cy=\"8\" r=\"1.5\"/>")
  static let eye = drawn(
    "<path d=\"M2 12s4-6.5 10-6.5S22 12 22 12s-4 6.5-10 6.5S2 12 2 12Z\"/><circle cx=\"12\" cy=\"12\" r=\"2.5\"/>"
  )
  static let star = drawn(
    "<path d=\"m12 3 2.7 6 6.3.6-4.8 4.3 1.5 6.4L12 17l-5.700 3.300 1.500-6.400L3 9.600 9.300 9Z\"/>"
  )
  static let ring = drawn(
    "<circle cx=\"12\" cy=\"12\" r=\"8.500\" stroke-dasharray=\"4 3\"/><circle cx=\"12\" cy=\"12\" r=\"3\"/>"
  )

  static let cross = drawn("<path d=\"M6 6l12 12M18 6 6 18\"/>")
  static let arrow = drawn("<path d=\"M12 20V5M5 12l7-7 7 7\"/>")
  static let back = drawn("<path d=\"M20 12H5M12 19l-7-7 7-7\"/>")
  static let ear = drawn(
    "<path d=\"M4 9v6h4l5 4V5L8 9ZM16.500 9a4.200 4.200 0 0 1 0 6M19 6.500a7.800 7.800 0 0 1 0 11\"/>"
  )
  static let alert = drawn(
    "<circle cx=\"12\" cy=\"12\" r=\"8.500\"/><path d=\"M12 7v6M12 16.200v.300\"/>")
  static let camera = drawn(
    "<path d=\"M4 8h4l1.500-2.500h5L16 8h4v11H4Z\"/><circle cx=\"12\" cy=\"13\" r=\"3.500\"/>")
  static let microphone = drawn(
    "<rect x=\"9\" y=\"3\" width=\"6\" height=\"11\" rx=\"3\"/><path d=\"M5.500 11a6.500 6.500 0 0 0 13 0M12 17.500V21\"/>"
  )
  static let stop = drawn("<rect x=\"6\" y=\"6\" width=\"12\" height=\"12\" rx=\"1\"/>")
  static let trend = drawn("<path d=\"M4 4v16h16M7 15l4-5 3 3 5-7\"/>")
  static let mail = drawn("<path d=\"M4 6h16v12H4ZM4 7l8 6 8-6\"/>")
  static let calendar = drawn("<path d=\"M4 6h16v14H4ZM4 10h16M8 3.500V7M16 3.500V7\"/>")
  static let book = drawn(
    "<path d=\"M12 6.500C10 5 7 4.500 4 4.500v14c3 0 6 .500 8 2 2-1.500 5-2 8-2v-14c-3 0-6 .500-8 2Zm0 0v14\"/>"
  )

  private static func drawn(_ strokes: StaticString) -> HTML {
    HTML(
      stringLiteral:
        "<svg class=\"icon\" viewBox=\"0 0 24 24\" aria-hidden=\"true\" focusable=\"false\">\(strokes)</svg>"
    )
  }
}

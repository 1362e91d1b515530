import Foundation
import Testing

/// What the design page says of colours is what the styles have.
@Suite struct DesignTests {
  private static let console = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent()

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: console.appendingPathComponent(path), encoding: .utf8)
  }

  /// The colours that a block of styles names, as red, green and blue of 0 to 255.
  private static func colours(of block: Substring) throws -> [String: [Double]] {
    var found: [String: [Double]] = [:]
    for match in block.matches(of: #/--([a-z-]+): #([0-9a-f]{6}|[0-9a-f]{3});/#) {
      let digits = match.2.count == 3 ? match.2.flatMap { [$0, $0] } : Array(match.2)
      let bytes = stride(from: 0, to: 6, by: 2).map { String(digits[$0...($0 + 1)]) }
      found[String(match.1)] = try bytes.map { Double(try #require(UInt8($0, radix: 16))) }
    }
    return found
  }

  /// The colours of each look: light, dark, much contrast.
  private static func looks() throws -> [[String: [Double]]] {
    let blocks = try text("web/app.css").split(separator: "}", maxSplits: 2)
    try #require(blocks[1].contains("data-look=\"contrast\""))
    let light = try colours(of: blocks[0])
    let others = try [colours(of: try text("web/dark.css")[...]), colours(of: blocks[1])]
    return [light] + others.map { light.merging($0) { $1 } }
  }

  /// - Source: WCAG 2.2, "contrast ratio" and "relative luminance".
  private static func contrast(_ one: [Double], _ other: [Double]) -> Double {
    func luminance(_ colour: [Double]) -> Double {
      let linear = colour.map { $0 / 255 }.map {
        $0 <= 0.04045 ? $0 / 12.92 : pow(($0 + 0.055) / 1.055, 2.4)
      }
      return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    }
    let (darker, lighter) = (
      min(luminance(one), luminance(other)), max(luminance(one), luminance(other))
    )
    return (lighter + 0.05) / (darker + 0.05)
  }

  @Test("Every contrast of the design page is the one of the styles, and enough")
  func contrasts() throws {
    let looks = try Self.looks()
    let rows = try Self.text("Design.md").matches(
      of: #/\| `([a-z-]+)` on `([a-z-]+)` \| ([0-9.]+) \| ([0-9.]+) \| ([0-9.]+) \|/#)
    #expect(rows.count >= 14)
    for row in rows {
      for (said, colours) in zip([row.3, row.4, row.5], looks) {
        let (front, behind) = (colours[String(row.1)], colours[String(row.2)])
        let found = Self.contrast(try #require(front), try #require(behind))
        #expect(abs(found - (try #require(Double(said)))) < 0.06, "\(row.1) on \(row.2): \(found)")
        #expect(found >= (row.1 == "line" ? 3 : 7), "\(row.1) on \(row.2)")
      }
    }
    let named = Set(rows.flatMap { [String($0.1), String($0.2)] })
    let drawn = looks[0].keys.filter { !$0.hasPrefix("map-") && $0 != "hair" }
    #expect(Set(drawn).subtracting(named) == [], "colours without a contrast on the design page")
  }
}

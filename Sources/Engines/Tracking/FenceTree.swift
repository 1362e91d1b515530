import Care

/// Finds the boxes that a box meets, among many, without looking at most of them.
///
/// An R-tree, packed once from all of its boxes: they lie in tiles from west to east and in each from south to north, and
/// sixteen neighbours share a box around them, and so on up to one.
///
/// - Source: Leutenegger, Lopez, Edgington, "STR: a simple and efficient algorithm for R-tree packing", ICDE 1997.
struct FenceTree: Hashable, Sendable {
  /// A box, and the number of what it is around.
  struct Entry: Hashable, Sendable {
    var box: DegreeBox
    var number: Int
  }

  private static let width = 16

  private let entries: [Entry]
  /// Boxes around boxes, a level each, the lowest first; the box at `i` is around those from `width * i` of the level below.
  private let levels: [[DegreeBox]]

  /// A tree of boxes; one number may have several.
  init(_ boxes: [Entry]) {
    entries = Self.tiled(boxes)
    var levels: [[DegreeBox]] = []
    var below = entries.map(\.box)
    while below.count > 1 {
      below = stride(from: 0, to: below.count, by: Self.width).map { start in
        below[start..<min(start + Self.width, below.count)].dropFirst()
          .reduce(below[start]) { $0.union($1) }
      }
      levels.append(below)
    }
    self.levels = levels
  }

  private static func tiled(_ boxes: [Entry]) -> [Entry] {
    let leaves = (boxes.count + width - 1) / width
    let slices = Int(Double(leaves).squareRoot().rounded(.up))
    let each = max(1, slices * width)
    let eastward = boxes.sorted { one, other in
      (one.box.west + one.box.east, one.number) < (other.box.west + other.box.east, other.number)
    }
    return stride(from: 0, to: boxes.count, by: each).flatMap { start in
      eastward[start..<min(start + each, boxes.count)].sorted { one, other in
        (one.box.south + one.box.north, one.number)
          < (other.box.south + other.box.north, other.number)
      }
    }
  }

  /// Calls `body` with the number of each box that meets one; with a number twice where two of its boxes do.
  func visit(_ box: DegreeBox, _ body: (Int) -> Void) {
    visit(0..<(levels.last?.count ?? entries.count), level: levels.count, box, body)
  }

  /// Looks at a part of a level; level 0 are the entries.
  private func visit(_ range: Range<Int>, level: Int, _ box: DegreeBox, _ body: (Int) -> Void) {
    guard level > 0 else {
      for entry in entries[range] where entry.box.meets(box) { body(entry.number) }
      return
    }
    let below = level > 1 ? levels[level - 2].count : entries.count
    for index in range where levels[level - 1][index].meets(box) {
      let start = index * Self.width
      visit(start..<min(start + Self.width, below), level: level - 1, box, body)
    }
  }
}

import Care
import Gestures
import Moments

/// A contact that is moved at written times; milliseconds throughout.
struct Finger {
  var recognizer = GestureRecognizer()
  /// Gestures in the words of a table: `press@1200`.
  private(set) var told: [String] = []
  /// When each was told: at an edge, or at the deadline that the recogniser asked for.
  private(set) var toldAt: [Int64] = []

  static func tick(_ milliseconds: Int64) -> Tick { Tick(nanoseconds: milliseconds * 1_000_000) }

  mutating func down(_ milliseconds: Int64) { edge(true, milliseconds) }
  mutating func up(_ milliseconds: Int64) { edge(false, milliseconds) }

  mutating func edge(_ isDown: Bool, _ milliseconds: Int64) {
    wait(until: milliseconds)
    note(recognizer.edge(isDown: isDown, at: Self.tick(milliseconds)), milliseconds)
  }

  /// Fires the timers that are due before a time, each at its own.
  mutating func wait(until milliseconds: Int64) {
    while let due = recognizer.nextWake, due <= Self.tick(milliseconds) {
      note(recognizer.time(at: due), due.nanoseconds / 1_000_000)
    }
  }

  mutating func note(_ found: [RecognizedGesture], _ milliseconds: Int64) {
    for gesture in found {
      told.append("\(gesture.gesture.rawValue)@\(gesture.tick.nanoseconds / 1_000_000)")
      toldAt.append(milliseconds)
    }
  }

  /// Plays edges, alternately down and up, and waits long enough for all that follows, short of getting stuck.
  static func play(_ edges: [Int64]) -> [String] {
    var finger = Finger()
    for (index, edge) in edges.enumerated() { finger.edge(index.isMultiple(of: 2), edge) }
    finger.wait(until: (edges.last ?? 0) + 10_000)
    return finger.told
  }
}

public import Care
public import GlucoseValues
public import Moments

/// The newest readings of one resident, by time; older ones stay in the store alone.
public struct GlucoseLog: Hashable, Sendable {
  /// Readings in memory: a month of a sensor that reads every five minutes, or years of strips.
  public static let atMost = 10_000

  /// By time, earliest first.
  public private(set) var readings: [GlucoseReading] = []
  /// The ids in ``readings``: most readings that come are new, and nobody has to look through all to see that.
  private var ids: Set<GlucoseReadingID> = []
  /// The time of the newest reading that is no longer in memory; nil when all are.
  public private(set) var droppedThrough: Timestamp?

  /// A log of stored readings.
  ///
  /// - Parameter readings: the newest ``atMost`` of the store, in any order; so many mean that there may be older ones.
  public init(_ readings: [GlucoseReading] = []) {
    self.readings = readings.sorted(by: GlucoseReading.isEarlier)
    ids = Set(readings.map(\.id))
    if readings.count >= Self.atMost { droppedThrough = self.readings.first?.time }
    dropOldest()
  }

  /// The reading of an id; nil when it is not in memory.
  public func reading(_ id: GlucoseReadingID) -> GlucoseReading? {
    ids.contains(id) ? readings.last { $0.id == id } : nil
  }

  /// The newest reading whose time is certain; nil when there is none.
  public var newest: GlucoseReading? { readings.last { $0.isTimeCertain } }

  /// The newest reading whose time is certain, and none that a clock which was ahead put years from now.
  func newest(at now: Moment) -> GlucoseReading? {
    guard now.quality.isTrusted else { return newest }
    return readings.last { $0.isTimeCertain && !GlucoseRules.isAhead($0.time, of: now) }
  }

  /// Whether every reading from a moment on is in memory.
  public func isComplete(since start: Timestamp) -> Bool {
    droppedThrough.map { $0 < start } ?? true
  }

  /// Adds a reading, or puts it in the place of the one with its id.
  public mutating func put(_ reading: GlucoseReading) {
    remove(reading.id)
    var (low, high) = (0, readings.count)
    while low < high {
      let middle = (low + high) / 2
      if GlucoseReading.isEarlier(readings[middle], reading) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    readings.insert(reading, at: low)
    ids.insert(reading.id)
    dropOldest()
  }

  /// Removes a reading, where it is in memory.
  public mutating func remove(_ id: GlucoseReadingID) {
    guard ids.remove(id) != nil, let index = readings.lastIndex(where: { $0.id == id }) else {
      return
    }
    readings.remove(at: index)
  }

  private mutating func dropOldest() {
    guard readings.count > Self.atMost else { return }
    let count = readings.count - Self.atMost
    droppedThrough = [droppedThrough, readings[count - 1].time].compactMap { $0 }.max()
    for reading in readings.prefix(count) { ids.remove(reading.id) }
    readings.removeFirst(count)
  }
}

public import Bytes
public import JSON

/// What the store holds at the start of a run.
public struct StoredState: Hashable, Sendable {
  /// Residents by id.
  public var residents: [Resident]
  /// Zones by id.
  public var zones: [SafeZone]
  /// Bookmarks by id.
  public var bookmarks: [Bookmark]
  /// Guardians by id.
  public var guardians: [Guardian]
  /// Items of the routines, by id.
  public var routineItems: [RoutineItem]
  /// Of every item the due times that are not final, and the newest ones that are; by item and slot.
  public var occurrences: [Occurrence]
  /// What the core has to know of each memo and entry of the diary, by id.
  public var notes: [NoteHead]
  /// Messages that nobody has read yet, oldest first.
  public var messages: [ChatMessage]
  /// Pictures, by id.
  public var pictures: [Picture]
  /// Recordings, by id.
  public var recordings: [Recording]
  /// The newest glucose readings of each resident, by time, which their feature knows.
  public var glucoseReadings: [FeatureValue]
  /// Settings by resident and name.
  public var settings: [Setting]
  /// Engine rows by engine, subject and name.
  public var engineRows: [EngineRow]
  /// Heads of the lanes.
  public var heads: LaneHeads

  /// One stored setting.
  public struct Setting: Hashable, Sendable {
    /// Whose setting.
    public var resident: ResidentID
    /// Its name.
    public var name: String
    /// Its value.
    public var value: JSONValue

    /// A setting from its parts.
    public init(resident: ResidentID, name: String, value: JSONValue) {
      self.resident = resident
      self.name = name
      self.value = value
    }
  }

  /// A state from its parts.
  public init(
    residents: [Resident] = [], zones: [SafeZone] = [], bookmarks: [Bookmark] = [],
    guardians: [Guardian] = [], routineItems: [RoutineItem] = [], occurrences: [Occurrence] = [],
    notes: [NoteHead] = [], messages: [ChatMessage] = [], pictures: [Picture] = [],
    recordings: [Recording] = [], glucoseReadings: [FeatureValue] = [],
    settings: [Setting] = [], engineRows: [EngineRow] = [], heads: LaneHeads = LaneHeads()
  ) {
    self.residents = residents
    self.zones = zones
    self.bookmarks = bookmarks
    self.guardians = guardians
    self.routineItems = routineItems
    self.occurrences = occurrences
    self.notes = notes
    self.messages = messages
    self.pictures = pictures
    self.recordings = recordings
    self.glucoseReadings = glucoseReadings
    self.settings = settings
    self.engineRows = engineRows
    self.heads = heads
  }
}

/// The highest sequence of each lane that is durable; 0 when a lane is empty.
///
/// Alarm and record lane share one sequence (that of the journal); the trace lane counts for itself.
public struct LaneHeads: Hashable, Sendable {
  /// Highest sequence of the alarm lane.
  public var alarm: Int64
  /// Highest sequence of the record lane.
  public var record: Int64
  /// Highest sequence of the trace lane.
  public var trace: Int64

  /// Heads of all lanes.
  public init(alarm: Int64 = 0, record: Int64 = 0, trace: Int64 = 0) {
    self.alarm = alarm
    self.record = record
    self.trace = trace
  }

  /// The head of one lane.
  public subscript(lane: Lane) -> Int64 {
    get {
      switch lane {
      case .alarm: alarm
      case .record: record
      case .trace: trace
      }
    }
    set {
      switch lane {
      case .alarm: alarm = newValue
      case .record: record = newValue
      case .trace: trace = newValue
      }
    }
  }
}

extension StoredState: JSONCodable {
  /// Reads a state; the heads of the lanes are not part of the JSON form.
  public init(json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    self.init(
      residents: try reader.list("residents") { value throws(DecodeError) in
        try Resident(json: value)
      },
      zones: try reader.list("zones") { value throws(DecodeError) in try SafeZone(json: value) },
      bookmarks: try reader.list("bookmarks") { value throws(DecodeError) in
        try Bookmark(json: value)
      },
      guardians: try Self.list("guardians", reader),
      routineItems: try Self.list("routineItems", reader),
      occurrences: try Self.list("occurrences", reader), notes: try Self.list("notes", reader),
      messages: try Self.list("messages", reader), pictures: try Self.list("pictures", reader),
      recordings: try Self.list("recordings", reader),
      glucoseReadings: try reader.list("glucoseReadings") { FeatureValue(json: $0) },
      settings: try reader.list("settings") { value throws(DecodeError) in
        let setting = try JSONReader(value)
        return Setting(
          resident: ResidentID(try setting.string("resident")), name: try setting.string("name"),
          value: try setting.required("value"))
      },
      engineRows: try reader.list("engineRows") { value throws(DecodeError) in
        try EngineRow(json: value)
      })
  }

  /// A member that runs recorded by earlier versions lack.
  private static func list<Element: JSONCodable>(
    _ name: String, _ reader: JSONReader
  ) throws(DecodeError) -> [Element] {
    try reader.list(name) { value throws(DecodeError) in try Element(json: value) }
  }

  /// The state as an object, without the heads of the lanes.
  public var json: JSONValue {
    [
      "residents": .array(residents.map(\.json)), "zones": .array(zones.map(\.json)),
      "bookmarks": .array(bookmarks.map(\.json)),
      "guardians": .array(guardians.map(\.json)),
      "routineItems": .array(routineItems.map(\.json)),
      "occurrences": .array(occurrences.map(\.json)), "notes": .array(notes.map(\.json)),
      "messages": .array(messages.map(\.json)), "pictures": .array(pictures.map(\.json)),
      "recordings": .array(recordings.map(\.json)),
      "glucoseReadings": .array(glucoseReadings.map(\.json)),
      "settings": .array(
        settings.map { setting in
          [
            "resident": .string(setting.resident.rawValue), "name": .string(setting.name),
            "value": setting.value,
          ]
        }),
      "engineRows": .array(engineRows.map(\.json)),
    ]
  }
}

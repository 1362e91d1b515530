import Texts

/// The database and its backups.
public struct StoreSection: ConfigurationPart {
  /// Hours between backups, 1 through 168; 0 for none.
  public var backupEveryHours = 6
  /// Backups kept, 1 through 1000.
  public var backupsKept = 28
  /// Megabytes free below which traces are thinned and a fault is raised, 10 through 1,000,000.
  public var minimumFreeMegabytes = 200
  /// How long things are kept.
  public var retention = Retention()

  /// How many days things are kept; 0 for ever, at most 36,500.
  public struct Retention: Sendable, Hashable {
    /// Raw fixes, by whole months.
    public var trackDays = 30
    /// The five-minute series of positions.
    public var seriesDays = 3650
    /// Location records: where somebody was when something happened.
    public var locationDays = 3650
    /// Events of the alarm and record lanes, and what plugins refused of them.
    public var alarmDays = 730
    /// Who changed what.
    public var auditDays = 730
    /// Inputs recorded for replay.
    public var inputDays = 7
  }

  /// The defaults.
  public init() {}

  /// Its keys.
  public static let field = ConfigurationField<Self>.group(
    "store",
    [
      .integer(
        "backupEveryHours", \.backupEveryHours, in: 1...168, zeroMeans: Message("no backups")),
      .integer("backupsKept", \.backupsKept, in: 1...1000),
      .integer("minimumFreeMegabytes", \.minimumFreeMegabytes, in: 10...1_000_000),
      .section(retention, \.retention),
    ])

  private static let retention = ConfigurationSection<Retention>(
    name: "retention",
    fields: [
      .integer("trackDays", \.trackDays, in: 1...36_500, zeroMeans: Message("ever")),
      .integer("seriesDays", \.seriesDays, in: 1...36_500, zeroMeans: Message("ever")),
      .integer("locationDays", \.locationDays, in: 1...36_500, zeroMeans: Message("ever")),
      .integer("alarmDays", \.alarmDays, in: 1...36_500, zeroMeans: Message("ever")),
      .integer("auditDays", \.auditDays, in: 1...36_500, zeroMeans: Message("ever")),
      .integer("inputDays", \.inputDays, in: 1...36_500, zeroMeans: Message("ever")),
    ])

  /// Its section of the documented file.
  public static let documentation =
    """
    store:
      # Hours between backups, 1 to 168; 0 for none.
      backupEveryHours: 6
      # Backups kept, 1 to 1000.
      backupsKept: 28
      # Megabytes free below which raw traces are thinned and a fault is raised.
      minimumFreeMegabytes: 200
      # Days that things are kept, 1 to 36500; 0 for ever.
      retention:
        # Raw fixes, by whole months.
        trackDays: 30
        # The five-minute series of positions, which reports are made from.
        seriesDays: 3650
        # Location records: where somebody was when something happened ("homeward history").
        locationDays: 3650
        # Events, and what plugins refused of them.
        alarmDays: 730
        # Who changed what.
        auditDays: 730
        # Recorded inputs, for "homeward replay journal".
        inputDays: 7
    """
}

extension GatewayConfiguration {
  /// The database and its backups.
  public var store: StoreSection {
    get { self[StoreSection.self] }
    set { self[StoreSection.self] = newValue }
  }
}

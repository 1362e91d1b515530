import Ports

extension SQLiteStore {
  /// Where the store lives and what it allows itself.
  public struct Options: Sendable {
    /// How commits of `care.db` reach the disk.
    public enum Synchronous: String, Sendable {
      /// Every commit waits for the disk; the only mode for a gateway.
      case full = "FULL"
      /// Nothing waits; exists so that tests can show what would be lost.
      case off = "OFF"
    }

    /// How long kinds of rows are kept; nil keeps for ever.
    public struct Retention: Hashable, Sendable {
      /// Days of raw traces, by whole months.
      public var trackDays: Int?
      /// Days of the five-minute series.
      public var seriesDays: Int?
      /// Days of location records.
      public var locationDays: Int?
      /// Days of record-lane events.
      public var recordDays: Int?
      /// Days of alarm-lane events and of dead letters.
      public var alarmDays: Int?
      /// Days of the audit log.
      public var auditDays: Int?
      /// Days after which even events go that a plugin has not settled.
      public var unsettledDays: Int?

      /// Periods; by default 30 days of traces, ten years of positions, one year of records, two of alarms and of the
      /// audit log, three of what nobody settled.
      public init(
        trackDays: Int? = 30, seriesDays: Int? = 3650, locationDays: Int? = 3650,
        recordDays: Int? = 365, alarmDays: Int? = 730, auditDays: Int? = 730,
        unsettledDays: Int? = 1095
      ) {
        self.trackDays = trackDays
        self.seriesDays = seriesDays
        self.locationDays = locationDays
        self.recordDays = recordDays
        self.alarmDays = alarmDays
        self.auditDays = auditDays
        self.unsettledDays = unsettledDays
      }
    }

    /// The directory of the databases; made with mode 0700 when missing.
    public var directory: String
    /// How long to wait for another program that holds a database, in milliseconds.
    public var busyMilliseconds: Int32 = 5000
    /// Records in one commit at most.
    public var groupLimit = 512
    /// Seconds that a directory without its database is given, after a start without it, before one is made there.
    public var mountWaitSeconds: Int64 = 60
    /// Bytes of waiting records that are kept in memory; alarm-lane records come on top.
    public var waitingMemoryBytes = 8 << 20
    /// Free bytes below which traces are thinned, and below half of which they stop.
    public var minimumFreeBytes: Int64 = 64 << 20
    /// Size of the ballast file that is given up when the disk is full, so that alarms still commit; 0 for none.
    public var reserveBytes: Int64 = 16 << 20
    /// Days of recorded inputs.
    public var inputLogDays = 7
    /// Seconds between backups.
    public var backupEverySeconds: Int64 = 21_600
    /// Where backups go; `backups` in the directory unless set.
    public var backupDirectory: String
    /// Directories of the gateway besides its own, into which nobody's backup goes.
    public var otherDirectories: [String] = []
    /// Backups kept.
    public var backupsKept = 28
    /// How long rows are kept.
    public var retention = Retention()
    /// Where the emergency card is kept: in each place it is in the first directory that can be written.
    public var cardPlaces: [[String]] = []
    /// How commits reach the disk.
    public var synchronous = Synchronous.full
    /// Name of the SQLite VFS; nil for the system's.
    public var vfs: String?

    /// Defaults for a directory.
    public init(directory: String) {
      self.directory = directory
      backupDirectory = directory + "/backups"
    }

    func path(_ name: String) -> String { directory + "/" + name }
    var carePath: String { path("care.db") }
    var inputsPath: String { path("inputs.db") }
    /// Where the gateway keeps what is its own.
    var ownDirectories: [String] { [directory] + otherDirectories + cardPlaces.flatMap { $0 } }
  }
}

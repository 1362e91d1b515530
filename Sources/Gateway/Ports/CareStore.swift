public import Care
import Loop
public import Moments

/// How the store does, for health and metrics.
public struct StoreStatus: Hashable, Sendable {
  /// Heads of the lanes.
  public var heads: LaneHeads
  /// Records waiting for the disk.
  public var waitingRecords: Int
  /// Bytes free where the store lives.
  public var freeBytes: Int64
  /// Bytes of the databases.
  public var usedBytes: Int64
  /// When the last commit succeeded.
  public var lastCommit: Tick?
  /// When the last backup succeeded.
  public var lastBackup: Timestamp?
  /// Trace events thinned for want of space since the start.
  public var thinnedTraces: Int64

  /// A status from its parts.
  public init(
    heads: LaneHeads, waitingRecords: Int, freeBytes: Int64, usedBytes: Int64, lastCommit: Tick?,
    lastBackup: Timestamp?, thinnedTraces: Int64
  ) {
    self.heads = heads
    self.waitingRecords = waitingRecords
    self.freeBytes = freeBytes
    self.usedBytes = usedBytes
    self.lastCommit = lastCommit
    self.lastBackup = lastBackup
    self.thinnedTraces = thinnedTraces
  }
}

/// What people want of the store itself.
public protocol StoreUpkeep: Sendable {
  /// Copies `care.db` consistently into a new file, while running, and answers its path.
  ///
  /// - Parameters:
  ///   - path: a whole path where nothing stands, outside of the gateway's own directories; nil for a file of that time
  ///     among the other backups.
  ///   - time: the time now.
  func backup(
    to path: String?, at time: Timestamp,
    completion: @escaping @LoopActor @Sendable (Result<String, StoreError>) -> Void)
  /// How the store does.
  func status(completion: @escaping @LoopActor @Sendable (StoreStatus) -> Void)
}

/// The journal and everything else that must survive, whole: for whoever wires the gateway.
///
/// Others ask for the part that they use, which stands beside its values.
public protocol CareStore: Journal, StepStore, StoreUpkeep, EventQueries, LocationQueries,
  RoutineQueries, NoteQueries, GlucoseQueries
{}

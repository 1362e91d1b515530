import Care
import Glibc
import Loop
import Moments
import Ports
import Texts

/// Watches the free space, thins traces by rule, and gives up the ballast so that alarms still commit.
///
/// Used on the writer's thread only.
final class SpaceGuard {
  /// How short space is.
  enum Level: Comparable {
    /// Enough.
    case ample
    /// One trace event in ten is kept.
    case low
    /// No trace events and no inputs are kept.
    case scarce
    /// A write found no space; the ballast is gone.
    case full
  }

  private let options: SQLiteStore.Options
  private let health: HealthBoard
  private var nextLook = Tick(nanoseconds: 0)
  private var sinceKept = 0
  private(set) var level = Level.ample

  init(options: SQLiteStore.Options, health: HealthBoard) {
    self.options = options
    self.health = health
  }

  private var ballastPath: String { options.path("ballast") }

  /// Looks at the free space, at most once a second unless `isForced`.
  func refresh(isForced: Bool = false) {
    let now = EventLoop.now
    guard isForced || nextLook <= now else { return }
    nextLook = now.advanced(byMilliseconds: 1000)
    guard let free = Files.freeBytes(at: options.directory) else { return }
    rebuildBallast(free: free)
    guard level != .full || Files.exists(ballastPath) || options.reserveBytes == 0 && !isShort(free)
    else { return }
    change(to: levelFor(free))
  }

  private func isShort(_ free: Int64) -> Bool { free < options.minimumFreeBytes }

  private func levelFor(_ free: Int64) -> Level {
    if !isShort(free) { return .ample }
    return free < options.minimumFreeBytes / 2 ? .scarce : .low
  }

  /// A write found no space; answers whether giving up the ballast made some.
  func releaseBallast() -> Bool {
    change(to: .full)
    guard Files.size(ballastPath) > 0 else { return false }
    Files.remove(ballastPath)
    return true
  }

  /// Makes the ballast when there is room for it beside the minimum.
  private func rebuildBallast(free: Int64) {
    guard options.reserveBytes > 0, Files.size(ballastPath) < options.reserveBytes,
      free >= options.minimumFreeBytes + options.reserveBytes
    else { return }
    let descriptor = open(ballastPath, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    if posix_fallocate(descriptor, 0, off_t(options.reserveBytes)) != 0 {
      Files.remove(ballastPath)
    }
  }

  private func change(to newLevel: Level) {
    guard newLevel != level else { return }
    level = newLevel
    switch newLevel {
    case .ample:
      health.clear(.full)
      health.clear(.space)
    case .low:
      health.clear(.full)
      tell(Message("One raw trace in ten is kept: free some space on the disk."))
    case .scarce:
      health.clear(.full)
      tell(Message("No raw traces are kept: free some space on the disk."))
    case .full:
      health.set(
        .full, .degraded, code: "space-full",
        detail: Message("The disk is full and only the reserve is left: free some space now."))
    }
  }

  private func tell(_ detail: Message) {
    health.set(.space, .degraded, code: "space-low", detail: detail)
  }

  /// The trace events that are kept at this level.
  func thin(_ events: [EncodedEvent]) -> [EncodedEvent] {
    switch level {
    case .ample: return events
    case .scarce, .full: return []
    case .low:
      return events.filter { _ in
        sinceKept = (sinceKept + 1) % 10
        return sinceKept == 1
      }
    }
  }

  /// Whether inputs are recorded at this level.
  var keepsInputs: Bool { level < .scarce }
}

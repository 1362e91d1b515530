import Glibc
import Loop

/// Notices that a device of a plugin has come since the plugin was let in to its devices.
///
/// Landlock lets a process in to files that are there when it starts. A modem that is plugged in later, or comes from
/// the kernel a moment after the plugin, is another file: only the plugin's next start opens it. A device that leaves
/// changes nothing; the plugin notices that itself.
@LoopActor
final class DeviceWatch {
  /// What stands at a path.
  private struct Identity: Hashable {
    var device: UInt64
    var file: UInt64

    /// Of the file behind all links; nil when nothing is there.
    init?(path: String) {
      var status = stat()
      guard stat(path, &status) == 0 else { return nil }
      device = UInt64(status.st_dev)
      file = UInt64(status.st_ino)
    }
  }

  private let paths: [String]
  private let admitted: [Identity?]
  private let settleMilliseconds: Int64
  private let onCome: @LoopActor () -> Void
  private var folder: DeviceFolder?
  private var timer: LoopTimer?

  /// Watches `paths` from now on: what is there now is what a plugin that starts after this is let in to.
  ///
  /// `onCome` is called once, `settleMilliseconds` after a device came, when udev has given it its owner and its other
  /// devices stand beside it.
  init(
    paths: [String], settleMilliseconds: Int64, onCome: @escaping @LoopActor () -> Void
  ) {
    self.paths = paths
    self.settleMilliseconds = settleMilliseconds
    self.onCome = onCome
    admitted = paths.map { Identity(path: $0) }
    timer = LoopTimer { [weak self] in self?.decide() }
    folder = DeviceFolder(places: paths) { [weak self] in self?.look() }
    look()
  }

  /// Looks whether a device has come; for a system that has no more watches to give, and then before anything is told.
  func look() {
    guard let timer, timer.deadline == nil, hasCome else { return }
    timer.set(afterMilliseconds: settleMilliseconds)
  }

  /// Ends the watch; nothing is told after.
  func close() {
    folder?.close()
    folder = nil
    timer?.cancel()
    timer = nil
  }

  private var hasCome: Bool {
    zip(paths, admitted).contains { path, admitted in
      guard let now = Identity(path: path) else { return false }
      return now != admitted
    }
  }

  /// It may have gone again.
  private func decide() {
    guard hasCome else { return }
    close()
    onCome()
  }
}

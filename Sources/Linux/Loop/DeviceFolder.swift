import Glibc

/// Notices when something appears in the folders where a device would show up; one inotify descriptor.
@LoopActor
public final class DeviceFolder {
  private let descriptor: Int32
  private let places: [String]
  private var isClosed = false

  /// Watches from now on: `places` are paths of devices, present or not. `appeared` is called when something came, or
  /// changed its owner or mode, in a folder above one of them. Nil when the kernel has no more watches.
  public init?(places: [String], _ appeared: @escaping @LoopActor () -> Void) {
    descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    self.places = places
    guard descriptor >= 0 else { return nil }
    addWatches()
    EventLoop.current.watch(descriptor, for: .reading) { [weak self] _ in
      guard let self, self.drain() else { return }
      // A folder that did not exist may be there now: its content is of interest, too.
      self.addWatches()
      appeared()
    }
  }

  /// Ends the watch; nothing is told after.
  public func close() {
    guard !isClosed else { return }
    isClosed = true
    EventLoop.current.unwatch(descriptor)
    Glibc.close(descriptor)
  }

  /// All folders above the places as far as they exist, but for the root.
  private func addWatches() {
    let wanted = IN_CREATE | IN_MOVED_TO | IN_ATTRIB
    for folder in Self.folders(above: places) {
      _ = inotify_add_watch(descriptor, folder, UInt32(wanted) | UInt32(IN_ONLYDIR))
    }
  }

  private func drain() -> Bool {
    var buffer = [UInt8](repeating: 0, count: 4096)
    var hasRead = false
    while read(descriptor, &buffer, buffer.count) > 0 { hasRead = true }
    return hasRead
  }

  /// All folders above paths, but for the root.
  public nonisolated static func folders(above places: [String]) -> Set<String> {
    var folders: Set<String> = []
    for place in places {
      var parts = place.split(separator: "/").dropLast()
      while !parts.isEmpty {
        folders.insert("/" + parts.joined(separator: "/"))
        parts.removeLast()
      }
    }
    return folders
  }
}

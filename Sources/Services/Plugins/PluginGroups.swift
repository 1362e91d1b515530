import Glibc
public import Loop

/// Control groups: one for each plugin that runs, below the gateway's own, where the system's manager leaves that to the
/// gateway (`Delegate=` of its unit). What a plugin and all of its children use together is limited by it, and they are
/// ended together.
///
/// - Source: Linux, Documentation/admin-guide/cgroup-v2.rst; systemd.resource-control(5), Delegate=.
@LoopActor
public final class PluginGroups {
  private let root: String
  private let controllers: Set<String>

  /// Puts the gateway itself into a group below its own, for no group that has others below it may hold processes.
  ///
  /// - Parameters:
  ///   - mount: where the file system of control groups is.
  ///   - ownGroups: the kernel's list of this process's groups.
  /// - Returns: nil where the gateway may not make groups, or is not alone in its own.
  public init?(
    mount: String = "/sys/fs/cgroup",
    ownGroups: String = ControlFile.text("/proc/self/cgroup") ?? ""
  ) {
    let line = ownGroups.split(separator: "\n").first { $0.hasPrefix("0::/") }
    guard let path = line?.dropFirst("0::".count), path.count > 1 else { return nil }
    root = mount + path
    let own = "\(getpid())"
    let others = (ControlFile.text("\(root)/cgroup.procs") ?? "").split(separator: "\n")
    guard others.map(String.init) == [own],
      access("\(root)/cgroup.subtree_control", W_OK) == 0,
      mkdir("\(root)/gateway", 0o755) == 0 || errno == EEXIST,
      ControlFile.write(own, to: "\(root)/gateway/cgroup.procs")
    else { return nil }
    let root = root
    controllers = Set(
      ["pids", "memory", "cpu"].filter {
        ControlFile.write("+\($0)", to: "\(root)/cgroup.subtree_control")
      })
    // Alarms before plugins, when there is not enough for both.
    _ = ControlFile.write("400", to: "\(root)/gateway/cpu.weight")
  }

  /// A new group for one start of a plugin; nil where the kernel refuses it.
  func make(plugin: String, run: UInt64, memoryBytes: UInt64) -> PluginGroup? {
    guard controllers.contains("pids") else { return nil }
    return PluginGroup(path: "\(root)/\(plugin)-\(run)", memoryBytes: memoryBytes)
  }
}

/// The control group of one running plugin.
@LoopActor
final class PluginGroup {
  /// Open for writing: who writes 0 to it joins the group. -1 once it has been closed.
  private(set) var processes: Int32
  private let path: String
  private var events: Int32 = -1
  private var refusals = 0
  private var attempts = 50
  private var timer: LoopTimer?

  fileprivate init?(path: String, memoryBytes: UInt64) {
    self.path = path
    guard mkdir(path, 0o755) == 0 else { return nil }
    let isLimited = ControlFile.write("\(PluginLaunch.tasks)", to: "\(path)/pids.max")
    _ = ControlFile.write("\(memoryBytes)", to: "\(path)/memory.max")
    _ = ControlFile.write("1", to: "\(path)/memory.oom.group")
    _ = ControlFile.write("50", to: "\(path)/cpu.weight")
    processes = open("\(path)/cgroup.procs", O_WRONLY | O_CLOEXEC)
    guard isLimited, processes >= 0 else {
      if processes >= 0 { Glibc.close(processes) }
      rmdir(path)
      return nil
    }
  }

  /// Calls `reached` whenever a process was refused because there were too many of them.
  func watchTasks(_ reached: @escaping @LoopActor () -> Void) {
    events = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    guard events >= 0, inotify_add_watch(events, "\(path)/pids.events", UInt32(IN_MODIFY)) >= 0
    else { return }
    EventLoop.current.watch(events, for: .reading) { [weak self] _ in
      guard let self else { return }
      var buffer = [UInt8](repeating: 0, count: 4096)
      while read(self.events, &buffer, buffer.count) > 0 {}
      let now = self.countedRefusals
      if now > self.refusals { reached() }
      self.refusals = now
    }
  }

  /// `max N` of `pids.events`.
  private var countedRefusals: Int {
    let lines = (ControlFile.text("\(path)/pids.events") ?? "").split(separator: "\n")
    return lines.first { $0.hasPrefix("max ") }.flatMap { Int($0.dropFirst(4)) } ?? 0
  }

  /// Ends everything in it at once; false where the kernel cannot (before Linux 5.14).
  func kill() -> Bool { ControlFile.write("1", to: "\(path)/cgroup.kill") }

  /// Takes the group away when all that was in it is gone.
  func remove() {
    if events >= 0 {
      EventLoop.current.unwatch(events)
      Glibc.close(events)
      events = -1
    }
    if processes >= 0 { Glibc.close(processes) }
    processes = -1
    tryRemoving()
  }

  /// The kernel counts a process that has ended for a moment more. The timer keeps this alive meanwhile.
  private func tryRemoving() {
    timer = nil
    attempts -= 1
    guard rmdir(path) != 0, errno == EBUSY, attempts > 0 else { return }
    let next = LoopTimer { self.tryRemoving() }
    timer = next
    next.set(afterMilliseconds: 20)
  }
}

/// Small files of the kernel's.
public enum ControlFile {
  /// The content of a file of at most 64 KiB; nil when it cannot be read.
  public static func text(_ path: String) -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = read(descriptor, &bytes, bytes.count)
    return count < 0 ? nil : String(decoding: bytes.prefix(count), as: UTF8.self)
  }

  /// Writes a file that is there, in one piece; false when it is refused.
  static func write(_ text: String, to path: String) -> Bool {
    let descriptor = open(path, O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return Glibc.write(descriptor, text, text.utf8.count) == text.utf8.count
  }
}

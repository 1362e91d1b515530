import CGatewayShims
import Configuration
import Glibc

/// Clock, disk, state directory and kernel.
enum MachineChecks {
  static func clock() -> Finding {
    if homeward_clock_is_synchronised() {
      return Finding(
        subject: "clock", state: .working, found: gettext("synchronised by network time"))
    }
    return Finding(
      subject: "clock", state: .warning, found: gettext("not synchronised by network time"),
      advice: gettext(
        "until a hardware clock or satellites vouch for it nothing scheduled is judged; "
          + "timedatectl set-ntp true"))
  }

  static func state(at path: String, minimumFreeMegabytes: Int) -> [Finding] {
    var entry = stat()
    guard stat(path, &entry) == 0 else {
      return [
        Finding(
          subject: "state", state: .failed, found: "\(path): \(String(cString: strerror(errno)))",
          advice: gettext(
            "the service makes it at its first start; else: install -d -m 700 -o homeward "
              + "-g homeward {path}", ["path": path]))
      ]
    }
    return [permissions(path, entry), disk(path, minimumFreeMegabytes)]
  }

  static func confinement() -> Finding {
    let kernel = homeward_confinement_available()
    guard kernel.landlock_abi > 0 else {
      return Finding(
        subject: "landlock", state: .warning,
        found: gettext("the kernel has no Landlock: plugins run unconfined"),
        advice: gettext(
          "add landlock to lsm= on the kernel's command line, or trust the plugins you enable")
      )
    }
    let calls =
      kernel.seccomp
      ? "" : gettext("; without seccomp a plugin may still cut off files it cannot read")
    return Finding(
      subject: "landlock", state: kernel.seccomp ? .working : .warning,
      found: gettext(
        "plugins are confined (ABI {abi}){calls}", ["abi": kernel.landlock_abi, "calls": calls]))
  }

  static func namespaces() -> Finding {
    let missing = 15 & ~homeward_confinement_available().namespaces
    guard missing != 0 else {
      return Finding(
        subject: "namespaces", state: .working,
        found: gettext("plugins have processes, memory and network of their own"))
    }
    return Finding(
      subject: "namespaces", state: .warning,
      found: gettext("not all can be made here: plugins are kept in by the filter of calls alone"),
      advice: gettext(
        "set sysctl user.max_user_namespaces above 0, or trust the plugins you enable"))
  }

  private static func permissions(_ path: String, _ entry: stat) -> Finding {
    let isDirectory = entry.st_mode & S_IFMT == S_IFDIR
    guard isDirectory else {
      return Finding(
        subject: "state", state: .failed, found: gettext("{path} is no folder", ["path": path]),
        advice: gettext("move it away"))
    }
    let mode = String(entry.st_mode & 0o777, radix: 8)
    if entry.st_mode & 0o077 != 0 {
      return Finding(
        subject: "state", state: .warning,
        found: gettext(
          "{path} has mode {mode}: others may look into it", ["path": path, "mode": mode]),
        advice: gettext("it holds health data: chmod 700 {path}", ["path": path]))
    }
    return Finding(
      subject: "state", state: .working, found: gettext("{path}, owner only", ["path": path]))
  }

  private static func disk(_ path: String, _ minimumMegabytes: Int) -> Finding {
    var numbers = statvfs()
    guard statvfs(path, &numbers) == 0 else {
      return Finding(
        subject: "disk", state: .warning, found: "\(path): \(String(cString: strerror(errno)))")
    }
    let free = UInt64(numbers.f_bavail).multipliedReportingOverflow(by: UInt64(numbers.f_frsize))
    let megabytes = (free.overflow ? .max : free.partialValue) / 1_000_000
    let found = gettext("{megabytes} MB free at {path}", ["megabytes": megabytes, "path": path])
    let isReadOnly = numbers.f_flag & UInt(ST_RDONLY) != 0
    if isReadOnly {
      return Finding(
        subject: "disk", state: .failed,
        found: gettext("{path} is mounted read-only", ["path": path]),
        advice: gettext("look at dmesg: a worn card turns itself read-only; replace it"))
    }
    if megabytes < UInt64(max(0, minimumMegabytes)) {
      return Finding(
        subject: "disk", state: .failed, found: found,
        advice: gettext(
          "make room: below {megabytes} MB raw traces are thinned",
          ["megabytes": minimumMegabytes]))
    }
    return Finding(subject: "disk", state: .working, found: found)
  }
}

import Glibc

/// The folder, ports and files of one demonstration; removed at its end.
struct DemoWorld {
  let folder: String
  let gpsdPort: Int
  let brokerPort: Int
  let receiverPort: Int

  static let gateway = "demo"

  /// Makes an empty folder and finds free ports.
  init() throws(CommandFailure) {
    do throws(FileFailure) { folder = try FileText.temporaryFolder("demo") } catch {
      throw CommandFailure(
        .failed, gettext("no folder can be made in {base}.", ["base": error.path]),
        hint: gettext("Set TMPDIR."))
    }
    gpsdPort = try LoopbackPort.free(SOCK_STREAM)
    brokerPort = try LoopbackPort.free(SOCK_STREAM)
    receiverPort = try LoopbackPort.free(SOCK_DGRAM)
  }

  var configurationPath: String { "\(folder)/homeward.yaml" }
  var brokerConfigurationPath: String { "\(folder)/mosquitto.conf" }
  var controlSocket: String { "\(folder)/run/control.sock" }

  /// Writes the configurations; `pluginsFolder` has the plugins `names`, and is nil where there are none.
  func write(gpsdPort: Int, plugins names: [String], in pluginsFolder: String?)
    throws(CommandFailure)
  {
    do throws(FileFailure) {
      try FileText.write(
        configuration(gpsdPort: gpsdPort, plugins: names, in: pluginsFolder), to: configurationPath)
      try FileText.write(brokerConfiguration, to: brokerConfigurationPath)
    } catch { throw CommandFailure(.failed, "\(error)") }
    for name in ["state", "run"] { mkdir("\(folder)/\(name)", 0o755) }
  }

  /// Removes the folder with everything in it.
  func remove() { DemoFolder.remove(folder) }

  private func configuration(gpsdPort: Int, plugins names: [String], in plugins: String?) -> String
  {
    let enabled = names.map(plugin).joined(separator: "\n")
    return """
      # Made by "homeward demo" for this run.
      gateway:
        name: \(Self.gateway)
        state: \(folder)/state
        runtime: \(folder)/run
      gps:
        - name: gps
          host: 127.0.0.1
          port: \(gpsdPort)
          noReportSeconds: 10
      clock:
        trust: system
      plugins:
        directories: [\(plugins ?? "")]
        enabled:\(plugins == nil || names.isEmpty ? " []" : "\n" + enabled)
      # The walk is to be seen; whether this machine has a loudspeaker says nothing about it.
      sound:
        enabled: false

      """
  }

  private func plugin(_ name: String) -> String {
    switch name {
    case "mqtt": brokerPlugin
    case "report":
      "    - name: report\n      readPaths: [\(ProgramSearch.swiftRuntimeFolder ?? "")]"
    default: console
    }
  }

  private var brokerPlugin: String {
    """
        - name: mqtt
          grants: [network, contacts, health, position.precise]
          readPaths: [\(ProgramSearch.swiftRuntimeFolder ?? "")]
          loopback: [\(brokerPort)]
          settings:
            host: 127.0.0.1
            port: \(brokerPort)
    """
  }

  /// Where the pages tell the port that they are at.
  var consolePort: String { "\(folder)/state/plugins/console/port" }

  private var console: String {
    """
        - name: console
          grants: [network, accounts, position.precise, content.personal, places, "read:*", "command:*", "service:*"]
          readPaths: [\(ProgramSearch.swiftRuntimeFolder ?? "")]
          settings:
            port: 0
    """
  }

  private var brokerConfiguration: String {
    """
    listener \(brokerPort) 127.0.0.1
    allow_anonymous true
    persistence false

    """
  }
}

/// Ports of the loopback that nobody listens on.
enum LoopbackPort {
  static func free(_ kind: __socket_type) throws(CommandFailure) -> Int {
    let descriptor = socket(AF_INET, Int32(kind.rawValue), 0)
    defer { close(descriptor) }
    var place = address(port: 0)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let bound = withUnsafeMutablePointer(to: &place) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
      }
    }
    guard bound else { throw CommandFailure(.failed, gettext("no free port on the loopback.")) }
    return Int(UInt16(bigEndian: place.sin_port))
  }

  static func address(port: Int) -> sockaddr_in {
    var place = sockaddr_in()
    place.sin_family = sa_family_t(AF_INET)
    place.sin_port = UInt16(truncatingIfNeeded: port).bigEndian
    place.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return place
  }
}

/// Files of the demonstration.
enum DemoFolder {
  /// Removes a folder with everything in it; never follows a link.
  static func remove(_ path: String) {
    var entry = stat()
    guard lstat(path, &entry) == 0 else { return }
    guard entry.st_mode & S_IFMT == S_IFDIR, let directory = opendir(path) else {
      unlink(path)
      return
    }
    var names: [String] = []
    while let entry = readdir(directory) {
      names.append(
        withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
          String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        })
    }
    closedir(directory)
    for name in names where name != "." && name != ".." { remove("\(path)/\(name)") }
    rmdir(path)
  }

  /// Whether a plugin is there: installed, or built beside this program.
  static func has(_ name: String) -> Bool {
    built(name) != nil || FileText.exists("\(installed)/\(name)/plugin.json")
  }

  private static let installed = "/usr/lib/homeward/plugins"

  /// The program of a plugin that was built, and its folder among the sources.
  private static func built(_ name: String) -> (program: String, source: String)? {
    let program = "\(ProgramSearch.ownFolder)/homeward-plugin-\(name)"
    guard access(program, X_OK) == 0, let source = source(of: name) else { return nil }
    return (program, source)
  }

  /// A plugins folder with these plugins in it: that of the package, or one made from a build; nil when one is missing.
  static func plugins(_ names: [String], in folder: String) -> String? {
    for name in names {
      guard let (program, source) = built(name) else {
        let isThere = names.allSatisfy { FileText.exists("\(installed)/\($0)/plugin.json") }
        return isThere ? installed : nil
      }
      let target = "\(folder)/plugins/\(name)"
      mkdir("\(folder)/plugins", 0o755)
      mkdir(target, 0o755)
      guard copy("\(source)/plugin.json", to: "\(target)/plugin.json"),
        copy(program, to: "\(target)/homeward-plugin-\(name)"),
        copyFiles("\(source)/web", to: "\(target)/web")
      else { return nil }
    }
    return "\(folder)/plugins"
  }

  /// The folder of a plugin among the sources that this executable was built from.
  private static func source(of name: String) -> String? {
    var folder = ProgramSearch.ownFolder[...]
    while let slash = folder.lastIndex(of: "/") {
      folder = folder[..<slash]
      if FileText.exists("\(folder)/plugins/\(name)/plugin.json") {
        return "\(folder)/plugins/\(name)"
      }
    }
    return nil
  }

  /// Copies the files of a folder, where there is one.
  private static func copyFiles(_ source: String, to target: String) -> Bool {
    guard let directory = opendir(source) else { return true }
    defer { closedir(directory) }
    mkdir(target, 0o755)
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name.hasPrefix(".") { continue }
      guard copy("\(source)/\(name)", to: "\(target)/\(name)") else { return false }
    }
    return true
  }

  private static func copy(_ source: String, to target: String) -> Bool {
    if link(source, target) == 0 { return true }
    guard let bytes = try? FileText.bytes(source) else { return false }
    let descriptor = open(target, O_WRONLY | O_CREAT | O_EXCL, 0o755)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }
}

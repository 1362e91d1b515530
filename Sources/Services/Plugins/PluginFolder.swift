import Glibc
import PluginProtocol
import Texts

/// Reads what a plugin's folder says about the plugin.
enum PluginFolder {
  /// The manifest, checked against the configuration's name and the host's protocol versions.
  static func manifest(
    of configuration: PluginHost.PluginConfiguration
  ) throws(LaunchError) -> PluginManifest {
    let path = "\(configuration.directory)/plugin.json"
    let manifest = try manifest(in: configuration.directory)
    guard manifest.name == configuration.name else {
      throw LaunchError(
        message:
          Message(
            "{path} names it {name}, the configuration {name2}; use one name",
            ["path": path, "name": manifest.name, "name2": configuration.name])
      )
    }
    guard manifest.commonProtocolVersion() != nil else {
      let spoken = manifest.protocolVersions.map(String.init).joined(separator: ", ")
      throw LaunchError(
        message:
          Message(
            "it speaks plugin protocol {spoken}, this gateway 1; install a version that fits",
            ["spoken": spoken]))
    }
    return manifest
  }

  /// The manifest of a folder.
  static func manifest(in directory: String) throws(LaunchError) -> PluginManifest {
    try manifest(of: try bytes(in: directory), in: directory)
  }

  /// The manifest of a folder where it holds a text; nil elsewhere, for few of many hold it.
  static func manifest(
    in directory: String, ifNaming text: String
  ) throws(LaunchError) -> PluginManifest? {
    let bytes = try bytes(in: directory)
    let isNamed = (bytes + [0]).withUnsafeBytes { bytes in
      bytes.baseAddress.map { strstr($0.assumingMemoryBound(to: CChar.self), text) != nil } ?? false
    }
    return isNamed ? try manifest(of: bytes, in: directory) : nil
  }

  private static func bytes(in directory: String) throws(LaunchError) -> [UInt8] {
    let path = "\(directory)/plugin.json"
    if let bytes = contents(of: path) { return bytes }
    throw LaunchError(
      message: Message(
        "{path} cannot be read ({reason}); check `directory`",
        ["path": path, "reason": String(cString: strerror(errno))]))
  }

  private static func manifest(
    of bytes: [UInt8], in directory: String
  ) throws(LaunchError) -> PluginManifest {
    do throws(ManifestError) { return try PluginManifest(parsing: bytes) } catch {
      throw LaunchError(message: Message(verbatim: error.description))
    }
  }

  /// Everything that is wrong with the manifest of a folder; empty when it cannot be read at all.
  static func faults(in directory: String) -> [String] {
    contents(of: "\(directory)/plugin.json").map {
      PluginManifest.faults(parsing: $0).map(\.description)
    } ?? []
  }

  private static func contents(of path: String) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: PluginManifest.maximumBytes + 1)
    var length = 0
    while length < bytes.count {
      let count = bytes.withUnsafeMutableBytes { buffer in
        read(descriptor, buffer.baseAddress.map { $0 + length }, buffer.count - length)
      }
      if count < 0 { return nil }
      if count == 0 { break }
      length += count
    }
    return Array(bytes.prefix(length))
  }
}

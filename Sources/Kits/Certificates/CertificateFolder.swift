import Glibc

/// Where certificates lie: what the pages read, and apart from it what only root does.
public struct CertificateFolder: Hashable, Sendable {
  /// For the plugin: readable by the daemon's group.
  public let pages: String
  /// For the authority's key and the account at ACME: root's alone.
  public let authority: String

  /// Folders `tls` and `authority` beside the configuration.
  public init(beside configurationPath: String) {
    let end = configurationPath.lastIndex(of: "/")
    let folder = end.map { String(configurationPath[..<$0]) } ?? "."
    pages = "\(folder)/tls"
    authority = "\(folder)/authority"
  }

  /// The folders of a certificate that Homeward keeps; nil where the file is none of those.
  init?(holding identityFile: String) {
    let end = "/tls/pages.pem"
    guard identityFile.hasSuffix(end) else { return nil }
    self.init(beside: String(identityFile.dropLast(end.count)) + "/")
  }

  /// Certificate, those that vouch for it, and its key, in one file, so that a renewal replaces all at once.
  public var identityFile: String { "\(pages)/pages.pem" }
  /// What people install; its public part, for the pages to hand out.
  public var authorityFile: String { "\(pages)/authority.pem" }
  /// What was asked for.
  public var orderFile: String { "\(pages)/certificate.json" }
  var authorityKey: String { "\(authority)/key.pem" }
  var acmeFolder: String { "\(authority)/acme" }

  /// Makes what lacks; both belong to root, and the daemon's group may look into the first.
  func make(group: gid_t?) throws(CertificateFault) {
    for (path, mode) in [(pages, mode_t(0o750)), (authority, mode_t(0o700))] {
      if mkdir(path, mode) == 0 {
        chmod(path, mode)
        if let group, path == pages { _ = chown(path, uid_t.max, group) }
      } else if errno != EEXIST {
        throw .file(path, errno)
      }
    }
  }

  /// Puts a file in its place whole or not at all.
  func write(
    _ bytes: [UInt8], to path: String, mode: mode_t, group: gid_t? = nil
  ) throws(CertificateFault) {
    let partial = "\(path).new"
    unlink(partial)
    let descriptor = open(partial, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .file(path, errno) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      rest = rest.dropFirst(count)
    }
    if let group { _ = fchown(descriptor, uid_t.max, group) }
    let isWritten = rest.isEmpty && fchmod(descriptor, mode) == 0 && fsync(descriptor) == 0
    let code = errno
    close(descriptor)
    guard isWritten, rename(partial, path) == 0 else {
      let reason = isWritten ? errno : code
      unlink(partial)
      throw .file(path, reason)
    }
  }

  /// The whole of a file that is no longer than certificates are; nil where there is none.
  func read(_ path: String) throws(CertificateFault) -> [UInt8]? {
    guard let file = fopen(path, "re") else {
      if errno == ENOENT { return nil }
      throw .file(path, errno)
    }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 18)
    let count = fread(&bytes, 1, bytes.count, file)
    return Array(bytes.prefix(count))
  }
}

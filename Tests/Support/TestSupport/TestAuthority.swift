import Foundation

/// An authority of one test and certificates of its making, by the real openssl.
public final class TestAuthority: Sendable {
  private static let program = "/usr/bin/openssl"

  /// Whether openssl is there.
  public static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: program) }

  private let folder: TemporaryDirectory

  /// Makes the authority; its own certificate is `file("ca")`.
  public init() throws {
    folder = try TemporaryDirectory()
    try run(
      ["req", "-x509"] + Self.newKey + [
        "-days", "2", "-subj", "/CN=Test authority", "-addext",
        "basicConstraints=critical,CA:TRUE", "-keyout", key("ca"), "-out", file("ca"),
      ])
  }

  private static let newKey = [
    "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
  ]

  /// The path of a certificate.
  public func file(_ name: String) -> String { folder.path(of: "\(name).pem") }

  /// The path of a certificate's key.
  public func key(_ name: String) -> String { folder.path(of: "\(name).key") }

  /// Makes a certificate for a host name; negative days give one that has expired.
  public func issue(_ name: String, for host: String, days: Int = 2) throws {
    let (request, extensions) = (folder.path(of: "\(name).csr"), folder.path(of: "\(name).ext"))
    try run(
      ["req"] + Self.newKey + ["-subj", "/CN=\(host)", "-keyout", key(name), "-out", request])
    try "subjectAltName=DNS:\(host)\n".write(toFile: extensions, atomically: true, encoding: .utf8)
    try run([
      "x509", "-req", "-in", request, "-CA", file("ca"), "-CAkey", key("ca"), "-CAcreateserial",
      "-days", "\(days)", "-extfile", extensions, "-out", file(name),
    ])
  }

  private func run(_ arguments: [String]) throws {
    let process = try LineProcess(Self.program, arguments)
    guard try process.waitForEnd() == 0 else {
      throw CocoaError(.executableLoad, userInfo: ["log": process.log.remaining])
    }
  }
}

import Glibc
import Loop
import Texts

/// A folder of root's own in which certtool works; its keys never leave it but into their files.
struct Workbench {
  private let folder: CertificateFolder
  private let certtool: String
  private let directory: String

  init(folder: CertificateFolder, certtool: String) throws(CertificateFault) {
    self.folder = folder
    self.certtool = certtool
    directory = "\(folder.authority)/work"
    Folder.remove(directory)
    guard mkdir(directory, 0o700) == 0 else { throw .file(directory, errno) }
  }

  func path(_ name: String) -> String { "\(directory)/\(name)" }

  func clear() { Folder.remove(directory) }

  func keep(_ bytes: [UInt8], as name: String) throws(CertificateFault) {
    try folder.write(bytes, to: path(name), mode: 0o600)
  }

  /// An authority and its key, as one text.
  func authority(_ template: String) throws(CertificateFault) -> [UInt8] {
    try make(template, ["--generate-self-signed"])
  }

  /// A certificate and its key, as one text; signed by the authority or by itself.
  func leaf(_ template: String, isSigned: Bool) throws(CertificateFault) -> [UInt8] {
    let authority = folder.authorityKey
    let signing = [
      "--generate-certificate", "--load-ca-certificate", authority, "--load-ca-privkey", authority,
    ]
    return try make(template, isSigned ? signing : ["--generate-self-signed"])
  }

  private func make(_ template: String, _ how: [String]) throws(CertificateFault) -> [UInt8] {
    let (key, made) = (path("key.pem"), path("made.pem"))
    try keep(Array(template.utf8), as: "template")
    try CertificateMaker.run(
      certtool,
      ["--generate-privkey", "--key-type", "ecdsa", "--curve", "secp256r1", "--no-text"]
        + ["--outfile", key], in: directory)
    try CertificateMaker.run(
      certtool,
      how + ["--load-privkey", key, "--template", path("template"), "--no-text"]
        + ["--outfile", made], in: directory)
    guard let certificate = try folder.read(made), let secret = try folder.read(key) else {
      throw CertificateFault(Message("no certificate came"))
    }
    return certificate + secret
  }

  func facts(of path: String) throws(CertificateFault) -> CertificateFacts? {
    try Self.facts(of: path, certtool: certtool)
  }

  static func facts(
    of path: String, certtool: String
  ) throws(CertificateFault) -> CertificateFacts? {
    guard access(path, R_OK) == 0 else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw .file(path, errno)
    }
    let printed = try CertificateMaker.run(
      certtool, ["--certificate-info", "--infile", path], in: "/")
    return CertificateFacts(printed: String(decoding: printed, as: UTF8.self))
  }
}

import Glibc
import JSON
import Loop
public import Moments
public import Texts

/// Makes certificates for the pages and keeps them, with programs that do nothing else.
public struct CertificateMaker: Sendable {
  /// A certificate that was made.
  public struct Made: Hashable, Sendable {
    /// What stands in it.
    public var facts: CertificateFacts
    /// Whether its authority is a new one, which people have to install.
    public var isNewAuthority: Bool

    /// A certificate from its parts.
    public init(facts: CertificateFacts, isNewAuthority: Bool = false) {
      self.facts = facts
      self.isNewAuthority = isNewAuthority
    }
  }

  /// A gateway whose clock is behind this day has not been told the time yet.
  static let earliest = Timestamp(milliseconds: 1_793_491_200_000)
  private static let programMilliseconds = 60_000
  /// A record takes minutes until the whole world sees it.
  private static let challengeMilliseconds = 600_000

  /// Where they lie.
  public let folder: CertificateFolder
  private let now: Timestamp
  private let group: gid_t?
  let find: @Sendable (String) -> String?

  /// A maker.
  ///
  /// - Parameters:
  ///   - now: the time by the system's clock.
  ///   - group: who may read the key beside root; nil for root's own group.
  ///   - find: the path of a program; nil where it is not installed.
  public init(
    folder: CertificateFolder, now: Timestamp, group: UInt32?,
    find: @escaping @Sendable (String) -> String?
  ) {
    self.folder = folder
    self.now = now
    self.group = group
    self.find = find
  }

  /// What was asked for last; nil where nothing was, or the file is no longer one of ours.
  public func order() throws(CertificateFault) -> CertificateOrder? {
    guard let bytes = try folder.read(folder.orderFile) else { return nil }
    do { return try CertificateOrder(json: JSONValue(parsing: bytes)) } catch {
      throw CertificateFault(
        Message("{path} cannot be read", ["path": folder.orderFile]),
        advice: Message("Run homeward setup again."))
    }
  }

  /// What stands in the certificate of the pages; nil where there is none.
  public func facts() throws(CertificateFault) -> CertificateFacts? {
    try facts(of: folder.identityFile)
  }

  /// What stands in the certificate of the home's authority; nil where there is none.
  public func authority() throws(CertificateFault) -> CertificateFacts? {
    try facts(of: folder.authorityFile)
  }

  /// Why a certificate is made anew; nil where it may stay.
  public func reason(toRenew order: CertificateOrder) throws(CertificateFault) -> Message? {
    guard let facts = try facts() else { return Message("there is none yet") }
    if facts.isDue(at: now) { return Message("it ends soon") }
    let names = Set(order.names).subtracting(facts.names)
    if let name = names.sorted().first {
      return Message("it is not for {name} yet", ["name": name])
    }
    guard order.kind == .home || order.kind == .selfSigned else { return nil }
    let addresses = Set(addresses(of: order)).subtracting(facts.addresses)
    return addresses.sorted().first.map {
      Message("it is not for the address {address} yet", ["address": $0])
    }
  }

  /// Makes a certificate and puts it in the place of the one that is there, which stays when it fails.
  ///
  /// - Parameter replacesAuthority: whether a home's authority may be made anew where it cannot vouch for the names.
  public func make(
    _ order: CertificateOrder, replacesAuthority: Bool
  ) throws(CertificateFault) -> Made {
    guard now >= Self.earliest else {
      throw CertificateFault(
        Message("the clock is not set: it says {time}", ["time": now.iso8601]),
        advice: Message("Set it, then try again: sudo timedatectl set-ntp true"))
    }
    guard let certtool = find("certtool") else {
      throw .missing("certtool", package: "gnutls-bin")
    }
    try folder.make(group: group)
    let work = try Workbench(folder: folder, certtool: certtool)
    defer { work.clear() }
    var isNewAuthority = false
    let identity: [UInt8]
    switch order.kind {
    case .domain: identity = try obtainByChallenge(order)
    case .tailscale: identity = try obtainByTailscale(order, work)
    case .home:
      isNewAuthority = try prepareAuthority(order, work, mayReplace: replacesAuthority)
      identity = try work.leaf(template(order), isSigned: true)
    case .selfSigned: identity = try work.leaf(template(order), isSigned: false)
    }
    try work.keep(identity, as: "identity.pem")
    guard let facts = try work.facts(of: work.path("identity.pem")) else {
      throw CertificateFault(Message("what came is no certificate"))
    }
    let orderBytes = Array((order.json.serialized + "\n").utf8)
    try folder.write(orderBytes, to: folder.orderFile, mode: 0o644)
    try folder.write(identity, to: folder.identityFile, mode: 0o640, group: group)
    return Made(facts: facts, isNewAuthority: isNewAuthority)
  }

  // MARK: Home

  private func template(_ order: CertificateOrder) -> String {
    CertificateTemplate.leaf(names: order.names, addresses: addresses(of: order), now: now)
  }

  private func addresses(of order: CertificateOrder) -> [String] {
    order.addresses ?? HomeNetwork.addresses
  }

  /// Sees to an authority that can vouch for the names; whether it is a new one.
  private func prepareAuthority(
    _ order: CertificateOrder, _ work: Workbench, mayReplace: Bool
  ) throws(CertificateFault) -> Bool {
    if let known = try work.facts(of: folder.authorityKey) {
      let endOfLeaf = now.advanced(byMilliseconds: CertificateTemplate.leafDays * 86_400_000)
      let foreign = order.names.first { !known.permits($0) }
      if foreign == nil, endOfLeaf < known.ends {
        try publishAuthority()
        return false
      }
      guard mayReplace else {
        throw CertificateFault(
          foreign.map {
            Message("the home's authority cannot vouch for {name}", ["name": $0])
          } ?? Message("the home's authority ends soon"),
          advice: Message(
            "Make a new one with homeward setup --pages yes --certificate home; everybody installs it once more."
          ))
      }
    }
    let bytes = try work.authority(CertificateTemplate.authority(for: order.names, now: now))
    try folder.write(bytes, to: folder.authorityKey, mode: 0o600)
    try publishAuthority()
    return true
  }

  /// Lays the authority's certificate, without its key, where the pages hand it out.
  private func publishAuthority() throws(CertificateFault) {
    guard let bytes = try folder.read(folder.authorityKey) else { return }
    let end = "-----END CERTIFICATE-----\n"
    let text = String(decoding: bytes, as: UTF8.self)
    guard let certificate = text.firstRange(of: end) else { return }
    let shown = Array(text[..<certificate.upperBound].utf8)
    guard try folder.read(folder.authorityFile) != shown else { return }
    try folder.write(shown, to: folder.authorityFile, mode: 0o644)
  }

  // MARK: Others

  private func obtainByTailscale(
    _ order: CertificateOrder, _ work: Workbench
  ) throws(CertificateFault) -> [UInt8] {
    guard let tailscale = find("tailscale") else {
      throw .missing("tailscale", package: "tailscale")
    }
    let (certificate, key) = (work.path("tailscale.crt"), work.path("tailscale.key"))
    try Self.run(
      tailscale,
      ["cert", "--cert-file", certificate, "--key-file", key, order.names.first ?? ""],
      in: folder.authority, milliseconds: 2 * Self.programMilliseconds)
    return try folder.joined(certificate, key)
  }

  private func obtainByChallenge(_ order: CertificateOrder) throws(CertificateFault) -> [UInt8] {
    guard let lego = find("lego") else { throw .missing("lego", package: "lego") }
    guard let challenge = order.challenge, let name = order.names.first else {
      throw CertificateFault(Message("it is not said how the domain is proved"))
    }
    var variables: [(name: String, value: String)] = []
    if let path = challenge.credentialsFile { variables = try DNSCredentials.read(path) }
    // Not as arguments, which others of this machine could read.
    for variable in variables { setenv(variable.name, variable.value, 1) }
    defer { for variable in variables { unsetenv(variable.name) } }
    try Self.run(
      lego, challenge.arguments(for: order.names, keptIn: folder.acmeFolder),
      in: folder.authority, milliseconds: Self.challengeMilliseconds)
    let kept = "\(folder.acmeFolder)/certificates/\(name)"
    return try folder.joined("\(kept).crt", "\(kept).key")
  }

  private func facts(of path: String) throws(CertificateFault) -> CertificateFacts? {
    guard let certtool = find("certtool") else {
      throw .missing("certtool", package: "gnutls-bin")
    }
    return try Workbench.facts(of: path, certtool: certtool)
  }

  /// Runs a program to its end; what it complains of becomes the fault.
  @discardableResult
  static func run(
    _ program: String, _ arguments: [String], in directory: String,
    milliseconds: Int = programMilliseconds
  ) throws(CertificateFault) -> [UInt8] {
    let name = program.split(separator: "/").last.map(String.init) ?? program
    // In the locale C, for what they say is read.
    guard
      let run = ProgramRun(
        "/usr/bin/env", ["LC_ALL=C", program] + arguments, directory: directory,
        milliseconds: milliseconds, mostBytes: 1 << 20)
    else { throw CertificateFault(Message("{program} cannot be started", ["program": name])) }
    if run.end == .exited(0) { return run.output }
    if run.end == .stopped {
      throw CertificateFault(Message("{program} took too long", ["program": name]))
    }
    let lines = String(decoding: run.complaint + run.output.suffix(2000), as: UTF8.self)
      .split(whereSeparator: \.isNewline).filter { !$0.allSatisfy(\.isWhitespace) }
    let last = lines.suffix(3).map(String.init).joined(separator: " ")
    throw CertificateFault(
      Message("{program} says: {words}", ["program": name, "words": String(last.suffix(600))]))
  }
}

extension DNSChallenge {
  /// What lego is told; it remembers its account between calls.
  func arguments(for names: [String], keptIn folder: String) -> [String] {
    var arguments = ["--path", folder, "--accept-tos", "--email", email, "--dns", provider]
    if let server { arguments += ["--server", server] }
    // Then what stands between would be asked for the servers of the domain, too, and know none.
    if let resolver { arguments += ["--dns.resolvers", resolver, "--dns.disable-cp"] }
    return arguments + names.flatMap { ["--domains", $0] } + ["run"]
  }
}

extension CertificateFolder {
  /// A certificate and its key as one text.
  fileprivate func joined(
    _ certificate: String, _ key: String
  ) throws(CertificateFault) -> [UInt8] {
    guard let first = try read(certificate), let second = try read(key) else {
      throw CertificateFault(Message("no certificate came"))
    }
    return first + second
  }
}

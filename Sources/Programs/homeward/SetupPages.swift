import Certificates
import Configuration
import Glibc
import JSON
import Moments
import Texts

/// Asks how families reach the pages, makes their certificate and switches them on.
struct SetupPages {
  /// What was answered.
  struct Answer {
    var port: Int
    /// The certificate that stays; nil where one is made.
    var kept: CertificateOrder?
    var ladder: CertificateLadder
    /// The name in links, where the owner said one or the network announces one.
    var linkName: String?
  }

  /// How the pages are reached in the end.
  struct Reach {
    var url: String
    var order: CertificateOrder
    var facts: CertificateFacts
    var isNewAuthority: Bool

    func json(_ folder: CertificateFolder) -> JSONValue {
      .object([
        "url": .string(url), "certificate": .string(order.kind.rawValue),
        "names": .array(facts.names.map { .string($0) }), "ends": .string(facts.ends.iso8601),
        "authority": order.kind == .home ? .string(folder.authorityFile) : nil,
      ])
    }
  }

  static let usualPort = 8474
  private static let none = "none"
  private static let best = "best"
  /// What makes somebody mean the pages who does not say so.
  private static let options = ["certificate", "host", "address", "port", "domain"]
  /// What people do there is decided by their account.
  private static let grants = [
    "network", "accounts", "position.precise", "content.personal", "places", "read:*", "command:*",
    "service:*",
  ]

  let dialogue: SetupDialogue
  let configuration: GatewayConfiguration
  let maker: CertificateMaker

  private var arguments: ParsedArguments { dialogue.session.arguments }
  private var console: ConfiguredPlugin? {
    configuration.plugins.enabled.first { $0.name == "console" }
  }

  /// What is to be done about the pages; nil where they stay as they are.
  func ask() throws(CommandFailure) -> Answer? {
    let isMeant = Self.options.contains { arguments.option($0) != nil }
    let isInstalled = configuration.plugins.directories.contains {
      FileText.exists("\($0)/console/plugin.json")
    }
    let isAsked = isMeant || arguments.option("pages") != nil
    if !isInstalled, !isAsked {
      dialogue.say(
        Finding(
          subject: "pages", state: .unused, found: gettext("not installed"),
          advice: gettext("for pages in a browser: sudo apt install homeward-plugin-console")
        ).line)
      return nil
    }
    let word = try dialogue.checked(
      "pages", gettext("Pages for the family, in a browser (yes or no)?"),
      default: isMeant || dialogue.isAsking ? "yes" : "no"
    ) { SetupQuestions.truth($0) == nil ? gettext("write yes or no.") : nil }
    guard SetupQuestions.truth(word) == true else { return nil }
    guard isInstalled else {
      throw CommandFailure(
        .failed, gettext("the pages are not installed."),
        hint: gettext("Try: sudo apt install {package}", ["package": "homeward-plugin-console"]))
    }
    let port = try askPort()
    let ladder = try askLadder()
    let linkName = ladder.host()
    if let kept = try askToKeep(isMeant: isMeant) {
      return Answer(port: port, kept: kept, ladder: ladder.ladder, linkName: linkName)
    }
    return Answer(
      port: port, kept: nil, ladder: try askDomain(ladder.ladder), linkName: linkName)
  }

  // MARK: Questions

  private func askPort() throws(CommandFailure) -> Int {
    let present = console.map { Int(clamping: $0.settings["port"]?.integerContent ?? 8474) }
    guard let text = arguments.option("port") else {
      let port = present ?? Self.usualPort
      if present == nil { try requireFree(port) }
      return port
    }
    guard let port = Int(text), (1024...65_535).contains(port) else {
      throw .usage(gettext("--port is a number from 1024 to 65535."), SetupCommand.specification)
    }
    if port != present { try requireFree(port) }
    return port
  }

  private func requireFree(_ port: Int) throws(CommandFailure) {
    guard PortProbe.isTaken(port) else { return }
    throw CommandFailure(
      .failed, gettext("another program listens on port {port} already.", ["port": port]),
      hint: gettext("Take another: --port NUMBER. Who has it: sudo ss -ltnp"))
  }

  /// The certificate that stays; nil where one is made.
  private func askToKeep(isMeant: Bool) throws(CommandFailure) -> CertificateOrder? {
    let isChange = ["certificate", "host", "address", "domain"].contains {
      arguments.option($0) != nil
    }
    guard !isChange else { return nil }
    let present: (order: CertificateOrder, facts: CertificateFacts)
    do throws(CertificateFault) {
      guard let order = try maker.order(), let facts = try maker.facts() else { return nil }
      present = (order, facts)
    } catch {
      dialogue.say(
        Finding(subject: "certificate", state: .warning, found: error.reason.spoken).line)
      return nil
    }
    let question = gettext(
      "The pages have a certificate ({kind}) until {time}. Keep it (yes or no)?",
      [
        "kind": present.order.kind.words.spoken,
        "time": dialogue.session.times.text(present.facts.ends),
      ])
    let word = try dialogue.checked("certificate", question, default: "yes") {
      SetupQuestions.truth($0) == nil ? gettext("write yes or no.") : nil
    }
    return SetupQuestions.truth(word) == true ? present.order : nil
  }

  /// The ladder but for a domain, with the home's names.
  private func askLadder() throws(CommandFailure) -> Names {
    let word = arguments.option("certificate") ?? Self.best
    let wanted = CertificateKind(rawValue: word)
    guard wanted != nil || word == Self.best else {
      let kinds = [Self.best] + CertificateKind.allCases.map(\.rawValue)
      throw .usage(
        gettext("--certificate is one of {kinds}.", ["kinds": kinds.joined(separator: ", ")]),
        SetupCommand.specification)
    }
    let given = arguments.option("host")?.lowercased()
    if let given, !HomeNetwork.isName(given) {
      throw .usage(
        gettext("--host is a name such as homeward.local: letters, digits, hyphens and dots."),
        SetupCommand.specification)
    }
    let own = given ?? HomeNetwork.hostName.map { "\($0).local" }
    let short = own.map { String($0.prefix { $0 != "." }) }
    let names = own.map { own in
      own.hasSuffix(".local") ? [own, short ?? own] : [own]
    }
    var addresses: [String]?
    for text in arguments.all("address") {
      guard let address = HomeNetwork.address(text) else {
        throw .usage(
          gettext("--address is an address such as 192.168.1.5."), SetupCommand.specification)
      }
      addresses = (addresses ?? []) + [address]
    }
    return Names(
      ladder: CertificateLadder(
        wanted: wanted, tailscale: maker.tailscale(), localNames: names ?? [], addresses: addresses),
      given: given)
  }

  private struct Names {
    var ladder: CertificateLadder
    var given: String?

    /// The name in links; nil where only an address leads here for sure.
    func host() -> String? {
      given ?? (LocalName.isAnnounced ? ladder.localNames.first : nil)
    }
  }

  private func askDomain(_ ladder: CertificateLadder) throws(CommandFailure) -> CertificateLadder {
    var ladder = ladder
    guard ladder.wanted == nil || ladder.wanted == .domain else { return ladder }
    let name = try dialogue.checked(
      "domain",
      gettext("A domain of your own for the pages (such as home.example.org, or none)?"),
      default: Self.none
    ) { text in
      text == Self.none || (HomeNetwork.isName(text) && text.contains("."))
        ? nil : gettext("write it as in home.example.org, in small letters.")
    }
    guard name != Self.none else { return ladder }
    let provider = try dialogue.required(
      "dns-provider", gettext("Who keeps its names (as lego calls them, such as cloudflare)?"))
    let file = try dialogue.checked(
      "dns-credentials",
      gettext(
        "File with what {provider} wants to know, NAME=VALUE a line (or none)?",
        ["provider": provider]),
      default: Self.none
    ) { _ in nil }
    let email = try dialogue.required(
      "acme-email", gettext("Your e-mail address, for the authority to warn you?"))
    ladder.domain = (
      name,
      DNSChallenge(
        provider: provider, credentialsFile: file == Self.none ? nil : file, email: email,
        server: arguments.option("acme-server"), resolver: arguments.option("dns-resolver"))
    )
    return ladder
  }

  // MARK: What follows

  /// The certificate, made by the first rung that holds or kept; each is said.
  func settle(_ answer: Answer) throws(CommandFailure) -> Reach {
    if let kept = answer.kept {
      do throws(CertificateFault) {
        let reason = try maker.reason(toRenew: kept)
        if let facts = try maker.facts(), reason == nil {
          return reach(answer, kept, CertificateMaker.Made(facts: facts))
        }
        return reach(answer, kept, try maker.make(kept, replacesAuthority: true))
      } catch { throw CommandFailure(error) }
    }
    var lastFault: CertificateFault?
    for rung in answer.ladder.rungs {
      switch rung {
      case .skipped(let kind, let reason):
        tell(kind, .unused, reason.spoken)
        lastFault = lastFault ?? CertificateFault(reason)
      case .attempt(let order):
        if order.kind == .domain {
          dialogue.say(
            gettext(
              "A record is put into {domain}; that takes a minute or two.",
              ["domain": order.names[0]]))
        }
        do throws(CertificateFault) {
          let made = try maker.make(order, replacesAuthority: true)
          tell(
            order.kind, order.kind == .selfSigned ? .warning : .working,
            gettext(
              "{names}, until {time}",
              [
                "names": made.facts.names.joined(separator: ", "),
                "time": dialogue.session.times.text(made.facts.ends),
              ]))
          return reach(answer, order, made)
        } catch {
          tell(order.kind, .failed, error.reason.spoken, error.advice?.spoken ?? "")
          lastFault = error
        }
      }
    }
    let fault = lastFault ?? CertificateFault(Message("no certificate came"))
    var failure = CommandFailure(fault)
    failure.message = gettext(
      "the pages have no certificate, so that they stay as they were: {reason}.",
      ["reason": fault.reason.spoken])
    throw failure
  }

  private func tell(
    _ kind: CertificateKind, _ state: Finding.State, _ found: String, _ advice: String = ""
  ) {
    dialogue.say(
      Finding(
        subject: "certificate/\(kind.rawValue)", state: state, found: found, advice: advice
      ).line)
  }

  private func reach(
    _ answer: Answer, _ order: CertificateOrder, _ made: CertificateMaker.Made
  ) -> Reach {
    if answer.kept != nil, arguments.option("port") == nil, let url = configuration.gateway.pages {
      return Reach(
        url: url, order: order, facts: made.facts, isNewAuthority: made.isNewAuthority)
    }
    let host: String
    switch order.kind {
    case .domain, .tailscale: host = order.names.first ?? "localhost"
    case .home, .selfSigned:
      let address = made.facts.addresses.first { !$0.contains(":") } ?? made.facts.addresses.first
      let written = address.map { $0.contains(":") ? "[\($0)]" : $0 }
      host = answer.linkName ?? written ?? order.names.first ?? "localhost"
    }
    return Reach(
      url: "https://\(host):\(answer.port)", order: order, facts: made.facts,
      isNewAuthority: made.isNewAuthority)
  }

  /// Has Avahi announce the pages, where it runs and this is the gateway's own configuration.
  func announce(_ answer: Answer) {
    let isOwn = dialogue.session.configurationPath == Session.defaultConfigurationPath
    guard isOwn, LocalName.isAnnounced else { return }
    let file = "\(LocalName.services)/homeward.service"
    let text = LocalName.service(port: answer.port)
    guard (try? FileText.read(file)) != text else { return }
    do throws(FileFailure) {
      try FileText.write(text, to: file)
      dialogue.say(gettext("Written: {path}", ["path": file]))
    } catch {
      dialogue.say(
        Finding(subject: "avahi", state: .warning, found: "\(error.path): \(error.reason)").line)
    }
  }

  /// Writes into the configuration what makes the pages reachable.
  func edit(
    _ editor: inout ConfigurationEditor, _ answer: Answer, _ reach: Reach?
  ) throws(CommandFailure) {
    let names = reach?.order.names ?? answer.ladder.localNames
    let settings = settings(answer.port, names, hasAuthority: reach?.order.kind == .home)
    do throws(ConfigurationError) {
      try Self.enable(&editor, settings, maker.folder)
      let isChanged = answer.kept == nil || configuration.gateway.pages == nil
      if let reach, isChanged || arguments.option("port") != nil {
        try editor.set("gateway.pages", to: .string(reach.url))
      }
    } catch {
      var lines = ""
      if var empty = try? ConfigurationEditor(text: "", path: "") {
        try? Self.enable(&empty, settings, maker.folder)
        lines = empty.text
      }
      throw .unchangeable(
        error,
        hint: gettext(
          "Nothing was changed. Write these lines there yourself, then run homeward setup again:\n{lines}",
          ["lines": lines]))
    }
  }

  private static func enable(
    _ editor: inout ConfigurationEditor, _ settings: [(name: String, value: JSONValue)],
    _ folder: CertificateFolder
  ) throws(ConfigurationError) {
    try editor.enablePlugin(
      "console", grants: grants, readPaths: [folder.pages], settings: settings)
  }

  /// The settings of the plugin; names that it had stay.
  private func settings(
    _ port: Int, _ names: [String], hasAuthority: Bool
  ) -> [(name: String, value: JSONValue)] {
    let present = console?.settings
    let known = (present?["names"]?.arrayContent ?? []).compactMap(\.stringContent)
    let listen = present?["listen"]?.stringContent ?? "127.0.0.1"
    let isLocal = listen == "::1" || listen.hasPrefix("127.")
    let all = known + names.filter { !known.contains($0) }
    let folder = maker.folder
    var settings: [(name: String, value: JSONValue)] = [
      ("listen", .string(isLocal ? PortProbe.everyAddress : listen)),
      ("port", .integer(Int64(port))), ("names", .array(all.map { .string($0) })),
      ("certificateFile", .string(folder.identityFile)), ("keyFile", .string(folder.identityFile)),
    ]
    if hasAuthority { settings.append(("authorityFile", .string(folder.authorityFile))) }
    return settings.filter { present?[$0.name] != $0.value }
  }
}

/// What can be listened on here.
enum PortProbe {
  /// Every address of this machine, or every one of IPv4 where the kernel has no IPv6.
  static var everyAddress: String { isTaken(0, AF_INET6) == nil ? "0.0.0.0" : "::" }

  /// Whether somebody listens on a port already.
  static func isTaken(_ port: Int) -> Bool {
    [AF_INET, AF_INET6].contains { isTaken(UInt16(clamping: port), $0) == true }
  }

  /// Nil where there is no such family.
  private static func isTaken(_ port: UInt16, _ family: Int32) -> Bool? {
    let descriptor = socket(family, Int32(SOCK_STREAM.rawValue), 0)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var yes: Int32 = 1
    let size = socklen_t(MemoryLayout<Int32>.size)
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, size)
    setsockopt(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &yes, size)
    var (four, six) = (sockaddr_in(), sockaddr_in6())
    (four.sin_family, four.sin_port) = (sa_family_t(AF_INET), port.bigEndian)
    (six.sin6_family, six.sin6_port) = (sa_family_t(AF_INET6), port.bigEndian)
    let result =
      family == AF_INET
      ? withUnsafeBytes(of: &four) { bound(descriptor, $0) }
      : withUnsafeBytes(of: &six) { bound(descriptor, $0) }
    return result == EADDRINUSE ? true : result == 0 ? false : nil
  }

  private static func bound(_ descriptor: Int32, _ address: UnsafeRawBufferPointer) -> Int32 {
    guard let place = address.bindMemory(to: sockaddr.self).baseAddress else { return EINVAL }
    return bind(descriptor, place, socklen_t(address.count)) == 0 ? 0 : errno
  }
}

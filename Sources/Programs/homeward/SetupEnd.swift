import Care
import Certificates
import Glibc
import JSON
import Loop

/// Starts the gateway anew, where systemd runs it.
struct SetupRestart {
  let dialogue: SetupDialogue

  private var session: Session { dialogue.session }
  private var systemctl: String? {
    access("/run/systemd/system", F_OK) == 0 ? ProgramSearch.find("systemctl") : nil
  }

  /// Whether it was started anew.
  func offer() throws(CommandFailure) -> Bool {
    let isOwn = session.configurationPath == Session.defaultConfigurationPath
    let standard = dialogue.isAsking && isOwn && systemctl != nil
    guard standard || session.arguments.option("restart") != nil else { return false }
    let word = try dialogue.checked(
      "restart", gettext("Start the gateway anew, so that it takes this over (yes or no)?"),
      default: "yes"
    ) { SetupQuestions.truth($0) == nil ? gettext("write yes or no.") : nil }
    guard SetupQuestions.truth(word) == true else { return false }
    guard let systemctl else {
      dialogue.say(
        gettext("There is no systemd here: please start homewardd anew in your own way."))
      return false
    }
    let run = ProgramRun(
      systemctl, ["restart", "homeward.service"], directory: "/", milliseconds: 120_000,
      mostBytes: 65_536)
    if run?.end == .exited(0) { return true }
    let said = String(decoding: run?.complaint ?? [], as: UTF8.self)
    dialogue.say(
      Finding(
        subject: "restart", state: .failed, found: NumberText.trimmed(said),
        advice: gettext("see: systemctl status homeward")
      ).line)
    return false
  }
}

/// What is said once everything was done.
struct SetupEnd {
  let session: Session
  /// Whether the daemon knows the people already.
  var isApplied: Bool
  /// Whether the configuration is another one.
  var isChanged: Bool
  var isRestarted: Bool
  /// What became of the account; nil for none.
  var account: String?
  var reach: SetupPages.Reach?
  /// Which address push services are told; nil where push messages were not switched on.
  var pushContact: String?

  private var terminal: Terminal { session.terminal }
  private var folder: CertificateFolder { session.certificates.folder }

  func tell(_ answers: SetupAnswers, _ home: SafeZone?) {
    if session.wantsJSON {
      return terminal.write([
        "configuration": .string(session.configurationPath), "resident": answers.resident.json,
        "zone": home?.json ?? .null, "guardian": answers.guardian?.json ?? .null,
        "applied": .string(isApplied ? "now" : "at-next-start"), "changed": .bool(isChanged),
        "restarted": .bool(isRestarted), "pages": reach?.json(folder) ?? .null,
        "pushContact": pushContact.map { .string($0) } ?? .null,
      ])
    }
    let when = isApplied ? "" : gettext(" at the next start")
    let place = home == nil ? gettext(" Add the home: homeward zones add --help") : ""
    terminal.writeLine(
      gettext(
        "{name} is looked after{when}.{place}",
        ["name": TextWidth.printable(answers.resident.name), "when": when, "place": place]))
    if let guardian = answers.guardian {
      terminal.writeLine(
        gettext(
          "{name} is told in an emergency. Try it: homeward alarm test",
          ["name": TextWidth.printable(guardian.name)]))
    }
    if let account { terminal.writeLine(account) }
    if let reach { tell(reach) }
    if let pushContact {
      terminal.writeLine(
        gettext(
          "Alarms can appear while no page is open: each caregiver asks for it once on “Your account”; push services are told {contact}, and no name or place.",
          ["contact": pushContact]))
    }
    let next =
      isRestarted || !isChanged
      ? gettext("Next: homeward doctor && homeward status")
      : gettext("Next: systemctl restart homeward && homeward doctor && homeward status")
    terminal.writeLine(next)
  }

  private func tell(_ reach: SetupPages.Reach) {
    terminal.writeLine("")
    terminal.writeLine(gettext("The pages: {url}", ["url": reach.url]))
    if Terminal.columns != nil, let code = QRText.lines(reach.url) { terminal.write(code) }
    switch reach.order.kind {
    case .domain:
      terminal.writeLine(
        gettext(
          "{name} has to lead to this computer's address at home; some routers have to be told that this is meant (DNS rebind protection).",
          ["name": reach.order.names.first ?? ""]))
    case .tailscale:
      terminal.writeLine(
        gettext("Whoever shall reach the pages needs Tailscale on their device, at home as well."))
    case .home: tellHome(reach)
    case .selfSigned:
      terminal.writeLine(
        gettext(
          "Each browser warns once: compare the fingerprint, then go on. Without a certificate that browsers trust the pages show nothing while the network is away, cannot ring a closed browser, and no passkey works."
        ))
      terminal.writeLine(CertificateFingerprint(digest: reach.facts.fingerprint).grouped)
    }
    terminal.writeLine(
      gettext("From outside: a VPN or Tailscale. Never open a port of the router for it."))
    if !reach.url.contains(".local") && reach.order.kind == .home && !LocalName.isAnnounced {
      terminal.writeLine(
        gettext(
          "Give this computer the same address for ever in your router. A name instead: sudo apt install avahi-daemon, then homeward setup --host {name}",
          ["name": reach.order.names.first ?? "homeward.local"]))
    }
  }

  private func tellHome(_ reach: SetupPages.Reach) {
    terminal.writeLine(
      gettext(
        "Each device trusts the home's authority once. Without that the pages work after a warning, but show nothing while the network is away and cannot ring a closed browser."
      ))
    if reach.isNewAuthority {
      terminal.writeLine(
        gettext("The authority is new: whoever installed an earlier one installs this one."))
    }
    terminal.writeLine(
      gettext(
        "The certificate: {url}/authority.crt, or the file {file}. It vouches for {names} and addresses at home, and for nothing else.",
        [
          "url": reach.url, "file": folder.authorityFile,
          "names": reach.order.names.joined(separator: ", "),
        ]))
    terminal.writeLine(
      gettext("The same, for each device by itself: {url}/trust", ["url": reach.url]))
    if let authority = (try? session.certificates.authority()) ?? nil {
      terminal.writeLine(
        gettext(
          "Fingerprint: {fingerprint}",
          ["fingerprint": CertificateFingerprint(digest: authority.fingerprint).grouped]))
    }
    for device in TrustSteps.all {
      let steps = device.steps.map(\.spoken).joined(separator: " ")
      terminal.writeLine("  \(device.device.spoken): \(steps)")
    }
  }
}

import Certificates
import Glibc
import JSON
import Moments
import Texts

/// `homeward certificate …`.
enum CertificateCommands {
  static let all = [show, renew]

  private static let show: CommandSpecification = .init(
    path: ["certificate", "show"],
    summary: gettext("How browsers come to trust the pages: kind, names, and until when"),
    discussion: gettext(
      "Needs root, as it looks into the folder of the keys. homeward setup --pages yes makes another kind."
    ),
    examples: [
      Example("sudo homeward certificate show", gettext("What there is, and when it ends."))
    ]
  ) { session throws(CommandFailure) in
    let maker = session.certificates
    do throws(CertificateFault) {
      guard let order = try maker.order(), let facts = try maker.facts() else { throw .none }
      let authority = order.kind == .home ? try maker.authority() : nil
      let isDue = try maker.reason(toRenew: order)
      write(
        CertificateReport(
          order: order, facts: facts, authority: authority, folder: maker.folder, due: isDue),
        session)
    } catch { throw CommandFailure(error) }
  }

  private static func write(_ report: CertificateReport, _ session: Session) {
    if session.wantsJSON { return session.terminal.write(report.json) }
    session.terminal.write(report.text(session.times))
  }

  private static let renew: CommandSpecification = .init(
    path: ["certificate", "renew"],
    summary: gettext("Makes the certificate of the pages anew when it ends soon"),
    discussion: gettext(
      """
      Every day by homeward-certificate.timer. A certificate is made anew when a third of its time is left, or when names
      or addresses changed; the pages take it over by themselves. What is there stays when it fails.
      """),
    options: [.flag("now", gettext("Also when it does not end soon"))],
    examples: [
      Example("sudo homeward certificate renew", gettext("Does nothing while it is good.")),
      Example("sudo homeward certificate renew --now", gettext("A new one in any case.")),
    ]
  ) { session throws(CommandFailure) in
    let maker = session.certificates
    do throws(CertificateFault) {
      guard let order = try maker.order() else { throw .none }
      let reason =
        try maker.reason(toRenew: order)
        ?? (session.arguments.has("now") ? Message("as asked") : nil)
      guard let reason else {
        let facts = try maker.facts()
        return tell(facts, isNew: false, session, gettext("The certificate is good."))
      }
      let made = try maker.make(order, replacesAuthority: false)
      tell(
        made.facts, isNew: true, session,
        gettext("The certificate was renewed ({reason}).", ["reason": reason.spoken]))
    } catch { throw CommandFailure(error) }
  }

  private static func tell(
    _ facts: CertificateFacts?, isNew: Bool, _ session: Session, _ sentence: String
  ) {
    let ends = facts?.ends
    if session.wantsJSON {
      return session.terminal.write([
        "renewed": .bool(isNew), "ends": ends.map { .string($0.iso8601) } ?? .null,
      ])
    }
    let until = ends.map {
      gettext(" It ends on {time}.", ["time": session.times.text($0)])
    }
    session.terminal.writeLine(sentence + (until ?? ""))
  }
}

/// A certificate as people and programs are shown it.
struct CertificateReport {
  var order: CertificateOrder
  var facts: CertificateFacts
  var authority: CertificateFacts?
  var folder: CertificateFolder
  /// Why it has to be renewed; nil where it may stay.
  var due: Message?

  var json: JSONValue {
    .object([
      "kind": .string(order.kind.rawValue), "names": .array(facts.names.map { .string($0) }),
      "addresses": .array(facts.addresses.map { .string($0) }),
      "begins": .string(facts.begins.iso8601), "ends": .string(facts.ends.iso8601),
      "file": .string(folder.identityFile), "isDue": .bool(due != nil),
      "authority": authority.map { authority in
        [
          "file": .string(folder.authorityFile), "ends": .string(authority.ends.iso8601),
          "fingerprint": .string(authority.fingerprint),
        ]
      },
    ])
  }

  func text(_ times: TimeDisplay) -> String {
    let hosts = (facts.names + facts.addresses).joined(separator: ", ")
    var lines = [
      (gettext("Kind"), order.kind.words.spoken), (gettext("For"), hosts),
      (gettext("Ends"), times.text(facts.ends)),
      (
        gettext("Renewal"),
        due.map { gettext("due: {reason}", ["reason": $0.spoken]) } ?? gettext("not due yet")
      ),
      (gettext("File"), folder.identityFile),
    ]
    if let authority {
      lines += [
        (gettext("Authority"), folder.authorityFile),
        (gettext("It ends"), times.text(authority.ends)),
        (gettext("Fingerprint"), CertificateFingerprint(digest: authority.fingerprint).grouped),
      ]
    }
    let width = lines.map { TextWidth.of($0.0) }.max() ?? 0
    return lines.map { label, text in
      TextWidth.padded(label, to: width + 2) + text + "\n"
    }.joined()
  }
}

extension Session {
  /// What makes and keeps certificates beside the configuration.
  var certificates: CertificateMaker {
    CertificateMaker(
      folder: CertificateFolder(beside: FileText.absolute(configurationPath)), now: TimeDisplay.now,
      group: getgrnam("homeward")?.pointee.gr_gid, find: ProgramSearch.find)
  }
}

extension CertificateFault {
  /// There is none that could be shown or renewed.
  fileprivate static let none = CertificateFault(
    Message("no certificate was made here"),
    advice: Message("homeward setup --pages yes makes one and switches the pages on."))
}

extension CommandFailure {
  init(_ fault: CertificateFault) {
    self.init(
      .failed, gettext("{reason}.", ["reason": fault.reason.spoken]), hint: fault.advice?.spoken)
  }
}

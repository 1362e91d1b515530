import Certificates
import Moments

/// Whether the certificate of the pages counts, and for how long; nothing where set-up made none.
struct CertificateCheck {
  let session: Session

  func all() -> [Finding] {
    let maker = session.certificates
    do throws(CertificateFault) {
      guard let order = try maker.order() else { return [] }
      guard let facts = try maker.facts() else {
        return [
          finding(
            .failed, gettext("there is none"), gettext("try: sudo homeward certificate renew"))
        ]
      }
      let now = TimeDisplay.now
      let until = gettext("until {time}", ["time": session.times.text(facts.ends)])
      guard now < facts.ends else {
        return [
          finding(
            .failed, gettext("it ended: {time}", ["time": session.times.text(facts.ends)]),
            gettext("no browser shows the pages any more; try: sudo homeward certificate renew"))
        ]
      }
      guard let reason = try maker.reason(toRenew: order) else {
        return [
          finding(
            order.kind == .selfSigned ? .warning : .working, "\(order.kind.words.spoken), \(until)")
        ]
      }
      return [
        finding(
          .warning, "\(until); \(gettext("due: {reason}", ["reason": reason.spoken]))",
          gettext("the timer has not renewed it; see why: sudo homeward certificate renew"))
      ]
    } catch { return [finding(.warning, error.reason.spoken, error.advice?.spoken ?? "")] }
  }

  private func finding(
    _ state: Finding.State, _ found: String, _ advice: String = ""
  ) -> Finding {
    Finding(subject: "certificate", state: state, found: found, advice: advice)
  }
}

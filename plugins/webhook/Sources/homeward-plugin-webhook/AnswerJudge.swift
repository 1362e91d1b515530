import Care
import CurlTransfer
import Loop
import Moments
import PluginKit
import PluginProtocol
import Texts

/// Turns what came of requests into outcomes; one for each lane, because waits grow while the receiver fails.
struct AnswerJudge: Hashable, Sendable {
  /// What a request came to.
  struct Verdict: Hashable, Sendable {
    /// The outcome of its events.
    var outcome: EventOutcome
    /// What it says about the receiver; nil when nothing.
    var health: PluginHealth?
  }

  /// What only the event itself can be to blame for.
  private static let refusing: Set<Int> = [400, 413, 422]

  private let host: String
  private var backoff = Backoff(firstMilliseconds: 5000, longestMilliseconds: 60_000)

  /// A judge of a receiver, of which people know the host.
  init(host: String) { self.host = host }

  /// Judges one request.
  mutating func judge(
    _ result: Result<Answer, TransferFault>, now: Timestamp
  ) -> Verdict {
    switch result {
    case .failure(let fault):
      return failed(
        code: fault.kind.rawValue, detail: fault.detail.text(in: PluginLanguage.current),
        retryAfter: nil, now)
    case .success(let answer) where (200..<300).contains(answer.status):
      backoff.reset()
      return Verdict(outcome: .accepted, health: PluginHealth(state: .working))
    case .success(let answer) where Self.refusing.contains(answer.status):
      return Verdict(
        outcome: .refused(
          reason: gettext("{status} from {host}", ["status": answer.status, "host": host])))
    case .success(let answer):
      return failed(
        code: "status-\(answer.status)",
        detail: gettext(
          "{status} from {host}: {advice}",
          ["status": answer.status, "host": host, "advice": Self.advice(answer.status)]),
        retryAfter: answer.retryAfter, now)
    }
  }

  private mutating func failed(
    code: String, detail: String, retryAfter: String?, _ now: Timestamp
  ) -> Verdict {
    let wait = backoff.next() / 1000
    let seconds = Self.seconds(retryAfter: retryAfter, now: now) ?? wait
    return Verdict(
      outcome: .retry(afterSeconds: max(1, min(86_400, seconds)), reason: detail),
      health: PluginHealth(state: .failed, code: code, detail: detail))
  }

  /// The seconds of a header `Retry-After`, a number or a date.
  private static func seconds(retryAfter: String?, now: Timestamp) -> Int64? {
    guard let retryAfter else { return nil }
    if !retryAfter.isEmpty, retryAfter.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
      return Int64(retryAfter.prefix(9))
    }
    return WebAddress.seconds(ofDate: retryAfter).map { $0 - now.milliseconds / 1000 }
  }

  private static func advice(_ status: Int) -> String {
    switch status {
    case 300..<400: gettext("the receiver has moved; set url to the new address")
    case 401:
      gettext("the receiver does not accept the token or signature; correct token or secret")
    case 403: gettext("the receiver forbids it; check token, secret and url")
    case 404, 410: gettext("there is nothing at url; correct it")
    case 405: gettext("the receiver takes no POST at url; correct it")
    case 407: gettext("a proxy asks for a login; set proxyLogin")
    case 415: gettext("the receiver does not take CloudEvents; check url and format")
    default: gettext("it is tried again")
    }
  }
}

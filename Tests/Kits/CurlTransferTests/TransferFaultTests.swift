import CCurl
import Glibc
import Testing
import Texts

@testable import CurlTransfer

@Suite struct TransferFaultTests {
  /// A fault's code and sentence; nil when there is none.
  private func words(
    _ failure: homeward_failure, error: Int32 = 0, status: Int = 0, proxy: Int = 0,
    _ words: String = "", isNumeric: Bool = false
  ) -> String? {
    words.withCString { message in
      var result = homeward_transfer_result()
      result.failure = failure
      result.error_number = Int(error)
      result.status = status
      result.proxy_status = proxy
      result.message = message
      let farEnd = FarEnd(
        name: Message(verbatim: "the receiver"), setting: "url", isNumeric: isNumeric)
      return TransferFault(result, to: farEnd).map {
        "\($0.kind.rawValue) \($0.status): \($0.detail.text(in: .en))"
      }
    }
  }

  @Test func everyKindHasItsCodeAndASentenceThatSaysWhatToDo() {
    let untrusted = "certificate 0: the receiver's certificate is not trusted: "
    let cases = [
      (
        words(homeward_failure_unknown_host),
        "unknown-host 0: the host in url cannot be found; check it and the network"
      ),
      (
        words(homeward_failure_unknown_proxy),
        "unknown-proxy 0: the host in proxy cannot be found; check it and the network"
      ),
      (
        words(homeward_failure_connect, error: ECONNREFUSED),
        "refused 0: nothing listens at the address in url"
      ),
      (
        words(homeward_failure_connect, error: ENETUNREACH),
        "unreachable 0: there is no way to the address in url; check the network"
      ),
      (
        words(homeward_failure_connect, error: EHOSTUNREACH),
        "unreachable 0: there is no way to the address in url; check the network"
      ),
      (
        words(homeward_failure_connect, error: ETIMEDOUT),
        "unreachable 0: the address in url cannot be reached; check the network"
      ),
      (
        words(homeward_failure_connect, error: EPERM),
        "forbidden 0: the system forbids the connection; the plugin needs the grant network"
      ),
      (
        words(homeward_failure_connect, error: EACCES),
        "forbidden 0: the system forbids the connection; the plugin needs the grant network"
      ),
      (
        words(homeward_failure_timed_out, status: 250),
        "no-answer 250: the receiver did not answer in time"
      ),
      (
        words(homeward_failure_certificate, "SSL certificate problem: it has expired"),
        untrusted + "it has expired"
      ),
      (words(homeward_failure_certificate, "it has expired"), untrusted + "it has expired"),
      (
        words(homeward_failure_name),
        untrusted + "it is for another name (host name mismatch)"
      ),
      (
        words(homeward_failure_name, isNumeric: true),
        untrusted + "it is for another name (IP address mismatch)"
      ),
      (
        words(homeward_failure_encryption, "wrong version number"),
        "encryption 0: the receiver does not encrypt as it must: wrong version number"
      ),
      (
        words(homeward_failure_no_encryption),
        "no-encryption 0: the receiver offers no encryption, and without it nothing is sent"
      ),
      (
        words(homeward_failure_authorities),
        "ca-file 0: caFile cannot be read; check the path and the plugin's readPaths"
      ),
      (
        words(homeward_failure_closed),
        "closed 0: the receiver closed the connection without an answer"
      ),
      (
        words(homeward_failure_broken, status: 354),
        "broken 354: the connection to the receiver broke off"
      ),
      (
        words(homeward_failure_login, status: 535),
        "login 535: the receiver refuses the login; correct user name and password"
      ),
      (
        words(homeward_failure_refused, status: 550),
        "rejected 550: the receiver refused it (550)"
      ),
      (
        words(homeward_failure_other, status: 220, "out of memory"),
        "other 220: the connection failed: out of memory"
      ),
      // What a proxy says goes before what became of the transfer.
      (
        words(homeward_failure_broken, proxy: 407),
        "proxy 0: the proxy answers 407; check proxy and proxyLogin"
      ),
      (
        words(homeward_failure_broken, proxy: 200),
        "broken 0: the connection to the receiver broke off"
      ),
    ]
    for (found, expected) in cases { #expect(found == expected) }
    let codes = cases.compactMap { $0.1.split(separator: " ").first.map(String.init) }
    #expect(Set(codes) == Set(TransferFault.Kind.allCases.map(\.rawValue)))
  }

  @Test func whatWentWellIsNoFault() {
    #expect(words(homeward_failure_none, status: 500) == nil)
    #expect(words(homeward_failure_none, status: 200, proxy: 200) == nil)
  }
}

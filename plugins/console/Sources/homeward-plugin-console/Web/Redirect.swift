import ConsoleRequests
import Loop
import Texts
import WebServer

/// What the port without TLS answers: the certificate that people install, and else where the pages are.
struct Redirect: Sendable {
  let gate: RequestGate
  /// The port of the pages.
  let port: UInt16
  /// The certificate of the home's authority, as PEM; nil where there is none.
  let authority: String?

  /// Where the certificate of the home's authority is handed out.
  static let authorityPath = "/authority.crt"

  @LoopActor func answer(to request: WebRequest) -> WebAnswer {
    let host = request.count(of: "Host") == 1 ? request.header("Host") : nil
    return answer(request.method, request.target, host: host)
  }

  /// Nothing is looked at but the path and the name; no cookie is read or set.
  func answer(_ method: String, _ target: String, host authority: String?) -> WebAnswer {
    guard ["GET", "HEAD"].contains(method), RequestTarget(target) != nil,
      let host = authority.flatMap(Incoming.host),
      Incoming.isAddress(host) || gate.names.contains(host)
    else {
      return WebAnswer(
        400, type: "text/plain; charset=utf-8", "The pages are elsewhere, by https.\n",
        Headers.always)
    }
    if target == Self.authorityPath, let certificate = self.authority {
      return Self.certificate(certificate)
    }
    let place = port == 443 ? host : "\(host):\(port)"
    return WebAnswer(
      307, [WebAnswer.Header("Location", "https://\(place)\(target)")] + Headers.always)
  }

  /// The certificate of an authority, which telephones offer to install.
  static func certificate(_ text: String) -> WebAnswer {
    WebAnswer(
      200, type: "application/x-x509-ca-cert", text,
      [WebAnswer.Header("Content-Disposition", "attachment; filename=\"homeward-authority.crt\"")]
        + Headers.always)
  }
}

import ConsoleRequests
import JSON
import WebServer

/// What goes along with every answer, so that a browser does with it what is meant and nothing else.
enum Headers {
  typealias Header = WebAnswer.Header

  /// For every answer.
  static let always: [Header] = [
    Header("X-Content-Type-Options", "nosniff"), Header("Referrer-Policy", "no-referrer"),
    Header("Cross-Origin-Opener-Policy", "same-origin"),
    Header("Cross-Origin-Resource-Policy", "same-origin"),
    Header(
      "Permissions-Policy",
      "camera=(), microphone=(), payment=(), usb=(), geolocation=(self), accelerometer=()"),
  ]

  /// For what holds something of somebody.
  static let personal = Header("Cache-Control", "no-store")

  /// For pages: everything from here, nothing in line, in nobody's frame.
  ///
  /// - Parameter hasMap: Leaflet writes markup and an empty picture of its own.
  static func page(hasMap: Bool) -> [Header] {
    let policy = [
      "default-src 'none'", "script-src 'self'", "style-src 'self'",
      "img-src 'self'" + (hasMap ? " data:" : ""), "font-src 'self'", "connect-src 'self'",
      "worker-src 'self'", "manifest-src 'self'", "base-uri 'none'", "form-action 'self'",
      "frame-ancestors 'none'",
    ]
    let trusted = hasMap ? [] : ["require-trusted-types-for 'script'", "trusted-types homeward"]
    return [
      Header("Content-Type", "text/html; charset=utf-8"), personal,
      Header("Content-Security-Policy", (policy + trusted).joined(separator: "; ")),
      Header("X-Frame-Options", "DENY"),
    ]
  }

  /// Keeps a session's token in the browser, out of reach of every script; nil forgets it.
  static func session(_ token: String?, isEncrypted: Bool) -> Header {
    let name = Incoming.cookieName(isEncrypted: isEncrypted)
    let age = token == nil ? 0 : 30 * 86_400
    return Header(
      "Set-Cookie",
      "\(name)=\(token ?? ""); Path=/; Max-Age=\(age); HttpOnly; SameSite=Lax"
        + (isEncrypted ? "; Secure" : ""))
  }
}

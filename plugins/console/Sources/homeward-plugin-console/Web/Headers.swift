import ConsoleRequests
import JSON
import WebServer

/// What goes along with every answer, so that a browser does with it what is meant and nothing else.
///
/// - Source: OWASP Secure Headers Project; what it asks for is checked by `Tests/Browser`.
enum Headers {
  typealias Header = WebAnswer.Header

  /// For every answer.
  static let always: [Header] = [
    Header("X-Content-Type-Options", "nosniff"), Header("Referrer-Policy", "no-referrer"),
    Header("X-Frame-Options", "DENY"), Header("X-Permitted-Cross-Domain-Policies", "none"),
    Header("Cross-Origin-Opener-Policy", "same-origin"),
    Header("Cross-Origin-Embedder-Policy", "require-corp"),
    Header("Cross-Origin-Resource-Policy", "same-origin"),
  ]

  /// For what is no page: should a browser take it for one, nothing in it does anything.
  static let noPage = policy(["default-src 'none'", "frame-ancestors 'none'"])

  /// For the script that works behind the pages, which fetches them.
  static let worker = policy([
    "default-src 'none'", "connect-src 'self'", "frame-ancestors 'none'",
  ])

  /// For browsers that were here: they come by TLS alone from then on, whatever else the name is asked for.
  ///
  /// - Source: RFC 6797.
  static let strictTransport = Header("Strict-Transport-Security", "max-age=31536000")

  private static func policy(_ parts: [String]) -> Header {
    Header("Content-Security-Policy", parts.joined(separator: "; "))
  }

  /// What a page may ask of the device: where it is, for the map, and that an alarm is heard; a page that shows a way also
  /// the camera that is behind the arrow, and which way it looks, and one on which people speak the microphone.
  private static func permissions(forResident: Bool, hasRecorder: Bool) -> Header {
    let own = ["accelerometer", "camera", "gyroscope", "magnetometer", "microphone"]
    let opened = forResident ? own : hasRecorder ? ["microphone"] : []
    let granted = ["autoplay", "geolocation"] + opened
    let refused = (own.filter { !opened.contains($0) } + others).sorted()
    return Header(
      "Permissions-Policy",
      (refused.map { "\($0)=()" } + granted.map { "\($0)=(self)" }).joined(separator: ", "))
  }

  private static let others = [
    "clipboard-read", "clipboard-write", "cross-origin-isolated", "display-capture",
    "encrypted-media", "fullscreen", "gamepad", "hid", "idle-detection", "keyboard-map", "midi",
    "payment", "picture-in-picture", "publickey-credentials-get", "screen-wake-lock", "serial",
    "sync-xhr", "unload", "usb", "web-share", "xr-spatial-tracking",
  ]

  /// For what holds something of somebody.
  static let personal = Header("Cache-Control", "no-store")

  /// For pages: everything from here, nothing in line, in nobody's frame.
  ///
  /// - Parameters:
  ///   - hasMap: Leaflet writes markup and an empty picture of its own.
  ///   - hasRecorder: what was recorded is listened to before it goes anywhere.
  static func page(
    hasMap: Bool, hasRecorder: Bool = false, isForResident: Bool = false
  ) -> [Header] {
    let parts = [
      "default-src 'none'", "script-src 'self'", "style-src 'self'",
      "img-src 'self'" + (hasMap ? " data:" : ""), "font-src 'self'", "connect-src 'self'",
      "media-src 'self'" + (hasRecorder ? " blob:" : ""),
      "worker-src 'self'", "manifest-src 'self'", "base-uri 'none'", "form-action 'self'",
      "frame-ancestors 'none'",
    ]
    let trusted = hasMap ? [] : ["require-trusted-types-for 'script'", "trusted-types homeward"]
    return [
      Header("Content-Type", "text/html; charset=utf-8"), personal, policy(parts + trusted),
      permissions(forResident: isForResident, hasRecorder: hasRecorder),
    ]
  }

  /// Keeps a session's token in the browser, out of reach of every script; nil forgets it.
  ///
  /// - Parameter days: how long after the last look at a page; browsers keep nothing for longer than 400 days.
  static func session(_ token: String?, isEncrypted: Bool, days: Int = 30) -> Header {
    cookie(
      Incoming.cookieName(isEncrypted: isEncrypted), token, seconds: days * 86_400, isEncrypted)
  }

  /// Keeps what binds a way to an identity provider and back to the browser that began it; nil forgets it.
  static func binding(_ binding: String?, isEncrypted: Bool) -> Header {
    cookie(
      Incoming.bindingName(isEncrypted: isEncrypted), binding, seconds: 600, isEncrypted)
  }

  private static func cookie(
    _ name: String, _ value: String?, seconds: Int, _ isEncrypted: Bool
  ) -> Header {
    Header(
      "Set-Cookie",
      "\(name)=\(value ?? ""); Path=/; Max-Age=\(value == nil ? 0 : seconds); HttpOnly; SameSite=Lax"
        + (isEncrypted ? "; Secure" : ""))
  }
}

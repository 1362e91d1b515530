import Care
import JSON
import Texts
import WebServer

/// Which version it is, what it is made of, and how its makers are told what should be better; for everybody.
struct AboutPage {
  static let page = Page(
    path: "/about", isForAccounts: false, isForEverybody: true,
    content: { Self(visit: $0).content })

  private let visit: Visit

  /// Name and version, with the way to the rest.
  static let versionLine: HTML =
    "<p class=\"soft\"><a href=\"/about\">Homeward \(Release.version)</a></p>"

  private var content: PageContent {
    let title = visit.gettext("About Homeward")
    let licences = Credit.all.map { credit -> HTML in
      Part.line(Icon.check, "<strong>\(credit.name)</strong>", HTML(credit.licence))
    }
    let own: HTML = """
      <p><strong>Homeward \(Release.version)</strong></p>
      <p>\(visit.gettext("Homeward runs at your home and belongs to you: everybody may use, look into and change it, under the Apache License, version 2.0. It comes without any warranty."))</p>
      <p>\(visit.gettext("Two of its parts are under the GNU General Public License, version 3: speech, and listening to Bluetooth without its daemon."))</p>
      <ul class="lines">\(Part.line(Icon.note, HTML(visit.gettext("The licences themselves are on the gateway:")), "/usr/share/doc/homeward/copyright"))</ul>
      """
    return PageContent(
      title: title,
      main: """
        <h1>\(title)</h1>
        <div class="cards">
        \(Part.card(visit.gettext("Version and licence"), own))
        \(Part.card(visit.gettext("Tell the makers"), feedback))
        \(Part.card(visit.gettext("With thanks to"), "<p>\(visit.gettext("Homeward stands on what these people made and gave away:"))</p>\(Part.list(licences))"))
        </div>
        """, place: visit.account == .null ? nil : .more)
  }

  /// A mail that is begun with what makers have to know, and with nothing of anybody who is looked after.
  private var feedback: HTML {
    let maker = visit.way.feedback
    let body = visit.gettext(
      "What should be better, or what went wrong? What did you expect instead?")
    let about = "Homeward \(Release.version), \(visit.way.userAgent)"
    let address = Visit.address(
      "mailto:" + (maker.map(RequestTarget.encoded) ?? ""),
      ["subject": "Homeward \(Release.version)", "body": "\(body)\n\n\n\(about)"])
    let whom =
      maker == nil
      ? visit.gettext(
        "Send it to whoever set Homeward up for you: they know how to reach the makers.")
      : visit.gettext("It goes to {address}.", ["address": maker ?? ""])
    return """
      <p>\(visit.gettext("Something does not work, or could be easier? Your mail program opens, with the version and the browser written into it, and no name and no place."))</p>
      <p>\(whom)</p>
      <p class="actions">\(Part.link(visit.gettext("Write a mail"), to: address))</p>
      """
  }
}

/// A work of others that is in Homeward, or runs beside it.
struct Credit: Hashable, Sendable {
  /// As its makers call it.
  var name: String
  /// As SPDX has it.
  var licence: String
  /// The libraries, as `Sources/Dependencies.md` has them; none of what runs beside it.
  var libraries: [String]

  private init(_ name: String, _ licence: String, _ libraries: String...) {
    self.name = name
    self.licence = licence
    self.libraries = libraries
  }

  /// All of them, by their names.
  static let all = [
    Credit("ALSA", "LGPL-2.1-or-later", "asound"),
    Credit("Apprise", "BSD-2-Clause"),
    Credit("BlueZ", "GPL-2.0-or-later", "bluetooth"),
    Credit("cairo", "LGPL-2.1-only OR MPL-1.1", "cairo"),
    Credit("cryptography", "Apache-2.0 OR BSD-3-Clause"),
    Credit("curl", "curl", "curl"),
    Credit("eSpeak NG", "GPL-3.0-or-later", "espeak-ng"),
    Credit("Fontconfig", "HPND", "fontconfig"),
    Credit("GCC", "GPL-3.0-or-later WITH GCC-exception-3.1", "stdc++, gcc_s (GCC runtime)"),
    Credit("GLib", "LGPL-2.1-or-later", "glib-2.0", "gobject-2.0"),
    Credit("GNU C Library", "LGPL-2.1-or-later", "c, m, dl, pthread, ld-linux (glibc)"),
    Credit("GnuTLS", "LGPL-2.1-or-later"),
    Credit("gpsd", "BSD-2-Clause", "gps"),
    Credit("HarfBuzz", "MIT", "harfbuzz"),
    Credit("Leaflet", "BSD-2-Clause"),
    Credit("libevdev", "MIT", "evdev"),
    Credit("libgpiod", "LGPL-2.1-or-later", "gpiod"),
    Credit("libjpeg-turbo", "IJG AND BSD-3-Clause AND Zlib", "jpeg"),
    Credit("libmicrohttpd", "LGPL-2.1-or-later", "microhttpd"),
    Credit("libqrencode", "LGPL-2.1-or-later", "qrencode"),
    Credit("libsodium", "ISC", "sodium"),
    Credit("libxcrypt", "LGPL-2.1-or-later", "crypt"),
    Credit("LibYAML", "MIT", "yaml"),
    Credit("Mbed TLS", "Apache-2.0", "mbedcrypto"),
    Credit("Mosquitto", "EPL-2.0 OR BSD-3-Clause", "mosquitto"),
    Credit("OpenStreetMap", "ODbL-1.0"),
    Credit("Pango", "LGPL-2.0-or-later", "pango-1.0", "pangocairo-1.0"),
    Credit("PocketSphinx", "BSD-2-Clause", "pocketsphinx", "sphinxad", "sphinxbase"),
    Credit("PyJWT", "MIT"),
    Credit("python-dateutil", "Apache-2.0 AND BSD-3-Clause"),
    Credit("Requests", "Apache-2.0"),
    Credit("SQLite", "blessing", "sqlite3"),
    Credit("Swift", "Apache-2.0 WITH Swift-exception", "Swift standard library and runtime"),
    Credit("systemd", "LGPL-2.1-or-later", "systemd"),
    Credit("WenQuanYi Micro Hei", "GPL-3.0-or-later WITH Font-exception-2.0 OR Apache-2.0"),
    Credit("zlib", "Zlib", "z"),
  ]
}

import JSON
import Moments
import Texts
import WebServer

/// What is the same on every page.
struct Layout: Sendable {
  var assets: Assets

  /// A page as it goes to the browser.
  func page(_ content: PageContent, _ visit: Visit) -> HTML {
    let scripts = (["app.js"] + content.scripts).map { name -> HTML in
      "<script type=\"module\" src=\"\(assets.path(name))\"></script>\n"
    }
    // Behind the words, which would wait for it otherwise.
    let leaflet: HTML =
      content.hasMap
      ? "<link rel=\"stylesheet\" href=\"\(assets.path("leaflet.css"))\">\n" : .nothing
    let isLoggedIn = visit.account != .null
    let isForResident = content.frame == .resident
    let kind = content.isAlarm ? "alarm" : isForResident ? "resident" : nil
    let voice = isForResident ? (visit.isAtTheGateway ? "room" : "here") : nil
    return """
      <!doctype html>
      <html lang="\(visit.visitor.language == .zh ? "zh-Hans" : "en")">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <meta name="theme-color" content="#0A4F5C">
      \(visit.link == nil ? HTML.nothing : "<meta name=\"robots\" content=\"noindex\">\n")<title>\(content.title) · Homeward</title>
      <link rel="icon" href="\(assets.path("icon.svg"))">
      <link rel="apple-touch-icon" href="\(assets.path("icon-180.png"))">
      <link rel="manifest" href="/manifest.webmanifest">
      <link rel="stylesheet" href="\(assets.path("app.css"))">
      \(isForResident ? "<link rel=\"stylesheet\" href=\"\(assets.path("resident.css"))\">\n" as HTML : .nothing)<link id="dark" rel="stylesheet" media="(prefers-color-scheme: dark)" href="\(assets.path("dark.css"))">
      \(scripts)</head>
      <body\(HTML.attribute("class", kind))\(HTML.attribute("data-voice", voice))\(HTML.attribute("data-live", isLoggedIn && !visit.isClinician ? "/events" : nil))\(HTML.attribute("data-link", visit.link))>
      <a class="skip" href="#main">\(visit.gettext("Skip to what the page says"))</a>
      \(isForResident ? ResidentFrame.head(visit) : head(content, visit))
      <div id="notices" role="status" aria-live="polite"></div>
      \(isForResident ? ResidentFrame.banner(visit) : banner(content, visit))
      <main id="main" tabindex="-1"\(HTML.attribute("data-now", visit.now.iso8601))>
      \(content.main)
      </main>
      \(words(visit))\(isForResident ? Self.residentWords(visit) : .nothing)
      \(leaflet)</body>
      </html>
      """
  }

  private func head(_ content: PageContent, _ visit: Visit) -> HTML {
    let name = visit.account["profile"]?["name"]?.stringContent
    let navigation: HTML =
      visit.account["role"]?.stringContent == nil ? .nothing : self.navigation(content, visit)
    let owner: HTML = name.map { "<a class=\"owner\" href=\"/account\">\($0)</a>" } ?? .nothing
    return """
      <header class="top">
      <a class="brand" href="/">\(Icon.home)<span>Homeward</span></a>
      \(navigation)
      \(owner)
      </header>
      """
  }

  private func navigation(_ content: PageContent, _ visit: Visit) -> HTML {
    if visit.isClinician { return ClinicianPart.navigation(visit) }
    let items = Place.allCases.map { place -> HTML in
      let isHere = content.place == place
      let badge = place == .alerts ? badge(visit) : .nothing
      return """
        <li><a href="\(place.path)"\(HTML.attribute("aria-current", isHere ? "page" : nil))>\(place.icon)<span>\(place.words(visit))</span>\(badge)</a></li>
        """
    }
    return """
      <nav aria-label="\(visit.gettext("Pages"))"><ul>\(items)</ul></nav>
      """
  }

  /// How much was not looked at yet; where all was, how many alarms are open.
  private func badge(_ visit: Visit) -> HTML {
    let (unseen, open) = (Unseen.count(visit), visit.alarms.count)
    guard unseen + open > 0 else { return .nothing }
    let words =
      unseen > 0
      ? visit.ngettext("{n} unseen alert", "{n} unseen alerts", unseen, ["n": unseen])
      : visit.ngettext("{n} open alarm", "{n} open alarms", open, ["n": open])
    let number = unseen > Unseen.atMost ? "\(Unseen.atMost)+" : "\(unseen > 0 ? unseen : open)"
    return "<span class=\"badge\" aria-label=\"\(words)\">\(number)</span>"
  }

  /// What nobody must miss, on every page but its own.
  private func banner(_ content: PageContent, _ visit: Visit) -> HTML {
    guard !content.isAlarm else { return .nothing }
    let lines = visit.alarms.map { alarm -> HTML in
      """
      <a class="banner" href="\(Visit.address("/alarm", ["id": alarm["alarm"]?.stringContent]))"\(HTML.flag("data-rings", AlarmWords.rings(alarm, visit)))>\(Icon.bell)<span><strong>\(AlarmWords.heading(alarm, visit))</strong> \(AlarmWords.charge(alarm, visit))</span></a>
      """
    }
    return "<div id=\"banner\" aria-live=\"assertive\">\(lines)\(AllClear.lines(visit))</div>"
  }

  /// The words that scripts use.
  private func words(_ visit: Visit) -> HTML {
    let texts = Self.texts[visit.visitor.language]
    return (visit.isImperial ? texts?.imperial : texts?.metric) ?? .nothing
  }

  /// The same on every page, so that each is made once.
  private static let texts = Dictionary(
    uniqueKeysWithValues: Language.allCases.map { language in
      let metric = scriptTexts.map { ($0, $1.text(in: language)) }
      let imperial = metric + imperialTexts.map { ($0, $1.text(in: language)) }
      return (language, (metric: list(metric), imperial: list(imperial)))
    })

  private static func list(_ texts: [(name: String, text: String)], id: String = "words") -> HTML {
    """
    <dl id="\(id)" hidden>\(texts.map { "<dt>\($0.name)</dt><dd>\($0.text)</dd>" as HTML })</dl>
    """
  }

  private static let scriptTexts = [
    ("ago", Message("{age} ago")), ("seconds", Message("{seconds} s")),
    ("minutes", Message("{minutes} min")), ("hours", Message("{hours} h")),
    ("days", Message("{days} d")),
    ("stale", Message("Not live since {time}. What you see may have changed.")),
    ("live", Message("Live again.")),
    ("saved", Message("Saved.")),
    (
      "queued",
      Message("There is no connection to the gateway. It is sent as soon as there is one.")
    ),
    ("failed", Message("That did not reach the gateway. Please try again.")),
    ("undo", Message("Undo")), ("removed", Message("Removed.")),
    ("confirm", Message("Do it all the same")), ("cancel", Message("Cancel")),
    ("here", Message("You")), ("listen", Message("Switch the sound on")),
    ("accuracy", Message("within {distance}")), ("metres", Message("{n} m")),
    ("kilometres", Message("{n} km")),
  ]
  /// Those that sound otherwise on a page of somebody who is looked after; they count in the place of the others.
  private static func residentWords(_ visit: Visit) -> HTML {
    residentTexts[visit.visitor.language] ?? .nothing
  }

  private static let residentTexts = Dictionary(
    uniqueKeysWithValues: Language.allCases.map { language in
      let texts = [
        ("stale", Message("I am not connected just now. What you see is from {time}.")),
        ("live", Message("I am connected again.")),
        ("saved", Message("It is done.")),
        ("failed", Message("That did not work. Please try once more.")),
        ("queued", Message("I am not connected just now. I pass it on as soon as I am.")),
        ("calling", Message("I call for help")),
        ("unless", Message("Your helpers are told, unless you press Stop.")),
        ("stop", Message("Stop")),
        (
          "trying",
          Message("I cannot reach the gateway. I go on trying. You can call somebody yourself:")
        ),
        ("stopped", Message("All right. Nobody is told.")),
        ("unspoken", Message("I cannot speak on this device.")),
      ]
      return (language, list(texts.map { ($0, $1.text(in: language)) }, id: "resident-words"))
    })

  private static let imperialTexts = [
    ("feet", Message("{n} ft")), ("miles", Message("{n} mi")),
  ]
}

extension Place {
  var path: String {
    switch self {
    case .home: "/"
    case .map: "/map"
    case .alerts: "/alerts"
    case .day: "/day"
    case .more: "/more"
    }
  }

  var icon: HTML {
    switch self {
    case .home: Icon.home
    case .map: Icon.pin
    case .alerts: Icon.bell
    case .day: Icon.pill
    case .more: Icon.dots
    }
  }

  func words(_ visit: Visit) -> String {
    switch self {
    case .home: visit.pgettext("page", "Home")
    case .map: visit.pgettext("page", "Map")
    case .alerts: visit.pgettext("page", "Alerts")
    case .day: visit.pgettext("page", "Day")
    case .more: visit.pgettext("page", "More")
    }
  }
}

/// The way to everything else.
struct MorePage {
  static let page = Page(path: "/more", content: { Self(visit: $0).content })

  private let visit: Visit

  private var content: PageContent {
    let title = visit.pgettext("page", "More")
    var entries: [(HTML, String, String)] = [
      (Icon.ring, visit.gettext("Safe zones"), "/zones"),
      (Icon.star, visit.gettext("Places"), "/bookmarks"),
      (Icon.pill, visit.gettext("What recurs"), "/routine"),
      (Icon.clock, visit.gettext("History"), "/history"),
      (Icon.speech, visit.gettext("Messages"), "/messages"),
      (Icon.note, visit.gettext("Memos"), "/memos"),
      (Icon.drop, visit.gettext("Health"), "/health"),
      (Icon.tag, visit.gettext("Devices and tags"), "/devices"),
      (Icon.bell, visit.gettext("Guardians"), "/guardians"),
      (Icon.gear, visit.gettext("Settings"), "/settings"),
      (Icon.person, visit.gettext("Who sees whom"), "/family"),
      (Icon.eye, visit.gettext("Who looked"), "/looks"),
      (Icon.person, visit.gettext("Your account"), "/account"),
    ]
    if visit.isCaregiver {
      entries.append((Icon.pin, visit.gettext("How to reach it from outside"), "/reach"))
    }
    entries.append((Icon.home, visit.gettext("About Homeward"), "/about"))
    let links = entries.map {
      "<li><a class=\"entry with\" href=\"\($0.2)\">\($0.0)<strong>\($0.1)</strong></a></li>"
        as HTML
    }
    return PageContent(
      title: title, main: "<h1>\(title)</h1><ul class=\"entries grid\">\(links)</ul>", place: .more)
  }
}

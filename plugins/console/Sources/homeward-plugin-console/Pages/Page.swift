import JSON
import Moments
import Texts
import WebServer

/// What a page is made of.
struct PageContent: Sendable {
  /// What the page is called, in its window and in its first heading.
  var title: String
  /// What stands between the head and the navigation.
  var main: HTML
  /// The scripts that it needs besides those of every page.
  var scripts: [String] = []
  /// Whether there is a map on it.
  var hasMap = false
  /// Whether somebody's voice can be recorded on it.
  var hasRecorder = false
  /// The place in the navigation that it belongs to; nil for none.
  var place: Place?
  /// Whether it is about an open alarm, and looks so.
  var isAlarm = false
  /// What is around it.
  var frame = Frame.family

  /// What is the same on each page of somebody.
  enum Frame: Hashable, Sendable {
    /// A navigation, for those who care, and for everybody at the door.
    case family
    /// A few large keys, for somebody who is looked after.
    case resident
  }
}

/// The places of the navigation.
enum Place: String, Hashable, Sendable, CaseIterable {
  case home, map, alerts, day, more
}

/// A page: its address, what it asks, and how it looks.
///
/// Each is a type of its own, such as ``HomePage``: made for one look at it, it says what it asks and what it shows.
struct Page: Sendable {
  /// Its path.
  var path: String
  /// Whether one has to be logged in, and have chosen what one is.
  var isForAccounts = true
  /// Whether a page that takes no account is for those, too, who are logged in.
  var isForEverybody = false
  /// What it asks before anybody is logged in.
  var questionsAtTheDoor: [Question] = []
  /// Whether it is also for those who treat others, who are shown how somebody is and nothing else.
  var isForClinicians = false
  /// Whether it names guardians, also as those who changed something.
  var namesGuardians = false
  /// What it asks besides what every page does; asked again with what is known until it answers nothing.
  var questions: @Sendable (Visit) -> [Question] = { _ in [] }
  /// How often it may ask again: a page that shows lists whole asks for each part of them.
  var rounds = 4
  /// Whether there is such a page, here and for whoever looks.
  var isThere: @Sendable (Visit) -> Bool = { _ in true }
  /// How it looks.
  var content: @Sendable (Visit) -> PageContent

  /// The page as somebody sees it, with the status of RFC 9110; there is nothing where it is not for them.
  func shown(to visit: Visit) -> (status: UInt32, content: PageContent) {
    isFor(visit) && isThere(visit) ? (200, content(visit)) : (404, .missing(visit))
  }

  /// Whether it is for whoever looks.
  func isFor(_ visit: Visit) -> Bool { isForClinicians || !isForAccounts || !visit.isClinician }

  /// Every page.
  static let all: [Page] =
    [
      LogInPage.page, SignUpPage.page, ForgotPage.page, WelcomePage.page, EnterPage.page,
      OwnScreenPage.page, HomePage.page, MapPage.page, ZonesPage.page, AlertsPage.page,
      AlarmPage.page, DayPage.page, RoutinePage.page, MorePage.page, AccountPage.page,
      FamilyPage.page, LooksPage.page, BookmarksPage.page, HistoryPage.page, MessagesPage.page,
      MemosPage.page, HealthPage.page, ReadingsPage.page, DiaryPage.page, TrendPage.page,
      ProfilePage.page, ReportPage.page, PortraitPage.page, DevicesPage.page,
      GuardiansPage.page, SettingsPage.page, ReachPage.page, TrustPage.page, AboutPage.page,
      ResidentHomePage.page, ResidentPlacesPage.page, ResidentWayPage.page, ResidentHerePage.page,
      ResidentMessagesPage.page, ResidentMemosPage.page, ResidentMorePage.page,
      ResidentManualPage.page, ResidentLookPage.page, ResidentSizePage.page, ResidentOKPage.page,
    ]

  private static let byPath = Dictionary(all.map { ($0.path, $0) }) { first, _ in first }

  /// The page of a path; nil where there is none.
  static func at(_ path: [String]) -> Page? { byPath["/" + path.joined(separator: "/")] }

  /// What it asks next, of one who is logged in, knowing what is answered already.
  func next(_ visit: Visit) -> [Question] {
    guard isForAccounts, isFor(visit) else { return [] }
    let isMissing = namesGuardians && !visit.isClinician && !visit.answers.has("guardians.list")
    return questions(visit) + (isMissing ? [Question("guardians.list")] : [])
      + Unseen.questions(visit)
  }

  /// Where somebody is led who asks for a page that takes no account; nil for the page itself.
  func placeInstead(_ visit: Visit) -> String? {
    let isOwnScreen = visit.visitor.isAtOwnScreen
    if path == OwnScreenPage.page.path {
      if !isOwnScreen { return "/enter" }
      // Another code shows somebody else's pages from then on.
      return visit.account == .null || visit.fields["new"] != nil ? nil : "/"
    }
    if visit.account == .null { return isOwnScreen ? OwnScreenPage.page.path : nil }
    // Whoever is logged in already has no business at the door.
    return isForEverybody ? nil : "/"
  }

  /// What every page asks of one who is logged in.
  static func always(at now: Timestamp) -> [Question] {
    let since = now.advanced(byMilliseconds: -AllClear.milliseconds).iso8601
    return [
      Question("account.show"), Question("residents.list"), Question("alarms.list"),
      Question(
        "events.query",
        ["types": .array(AllClear.types.map { .string($0) }), "since": .string(since), "limit": 5],
        as: AllClear.question),
    ]
  }
}

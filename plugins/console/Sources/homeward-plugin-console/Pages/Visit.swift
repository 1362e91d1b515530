import Care
import CivilTime
import JSON
import Moments
import PluginKit
import Texts
import WebServer

/// A look at a page: who looks, at what, and what the gateway answered.
struct Visit: Sendable {
  var visitor: Visitor
  /// The path and the fields behind it, as they were asked for.
  var path: [String]
  var fields: [String: String]
  /// The time, by this machine.
  var now: Timestamp
  /// By which way they came.
  var way = Way()
  var answers = Answers()
  /// The token of the link in a message, by which whoever looks came; nil for everybody else.
  var link: String?

  /// A text in the language of whoever looks.
  func gettext(_ msgid: String, _ values: Message.Values = [:]) -> String {
    Message(msgid, values).text(in: visitor.language)
  }

  /// A text for one or for several.
  func ngettext(
    _ msgid: String, _ msgidPlural: String, _ n: Int, _ values: Message.Values = [:]
  ) -> String {
    Message(msgid, plural: msgidPlural, n, values).text(in: visitor.language)
  }

  /// A text that means one thing of several.
  func pgettext(_ msgctxt: String, _ msgid: String) -> String {
    Message(msgid, context: msgctxt).text(in: visitor.language)
  }

  // MARK: What every page knows

  /// The account of whoever looks; null where nobody is logged in.
  var account: JSONValue { answers["account.show"] }
  /// Those whom whoever looks sees; whoever treats them is told their names alone.
  var residents: [JSONValue] {
    isClinician
      ? linked.filter { $0["isShown"]?.boolContent == true } : answers.list("residents.list")
  }
  /// Those whom the account is linked to, seen or not.
  var linked: [JSONValue] { account["sees"]?.arrayContent ?? [] }
  var alarms: [JSONValue] { answers.list("alarms.list") }
  var isCaregiver: Bool { account["role"]?.stringContent == "caregiver" }

  /// Whether whoever looks treats others: sees how they are, and changes nothing.
  var isClinician: Bool { account["role"]?.stringContent == "clinician" }
  /// Whether whoever looks is looked after, and has pages of their own.
  var isResident: Bool { account["role"]?.stringContent == "resident" }
  /// Whether a screen in a home speaks for the account here, which is to go on doing so.
  var isScreen: Bool { session?["kind"]?.stringContent == "screen" }
  /// Whether the page is shown by the machine that the gateway runs on, and stands in the room.
  var isAtTheGateway: Bool { ["127.0.0.1", "::1"].contains(visitor.address) }

  /// The resident of an id.
  func resident(_ id: String?) -> JSONValue? {
    residents.first { $0["id"]?.stringContent == id }
  }

  /// Whom the page is about: whom the address names, else the first.
  var chosenResident: JSONValue? { resident(fields["resident"]) ?? residents.first }

  // MARK: Times

  /// Where a resident lives, for times of their day.
  func zone(of resident: JSONValue?) -> CivilTimeZone {
    resident?["timeZone"]?.stringContent.flatMap { TimeZoneCache.zone($0, at: now) } ?? .utc
  }

  /// An hour of the day, with its date where that is not today.
  func clock(_ iso: String?, of resident: JSONValue?) -> String {
    guard let iso, let moment = try? Timestamp(iso8601: iso) else { return "–" }
    let zone = zone(of: resident)
    let (civil, today) = (zone.local(at: moment).civil, zone.local(at: now).civil)
    let time = "\(two(civil.hour)):\(two(civil.minute))"
    let isToday = (civil.year, civil.month, civil.day) == (today.year, today.month, today.day)
    return isToday ? time : "\(date(civil)) \(time)"
  }

  /// The day that a moment belongs to where a resident lives, such as `2026-11-27`.
  func day(_ iso: String?, of resident: JSONValue?) -> String {
    guard let iso, let moment = try? Timestamp(iso8601: iso) else { return "–" }
    return date(zone(of: resident).local(at: moment).civil)
  }

  private func date(_ civil: CivilDateTime) -> String {
    "\(civil.year)-\(two(civil.month))-\(two(civil.day))"
  }

  private func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

  /// The beginning of the day of a resident, so many days before today.
  func midnight(of resident: JSONValue?, daysAgo: Int64 = 0) -> Timestamp {
    let zone = zone(of: resident)
    let civil = zone.local(at: now.advanced(byMilliseconds: -daysAgo * 86_400_000)).civil
    return zone.instant(of: CivilDateTime(year: civil.year, month: civil.month, day: civil.day))
  }

  /// Seconds since a moment; nil where there is none.
  func seconds(since iso: String?) -> Int64? {
    guard let iso, let moment = try? Timestamp(iso8601: iso) else { return nil }
    return max(0, (now.milliseconds - moment.milliseconds) / 1000)
  }

  /// `3 min`, `2 h 5 min`, `4 d`.
  func span(_ seconds: Int64) -> String {
    switch seconds {
    case ..<60: gettext("{seconds} s", ["seconds": seconds])
    case 60..<3600: gettext("{minutes} min", ["minutes": seconds / 60])
    case 3600..<86_400:
      seconds / 60 % 60 == 0
        ? gettext("{hours} h", ["hours": seconds / 3600])
        : gettext(
          "{hours} h {minutes} min", ["hours": seconds / 3600, "minutes": seconds / 60 % 60])
    default: gettext("{days} d", ["days": seconds / 86_400])
    }
  }

  /// How old something is, kept true by a script.
  func age(of iso: String?) -> HTML {
    guard let iso, let seconds = seconds(since: iso) else {
      return HTML(gettext("at a time that is not known"))
    }
    return """
      <time datetime="\(iso)" data-age>\(gettext("{age} ago", ["age": span(seconds)]))</time>
      """
  }

  /// Whether whoever looks counts in feet and miles.
  var isImperial: Bool { account["profile"]?["units"] == "imperial" }

  /// A distance as people say it.
  func distance(_ meters: Double) -> String {
    guard meters.isFinite else { return "–" }
    let units: LengthUnits = isImperial ? .imperial : .metric
    return units.text(meters: meters).text(in: visitor.language)
  }

  // MARK: Addresses

  /// A place to go on, which has to be one of here; nil for any other.
  static func ownPlace(_ path: String) -> String? {
    let isPlain = path.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != 0x5C }
    return path.hasPrefix("/") && !path.hasPrefix("//") && isPlain ? path : nil
  }

  /// The address of a page with fields behind it.
  static func address(_ path: String, _ fields: KeyValuePairs<String, String?> = [:]) -> String {
    let pairs = fields.compactMap { name, value in
      value.map { "\(name)=\(RequestTarget.encoded($0))" }
    }
    return pairs.isEmpty ? path : path + "?" + pairs.joined(separator: "&")
  }
}

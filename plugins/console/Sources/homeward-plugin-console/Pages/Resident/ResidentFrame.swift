import JSON
import Texts

/// What is at the same place on each page of somebody who is looked after.
enum ResidentFrame {
  enum Key { case home, read, help, more }

  static func keys(_ keys: [Key], _ visit: Visit) -> HTML {
    let view = ResidentView(visit: visit)
    let each = keys.map { key -> HTML in
      switch key {
      case .home: ResidentPart.link(Icon.home, visit.pgettext("page", "Home"), to: "/me")
      case .read: ResidentPart.deed(Icon.ear, visit.gettext("Read to me"), "data-read")
      case .help: help(view)
      case .more: ResidentPart.link(Icon.dots, visit.pgettext("page", "More"), to: "/me/more")
      }
    }
    return "<div class=\"frame\">\(each)</div>"
  }

  /// One press calls for help; a script has it tried until it is taken.
  static func help(_ view: ResidentView) -> HTML {
    let phones = (view.home["caregivers"]?.arrayContent ?? []).compactMap { one -> JSONValue? in
      guard let phone = one["phone"], let name = one["name"]?.stringContent else { return nil }
      let words = view.visit.gettext("Call {name}", ["name": name])
      // The gateway's own screen is no telephone.
      guard !view.visit.visitor.isAtOwnScreen else {
        return ["words": .string("\(words): \(phone.stringContent ?? "–")")]
      }
      return ["words": .string(words), "phone": phone]
    }
    return """
      <button type="button" class="key alarm" data-help="\(JSONValue.array(Array(phones.prefix(2))).serialized)" data-members="\((["target": view.id] as JSONValue).serialized)">\(Icon.alert)<span>\(view.visit.gettext("Help"))</span></button>
      """
  }

  /// The head of every page but home, which has all of it itself.
  static func head(_ visit: Visit) -> HTML {
    visit.path == ["me"]
      ? .nothing : "<header class=\"top\">\(keys([.home, .read, .help], visit))</header>"
  }

  /// What is told above what a page says: that help is called, that an alarm is over, and that somebody wants to be linked.
  static func banner(_ visit: Visit) -> HTML {
    let view = ResidentView(visit: visit)
    let help: HTML =
      view.help != nil && visit.path != ["me"]
      ? "<a class=\"banner\" href=\"/me\">\(Icon.bell)<strong>\(visit.gettext("Help has been called"))</strong></a>"
      : .nothing
    let looked = visit.alarms.filter {
      $0["kind"]?.stringContent != "sos" && $0["kind"]?.stringContent != "test"
        && $0["resident"] == view.id
        && $0["acknowledgedByNames"]?.arrayContent?.isEmpty == false
    }.map { alarm -> HTML in
      "<p class=\"banner calm\" data-said>\(Icon.person)<span>\(AlarmWords.charge(alarm, visit))</span></p>"
    }
    let asks: HTML =
      LinkRequestPart.news(visit) == .nothing
      ? .nothing
      : "<a class=\"banner calm\" href=\"/family\">\(Icon.person)<span>\(visit.gettext("Somebody wants to see how you are"))</span></a>"
    return
      "<div id=\"banner\" aria-live=\"assertive\">\(help)\(looked)\(asks)\(AllClear.lines(visit))</div>"
  }
}

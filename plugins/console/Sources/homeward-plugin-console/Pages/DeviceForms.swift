import JSON
import Texts

/// How tags and meters are named, given to somebody, set and taken away.
enum DeviceForms {
  /// The form for what the address names: a tag or a meter to be changed, or something nearby to be added.
  static func chosen(_ visit: Visit) -> HTML {
    if visit.fields["tag"] != nil {
      let tag = visit.answers["tag.get"]
      return tag == .null ? gone(visit) : change(tag: tag, visit)
    }
    if let address = visit.fields["meter"] {
      let meter = visit.answers.list("meters.list").first {
        $0["address"]?.stringContent == address
      }
      return meter.map { change(meter: $0, visit) } ?? gone(visit)
    }
    guard let address = visit.fields["add"] else { return .nothing }
    return add(address, visit)
  }

  private static func gone(_ visit: Visit) -> HTML {
    Part.card(nil, Part.empty(visit.gettext("That is not there any more.")))
  }

  /// The page without a form.
  private static func back(_ visit: Visit) -> String {
    Visit.address("/devices", ["resident": visit.chosenResident?["id"]?.stringContent])
  }

  // MARK: What is known

  private static func change(tag: JSONValue, _ visit: Visit) -> HTML {
    let name = tag["name"]?.stringContent ?? "–"
    let form = Part.form(
      "tag.put", ["tag": tag], then: back(visit),
      """
      \(fields(of: tag, visit))
      \(Part.submit(visit.gettext("Save")))
      """)
    let remove = Part.button(
      visit.gettext("Take it away"), "tag.remove", ["target": tag["id"] ?? .null], kind: "quiet",
      then: back(visit), undo: ("tag.put", ["tag": tag]),
      asks: visit.gettext(
        "Take {name} away? Nobody listens for it any more, and nobody is told what is left behind.",
        ["name": name]))
    return Part.card(
      name, id: "chosen", "\(form)<p class=\"actions\">\(remove)\(cancel(visit))</p>")
  }

  private static func change(meter: JSONValue, _ visit: Visit) -> HTML {
    let own = kept(meter)
    let name = own["name"]?.stringContent ?? "–"
    let form = Part.form(
      "meter.put", ["meter": own], then: back(visit),
      """
      \(Part.field(visit.gettext("Name"), "meter.name", name, autocomplete: "off"))
      \(owner("meter", own["resident"]?.stringContent, visit))
      \(Part.submit(visit.gettext("Save")))
      """)
    let remove = Part.button(
      visit.gettext("Take it away"), "meter.remove", ["target": own["address"] ?? .null],
      kind: "quiet", then: back(visit), undo: ("meter.put", ["meter": own]),
      asks: visit.gettext(
        "Take {name} away? Its readings until now stay, and no more are fetched.", ["name": name]))
    return Part.card(
      name, id: "chosen", "\(form)<p class=\"actions\">\(remove)\(cancel(visit))</p>")
  }

  /// A meter as it is put, without how it does.
  private static func kept(_ meter: JSONValue) -> JSONValue {
    .object(["address": meter["address"], "resident": meter["resident"], "name": meter["name"]])
  }

  private static func cancel(_ visit: Visit) -> HTML {
    Part.link(visit.gettext("Cancel"), to: back(visit))
  }

  // MARK: What is new

  private static func add(_ address: String, _ visit: Visit) -> HTML {
    let found = visit.answers["devices.nearby"]["found"]?.arrayContent?.first {
      $0["address"]?.stringContent == address
    }
    guard let found, found["isKnown"]?.boolContent == false else { return gone(visit) }
    let resident = visit.chosenResident?["id"] ?? .null
    let name = found["name"]?.stringContent ?? ""
    guard found["isMeter"]?.boolContent != true else {
      return Part.card(
        visit.gettext("Pair a glucose meter"), id: "chosen",
        Part.form(
          "meter.pair", ["meter": ["address": .string(address), "resident": resident]],
          then: back(visit),
          """
          <p>\(visit.gettext("Put the meter into its pairing mode first (see its manual), and keep it near the gateway. It may ask for something: that appears here."))</p>
          \(Part.field(visit.gettext("Name"), "meter.name", name, hint: visit.gettext("As you will know it, such as: the meter in the kitchen."), autocomplete: "off"))
          \(owner("meter", resident.stringContent, visit))
          \(Part.submit(visit.gettext("Pair it")))<p class="actions">\(cancel(visit))</p>
          """))
    }
    let tag: JSONValue = [
      "id": "@new", "resident": resident, "name": .string(name), "kind": "keys",
    ]
    return Part.card(
      visit.gettext("Add a tag"), id: "chosen",
      Part.form(
        "tag.put", ["tag": tag, "identities": found["identities"] ?? []], then: back(visit),
        """
        \(fields(of: tag, visit))
        \(owner("tag", resident.stringContent, visit))
        \(Part.submit(visit.gettext("Add it")))<p class="actions">\(cancel(visit))</p>
        """))
  }

  // MARK: Fields

  private static func fields(of tag: JSONValue, _ visit: Visit) -> HTML {
    let kinds: [(value: String, words: String)] = [
      "keys", "wallet", "companion", "caregiver", "person", "home", "room", "thing",
    ].map { ($0, DeviceWords.words(ofKind: $0, visit)) }
    let usual: (value: String, words: String) = ("", visit.gettext("As is usual for it"))
    let along: [(value: String, words: String)] = [
      usual, ("true", visit.gettext("Yes, tell somebody when it is left at home")),
      ("false", visit.gettext("No")),
    ]
    let away = spans([30, 60, 120, 300, 600, 1800, 3600], seconds: 1, tag["awaySeconds"], visit)
    let silent = spans([12, 24, 48, 168, 672], seconds: 3600, tag["silentHours"], visit)
    return """
      \(Part.field(visit.gettext("Name"), "tag.name", tag["name"]?.stringContent, autocomplete: "off"))
      \(Part.choice(visit.gettext("What it is for"), "tag.kind", kinds, chosen: tag["kind"]?.stringContent))
      \(Part.field(visit.gettext("Which room"), "tag.room", tag["room"]?.stringContent, hint: visit.gettext("Only for a tag that stays in a room."), autocomplete: "off", isRequired: false))
      \(Part.choice(visit.gettext("Goes along outside"), "tag.isTakenAlong", along, chosen: tag["isTakenAlong"]?.boolContent.map { $0 ? "true" : "false" } ?? "", reads: "json"))
      \(Part.choice(visit.gettext("Is too far away when it was not heard for"), "tag.awaySeconds", [usual] + away, chosen: tag["awaySeconds"]?.integerContent.map { "\($0)" } ?? "", reads: "json"))
      \(Part.choice(visit.gettext("Its battery may be empty when it was not heard for"), "tag.silentHours", [usual] + silent, chosen: tag["silentHours"]?.integerContent.map { "\($0)" } ?? "", reads: "json"))
      """
  }

  /// Lengths of time to choose among, with the one that is set where it is another.
  private static func spans(
    _ numbers: [Int64], seconds: Int64, _ own: JSONValue?, _ visit: Visit
  ) -> [(value: String, words: String)] {
    Set(numbers + [own?.integerContent].compactMap { $0 }).sorted().map {
      ("\($0)", visit.span($0 * seconds))
    }
  }

  /// Whose it is to be, where there are several.
  private static func owner(_ what: String, _ resident: String?, _ visit: Visit) -> HTML {
    guard visit.residents.count > 1 else { return .nothing }
    let people: [(value: String, words: String)] = visit.residents.map {
      ($0["id"]?.stringContent ?? "", $0["name"]?.stringContent ?? "–")
    }
    return Part.choice(visit.gettext("Whose it is"), "\(what).resident", people, chosen: resident)
  }
}

/// Looks for what is around, and pairs.
enum NearbyCard {
  static func card(_ visit: Visit) -> HTML {
    let nearby = visit.answers["devices.nearby"]
    let heading = visit.gettext("Add a tag or a meter")
    guard nearby["isUsed"]?.boolContent == true else {
      return Part.card(
        heading,
        Part.empty(
          visit.gettext("This gateway does not use Bluetooth. Whoever keeps it can switch it on.")))
    }
    let isSearching = nearby["search"]?["isGoingOn"]?.boolContent == true
    let isPairing = nearby["pairing"]?["state"]?.stringContent == "going-on"
    let wait: HTML = isSearching || isPairing ? "<span data-waits hidden></span>" : .nothing
    return Part.card(
      heading, id: "nearby",
      """
      <p>\(visit.gettext("Hold the tag close to the gateway, or wake the meter up, and search."))</p>
      \(pairing(nearby, visit))\(isSearching ? progress(nearby["search"] ?? .null, visit) : found(nearby, visit))\(wait)
      <p class="actions">\(isSearching ? .nothing : search(visit))</p>
      """)
  }

  private static func search(_ visit: Visit) -> HTML {
    Part.button(
      visit.gettext("Search"), "device.search", ["target": visit.chosenResident?["id"] ?? .null],
      isFirst: true)
  }

  private static func progress(_ search: JSONValue, _ visit: Visit) -> HTML {
    let (all, left) = (
      search["seconds"]?.integerContent ?? 1, search["secondsLeft"]?.integerContent ?? 0
    )
    let words = visit.gettext("Listening: {n} more seconds.", ["n": left])
    return """
      <p role="status"><progress max="\(all)" value="\(max(0, all - left))" aria-label="\(visit.gettext("How far the search is"))"></progress> \(words)</p>
      """
  }

  private static func found(_ nearby: JSONValue, _ visit: Visit) -> HTML {
    guard nearby["search"] != nil else { return .nothing }
    let lines = (nearby["found"]?.arrayContent ?? []).map { line(of: $0, visit) }
    let changing = Int(nearby["changing"]?.integerContent ?? 0)
    let others: HTML =
      changing == 0
      ? .nothing
      : "<p class=\"soft\">\(visit.ngettext("{n} more device changes its address all the time, as telephones do: it can be no tag.", "{n} more devices change their addresses all the time, as telephones do: they can be no tags.", changing, ["n": changing]))</p>"
    let list: HTML =
      lines.isEmpty
      ? Part.empty(
        visit.gettext(
          "Nothing was heard that could be added. Is its battery full? Press its button, hold it close, and search again."
        )) : Part.list(lines)
    return list + others
  }

  private static func line(of device: JSONValue, _ visit: Visit) -> HTML {
    let isMeter = device["isMeter"]?.boolContent == true
    let address = device["address"]?.stringContent ?? "–"
    let name =
      device["name"]?.stringContent
      ?? (isMeter ? visit.gettext("A glucose meter") : visit.gettext("A device without a name"))
    let distance =
      switch device["rssi"]?.integerContent {
      case nil: visit.gettext("Nobody can say how far")
      case let strength? where strength >= -55: visit.gettext("Very close")
      case let strength? where strength >= -75: visit.gettext("In this room")
      default: visit.gettext("Further away")
      }
    let label = visit.gettext("Add {name}", ["name": name])
    let target = Visit.address(
      "/devices", ["resident": visit.chosenResident?["id"]?.stringContent, "add": address])
    let aside: HTML =
      device["isKnown"]?.boolContent == true
      ? Part.pill(visit.gettext("Known already"), .plain)
      : "<a class=\"button\" href=\"\(target)\" aria-label=\"\(label)\">\(visit.gettext("Add it"))</a>"
    return Part.line(
      isMeter ? Icon.drop : Icon.tag, "<strong>\(name)</strong>", "\(distance), \(address)",
      aside: aside)
  }

  // MARK: Pairing

  private static func pairing(_ nearby: JSONValue, _ visit: Visit) -> HTML {
    let name = nearby["pairing"]?["name"]?.stringContent ?? "–"
    switch nearby["pairing"]?["state"]?.stringContent {
    case "going-on":
      let waiting = visit.gettext("{name} is being paired. Keep it near.", ["name": name])
      return "<p role=\"status\"><strong>\(waiting)</strong></p>\(question(nearby, visit))"
    case "done":
      return
        "<p class=\"said\" role=\"status\">\(visit.gettext("{name} is paired. Its readings are fetched whenever it wakes.", ["name": name]))</p>"
    case "failed":
      let why = nearby["pairing"]?["why"]?.stringContent ?? ""
      return
        "<p class=\"fault\" role=\"alert\">\(visit.gettext("{name} could not be paired.", ["name": name])) \(why)</p>"
    default: return .nothing
    }
  }

  private static func question(_ nearby: JSONValue, _ visit: Visit) -> HTML {
    guard let question = nearby["question"] else { return .nothing }
    let digits = String(question["number"]?.integerContent ?? 0)
    let number = String(repeating: "0", count: max(0, 6 - digits.count)) + digits
    let members: JSONValue = [
      "target": question["address"] ?? .null, "resident": visit.chosenResident?["id"] ?? .null,
    ]
    switch question["kind"]?.stringContent {
    case "passkey":
      return Part.form(
        "meter.answer", members,
        """
        \(Part.field(visit.gettext("The six digits that the meter shows"), "passkey", autocomplete: "off", reads: "number", more: " inputmode=\"numeric\" pattern=\"[0-9]{1,6}\" maxlength=\"6\""))
        \(Part.submit(visit.gettext("Go on")))
        """)
    case "confirmation":
      return """
        <p>\(visit.gettext("Does the meter show this number?")) <strong class="code">\(number)</strong></p>
        <p class="actions">\(Part.button(visit.gettext("Yes"), "meter.answer", members.setting("isSame", to: true), isFirst: true))\(Part.button(visit.gettext("No"), "meter.answer", members.setting("isSame", to: false)))</p>
        """
    default:
      return
        "<p>\(visit.gettext("Type this number in on the meter:")) <strong class=\"code\">\(number)</strong></p>"
    }
  }
}

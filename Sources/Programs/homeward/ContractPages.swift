import Care
import Core
import Door
import JSON

/// What a plugin can be told and can ask for, as pages for whoever writes one: made from what the gateway declares.
enum ContractPages {
  // MARK: Events

  /// All types of events, in Markdown.
  static func events() -> String {
    let groups = Dictionary(grouping: GatewayCore.events) { group(of: $0.type) }
    var page = """
      # Events

      Made from what the gateway declares by `homeward plugin events`; `homeward plugin events --json` is the same as JSON Schema.

      Each event is a CloudEvent 1.0 in JSON with the extensions `lane`, `timequality`, `bootid` and `tick` (nanoseconds since the
      boot, as a text). The subject is `resident/<id>` or `gateway`. What stands below is in `data`. A member with `?`
      may be absent or null, and one that takes a grant is absent without it, whatever the schema requires of a whole event; a later
      gateway may send more types, and more members. Times are ISO 8601; units stand at the end of names. What
      guardians alone may know travels in `alarm.notify` and is handed out in no lane, as `alarm.duress`: plugins see that alarm end.

      The column *takes* names the grant without which a plugin does not see a member; `position`: near a home the position of its
      displaced centre, and exact with `position.precise` alone; `alarm`: what the kind of the alarm takes (`position.precise` for
      `zone`, `position` and `lost`, `health` for `glucose` and `medicine`, nothing for the others); `record`: what a member of that
      record takes; `fault`: `contacts` where `namesPeople` is true.

      """
    for (name, events) in groups.sorted(by: { $0.key < $1.key }) {
      page += section(name, events.sorted { $0.type.rawValue < $1.type.rawValue })
    }
    return page
  }

  private static func group(of type: EventType) -> String {
    String(type.rawValue.prefix { $0 != "." })
  }

  private static func section(_ name: String, _ events: [EventDeclaration]) -> String {
    let shared = events.count == 1 ? [] : self.shared(by: events)
    var section = "\n## \(name)\n\n| type | lane | subject | means |\n| --- | --- | --- | --- |\n"
    for event in events {
      let lanes = event.lanes.map { "`\($0.rawValue)`" }.joined(separator: ", ")
      section +=
        "| `\(event.type.rawValue)` | \(lanes) | \(words(event.subject)) | \(cell(event.words)) |\n"
    }
    if !shared.isEmpty { section += "\nEach of them has:\n\n\(table(shared))" }
    for event in events {
      let own = event.facts.filter { fact in !shared.contains(fact) }
      if !own.isEmpty { section += "\n`\(event.type.rawValue)`:\n\n\(table(own))" }
    }
    return section
  }

  private static func shared(by events: [EventDeclaration]) -> [EventFact] {
    guard let first = events.first else { return [] }
    return first.facts.filter { fact in events.allSatisfy { $0.facts.contains(fact) } }
  }

  private static func words(_ subject: EventDeclaration.Subject) -> String {
    switch subject {
    case .resident: "resident"
    case .gateway: "gateway"
    case .either: "resident or gateway"
    }
  }

  private static func table(_ facts: [EventFact]) -> String {
    let rows = facts.map { fact in
      let name = fact.isOptional ? "`\(fact.name)`?" : "`\(fact.name)`"
      return
        "| \(name) | \(looks(fact.shape)) | \(takes(fact.disclosure)) | \(cell(fact.words)) |\n"
    }
    return "| member | looks | takes | means |\n| --- | --- | --- | --- |\n" + rows.joined()
  }

  private static func takes(_ disclosure: Disclosure) -> String {
    switch disclosure {
    case .plain, .members: ""
    case .kinds(let kinds):
      kinds.map { $0 == .position ? "`position.precise`" : "`\($0.rawValue)`" }.sorted()
        .joined(separator: ", ")
    case .coordinate, .measure: "position"
    case .alarmSentence(let namesGuardians): namesGuardians ? "alarm, `contacts`" : "alarm"
    case .faultSentence: "fault"
    case .settingValue: "`messages` for a text"
    case .record: "record"
    case .never: "never told"
    }
  }

  // MARK: Requests

  /// All questions and commands, in Markdown.
  static func requests() -> String {
    var page = """
      # Questions and commands

      Made from what the gateway declares by `homeward plugin requests`; `homeward openapi` is the same as OpenAPI, for what
      accounts may.

      ## Questions

      A plugin asks by `request`; it needs every grant that stands beside the question.

      | question | grants | parameters |
      | --- | --- | --- |

      """
    let questions = Route.all.filter(\.isForPlugins).sorted { $0.name < $1.name }
    for route in questions {
      let grants = route.needs.map { "`read:\($0.rawValue)`" }.sorted().joined(separator: ", ")
      page += "| `\(route.name)` | \(grants) | \(listed(route.parameters)) |\n"
    }
    page += """

      ### Answers

      Each is the `result`; without a member whose kind the plugin was not granted.

      | question | answer |
      | --- | --- |

      """
    for route in questions { page += "| `\(route.name)` | \(looks(route.gives)) |\n" }
    page += """

      ## Commands

      A plugin hands one in by `command`, with the grant `command:<action>`. Those that only whoever keeps the gateway may give are
      not here.

      | action | members |
      | --- | --- |

      """
    for rule in CommandRule.ofPeople.sorted(by: { $0.action < $1.action }) {
      page += "| `\(rule.action)` | \(listed(rule.takes)) |\n"
    }
    page += "\n## Records\n\nWhat some of the above hold; a name with `?` may be absent.\n"
    let members =
      questions.flatMap(\.parameters)
      + CommandRule.ofPeople.flatMap(\.takes)
    let shapes = members.map(\.shape) + questions.map(\.gives)
    for (name, inner) in named(in: shapes).sorted(by: { $0.key < $1.key }) {
      page += "\n### \(name)\n\n\(listed(inner))\n"
    }
    return page
  }

  /// What some members are called, and how they look.
  static func listed(_ members: [JSONShape.Member]) -> String {
    members.map { "`\($0.name)`\($0.isOptional ? "?" : "") \(looks($0.shape))" }
      .joined(separator: " · ")
  }

  /// The objects with a name in some shapes, by these.
  private static func named(in shapes: [JSONShape]) -> [String: [JSONShape.Member]] {
    shapes.reduce(into: [:]) { all, shape in
      switch shape {
      case .list(let element): all.merge(named(in: [element])) { first, _ in first }
      case .either(let shapes): all.merge(named(in: shapes)) { first, _ in first }
      case .object(let name, let members):
        if let name { all[name] = members }
        all.merge(named(in: members.map(\.shape))) { first, _ in first }
      case .text, .words, .whole, .number, .flag, .null, .anything: break
      }
    }
  }

  // MARK: Words

  /// How a shape looks, in words.
  static func looks(_ shape: JSONShape) -> String {
    switch shape {
    case .text(let writing):
      shape == .text ? "text" : "text such as `\(cell(writing.example))`"
    case .words(let words): words.map { "`\($0)`" }.joined(separator: ", ")
    case .whole(let range?) where range.upperBound < 1 << 53:
      "whole number, \(range.lowerBound) through \(range.upperBound)"
    case .whole: "whole number"
    case .number(let range?): "number, \(range.lowerBound.plain) through \(range.upperBound.plain)"
    case .number: "number"
    case .flag: "true or false"
    case .list(let element): "list: \(looks(element))"
    case .object(let name?, _): name
    case .object(nil, let inner): "object (\(listed(inner)))"
    case .either(let shapes): shapes.map(looks).joined(separator: " or ")
    case .null: "null"
    case .anything: "anything"
    }
  }

  /// A text in a cell of a table.
  private static func cell(_ text: String) -> String {
    text.split(separator: "|", omittingEmptySubsequences: false).joined(separator: "\\|")
  }

  // MARK: JSON Schema

  /// All types of events as JSON Schema: an object for each below `$defs`.
  static func eventSchema() -> JSONValue {
    let events = GatewayCore.events.sorted { $0.type.rawValue < $1.type.rawValue }
    return [
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "title": "Events of Homeward", "version": .string(Release.version),
      "$defs": .object(
        events.map { event in
          JSONMember(
            key: event.type.rawValue,
            value: event.facts.shape.schema.setting("description", to: .string(event.words))
              .setting("lanes", to: .array(event.lanes.map { .string($0.rawValue) })))
        }),
    ]
  }
}

extension Double {
  /// As people write it, without a fraction where there is none.
  fileprivate var plain: String {
    self == rounded() && abs(self) < 1e15 ? String(Int64(self)) : String(self)
  }
}

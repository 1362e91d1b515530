import Accounts
import Bytes
import Care
import Door
import GlucoseValues
import Guidance
import JSON
import Profiles
import Reports
import Testing

/// What each command says that it takes is what is read, no more and no less.
@Suite("What commands take") struct CommandShapeTests {
  @Test("What is made as a command says is read", arguments: CommandRule.all.map(\.action))
  func whole(action: String) throws {
    let rule = try #require(CommandRule.of(action))
    for members in Samples.of(rule.takes) {
      let read = try Self.read(action, members)
      #expect(read["action"] == .string(action))
      let own = JSONValue.object((read.objectContent ?? []).filter { $0.key != "action" })
      #expect(own.undeclared(by: .object(rule.takes)).isEmpty, "\(action): \(own.serialized)")
    }
  }

  @Test("What lacks something, or has it of another kind, is refused")
  func broken() throws {
    var count = 0
    for rule in CommandRule.all {
      // The gateway takes an account's secrets out of a request before the engine reads it.
      let read = rule.takes.filter { !rule.action.hasPrefix("account.") || !$0.isSecret }
      for members in Samples.broken(read) {
        count += 1
        #expect(throws: DecodeError.self, "\(rule.action): \(members.serialized)") {
          try Self.read(rule.action, members)
        }
      }
    }
    #expect(count > 300)
  }

  @Test("What nobody may keep is declared as a secret wherever it stands")
  func secrets() {
    #expect(
      CommandRule.secrets == [
        "password", "newPassword", "answers", "pin", "code", "redirect", "next", "state", "binding",
      ])
    for rule in CommandRule.all where rule.action.hasPrefix("account.") {
      for member in rule.takes where CommandRule.secrets.contains(member.name) {
        #expect(member.isSecret, "\(rule.action): \(member.name)")
      }
    }
    for member in CommandRule.all.flatMap(\.takes) where member.isSecret {
      #expect(member.schema["writeOnly"] == true, "\(member.name)")
    }
  }

  /// Reads a request to its last part, and writes it again.
  private static func read(_ action: String, _ members: JSONValue) throws -> JSONValue {
    let request = try Command.Request(json: members.setting("action", to: .string(action)))
    if let own = try AccountRequest(request) { return own.json }
    if let own = try GlucoseRequest(request) { return own.json }
    if let own = try GuidanceRequest(request) { return own.json }
    if let own = try ProfileRequest(request) { return own.json }
    if let own = try ReportOrderRequest(request) { return own.json }
    return request.json
  }
}

/// Values of a shape, right ones and wrong ones.
private enum Samples {
  /// What no shape says: what has to fit together.
  private static let known: [String: [JSONValue]] = [
    "Polygon": [
      [
        "type": "Polygon",
        "coordinates": [[[10, 60], [10.01, 60], [10.01, 60.01], [10, 60]]],
      ]
    ],
    "HomeGoal": [["home": true]],
    "TagThresholds": [["nearEnter": -60, "nearLeave": -70, "roomEnter": -80, "roomLeave": -90]],
    "SafeZone": [
      [
        "id": "home", "resident": "mary", "name": "Home",
        "center": ["latitude": 60, "longitude": 10], "radiusMeters": 100,
      ],
      [
        "id": "home", "resident": "mary", "name": "Home", "exitMarginMeters": 20, "isHome": true,
        "alarmOnLeaving": true, "hours": "22:00-07:00",
        "border": [
          "type": "Polygon",
          "coordinates": [[[10, 60], [10.01, 60], [10.01, 60.01], [10, 60]]],
        ],
      ],
    ],
    "Absence": [
      [
        "id": "club", "resident": "mary", "name": "Club", "days": ["MO"], "from": "09:00",
        "until": "16:00", "graceMinutes": 10, "zone": "club",
      ],
      [
        "id": "club", "resident": "mary", "name": "Club", "on": "2026-12-24", "from": "09:00",
        "until": "16:00",
      ],
    ],
  ]

  /// Objects with these members: once all, once those that have to be there, and each word once.
  static func of(_ members: [JSONShape.Member], named name: String? = nil) -> [JSONValue] {
    if let name, let known = known[name] { return known }
    let some = members.filter { !$0.isOptional }
    var all = [object(some), object(members)]
    for member in members {
      for value in values(of: member.shape).dropFirst() {
        all.append(object(members).setting(member.name, to: value))
      }
    }
    return all
  }

  private static func object(_ members: [JSONShape.Member]) -> JSONValue {
    .object(members.map { JSONMember(key: $0.name, value: values(of: $0.shape).first ?? .null) })
  }

  private static func values(of shape: JSONShape) -> [JSONValue] {
    switch shape {
    case .text(let writing): [.string(writing.example)]
    case .words(let words): words.map { .string($0) }
    case .whole(let range): [.integer(range?.lowerBound ?? 5)]
    case .number(let range): [.number(range?.lowerBound ?? 1.5)]
    case .flag: [true, false]
    case .null: [.null]
    case .anything: [7]
    case .list(let element): [.array(values(of: element))]
    case .object(let name, let members): of(members, named: name).reversed()
    case .either(let shapes): shapes.flatMap { values(of: $0) }
    }
  }

  /// Objects with these members, of which one is missing or of another kind.
  static func broken(_ members: [JSONShape.Member], named name: String? = nil) -> [JSONValue] {
    guard let right = of(members, named: name).last else { return [] }
    return members.flatMap { member -> [JSONValue] in
      var found: [JSONValue] = []
      if !member.isOptional {
        found.append(.object((right.objectContent ?? []).filter { $0.key != member.name }))
      }
      // What a polygon lies in is not read of it.
      guard right[member.name] != nil, member.shape != .anything else { return found }
      found.append(right.setting(member.name, to: member.shape == .flag ? "no" : false))
      switch member.shape {
      case .words: found.append(right.setting(member.name, to: "nonsense"))
      case .object(let name, let inner):
        found += broken(inner, named: name).map { right.setting(member.name, to: $0) }
      default: break
      }
      return found
    }
  }
}

extension JSONValue {
  /// The members, at any depth, of which a shape does not speak.
  fileprivate func undeclared(by shape: JSONShape) -> Set<String> {
    switch shape {
    case .object(_, let members):
      var names: Set<String> = []
      for part in objectContent ?? [] {
        guard let member = members.first(where: { $0.name == part.key }) else {
          names.insert(part.key)
          continue
        }
        names.formUnion(part.value.undeclared(by: member.shape))
      }
      return names
    case .list(let element):
      return (arrayContent ?? []).reduce(into: []) { $0.formUnion($1.undeclared(by: element)) }
    case .either(let shapes):
      return shapes.map { undeclared(by: $0) }.min { $0.count < $1.count } ?? []
    case .text, .words, .whole, .number, .flag, .null, .anything: return []
    }
  }
}

import Care
import JSON

/// Reads the members of a manifest, each fault with its place and what to write instead.
struct ManifestReader {
  private let json: JSONValue

  private static let known = [
    "name", "version", "protocol", "command", "description", "licence", "lanes", "types", "offers",
    "grants", "loopback", "consents", "settings",
  ]

  /// Where a gateway's own services answer without a password: positions from gpsd, and what is measured of the gateway.
  /// Only the owner opens them to a plugin.
  private static let closedPorts: Set<Int64> = [2947, 8473]

  /// Everything that is wrong, each member by itself.
  static func faults(in json: JSONValue) -> [ManifestError] {
    guard let members = json.objectContent else {
      return [ManifestError("", "the file must hold one object, { … }")]
    }
    let reader = ManifestReader(members: json)
    var faults = members.filter { !known.contains($0.key) }.map { unknown($0.key) }
    func check(_ read: () throws(ManifestError) -> Void) {
      do throws(ManifestError) { try read() } catch {
        if !faults.contains(error) { faults.append(error) }
      }
    }
    check { () throws(ManifestError) in _ = try reader.pluginName() }
    check { () throws(ManifestError) in _ = try reader.version() }
    check { () throws(ManifestError) in _ = try reader.protocolVersions() }
    check { () throws(ManifestError) in _ = try reader.command() }
    check { () throws(ManifestError) in _ = try reader.text("description") }
    check { () throws(ManifestError) in _ = try reader.text("licence") }
    check { () throws(ManifestError) in _ = try reader.lanes() }
    check { () throws(ManifestError) in _ = try reader.types() }
    check { () throws(ManifestError) in _ = try reader.offers() }
    check { () throws(ManifestError) in _ = try reader.grants() }
    check { () throws(ManifestError) in _ = try reader.loopback() }
    let schema = json["settings"] ?? .object([])
    let unfit = SettingsSchema.faults(in: schema)
    if unfit.isEmpty, let settings = try? SettingsSchema(json: schema) {
      check { () throws(ManifestError) in _ = try reader.consents(settings) }
    }
    return faults + unfit
  }

  private static func unknown(_ member: String) -> ManifestError {
    ManifestError(member, "is not known; known are \(known.joined(separator: ", "))")
  }

  private init(members json: JSONValue) { self.json = json }

  init(_ json: JSONValue) throws(ManifestError) {
    guard let members = json.objectContent else {
      throw ManifestError("", "the file must hold one object, { … }")
    }
    for member in members where !Self.known.contains(member.key) {
      throw Self.unknown(member.key)
    }
    self.json = json
  }

  func text(_ member: String) throws(ManifestError) -> String {
    guard let text = json[member]?.stringContent, !text.isEmpty, text.count <= 500 else {
      throw ManifestError(member, "write a text of 1 through 500 characters")
    }
    return text
  }

  func pluginName() throws(ManifestError) -> String {
    let name = try text("name")
    let isWord = name.utf8.allSatisfy { byte in
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || Self.isDigit(byte)
        || byte == UInt8(ascii: "-")
    }
    guard isWord, name.utf8.count <= 32, name.utf8.first.map(Self.isDigit) == false,
      !name.hasPrefix("-")
    else {
      throw ManifestError(
        "name", "write 1 through 32 lower-case letters, digits and hyphens, first a letter")
    }
    return name
  }

  func version() throws(ManifestError) -> String {
    let version = try text("version")
    let parts = version.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, parts.allSatisfy({ (1...9).contains($0.utf8.count) }),
      parts.allSatisfy({ $0.utf8.allSatisfy(Self.isDigit) })
    else { throw ManifestError("version", "write MAJOR.MINOR.PATCH, such as 1.0.0") }
    return version
  }

  func protocolVersions() throws(ManifestError) -> [Int] {
    guard let elements = json["protocol"]?.arrayContent, !elements.isEmpty else {
      throw ManifestError("protocol", "list the protocol versions that the plugin speaks: [1]")
    }
    var versions: [Int] = []
    for (index, element) in elements.enumerated() {
      guard let number = element.integerContent, (1...1000).contains(number) else {
        throw ManifestError("protocol[\(index)]", "write a whole number from 1")
      }
      versions.append(Int(number))
    }
    return versions
  }

  func command() throws(ManifestError) -> [String] {
    let words = try texts("command", isRequired: true)
    guard let program = words.first, !words.contains(where: { $0.utf8.contains(0) }) else {
      throw ManifestError("command", "list the program and its arguments: [\"./run.py\"]")
    }
    let isBare = !program.contains("/")
    let isInFolder =
      program.hasPrefix("./") && !program.split(separator: "/").contains("..")
    guard !program.isEmpty, isBare || isInFolder else {
      throw ManifestError(
        "command[0]", "write ./program for a file of the folder, or a bare name found in PATH")
    }
    return words
  }

  func lanes() throws(ManifestError) -> [Lane] {
    var lanes: [Lane] = []
    for (index, word) in try texts("lanes").enumerated() {
      guard let lane = Lane(rawValue: word), !lanes.contains(lane) else {
        throw ManifestError("lanes[\(index)]", "write alarm, record or trace, each once")
      }
      lanes.append(lane)
    }
    return lanes.sorted()
  }

  func types() throws(ManifestError) -> [String] {
    let types = try texts("types")
    for (index, type) in types.enumerated()
    where type != "*" && (type.isEmpty || type.contains("*") || type.hasSuffix(".")) {
      throw ManifestError(
        "types[\(index)]", "write a type such as zone.left, a word such as zone, or \"*\" for all")
    }
    if try !lanes().isEmpty, types.isEmpty {
      throw ManifestError("types", "a plugin with lanes says which types; [\"*\"] for all")
    }
    return types
  }

  func offers() throws(ManifestError) -> [String] {
    let offers = try texts("offers")
    for (index, offer) in offers.enumerated() where Grant(rawValue: "service:\(offer)") == nil {
      throw ManifestError(
        "offers[\(index)]", "write lower-case letters, digits, dots and hyphens")
    }
    return offers
  }

  func grants() throws(ManifestError) -> Set<Grant> {
    var grants: Set<Grant> = []
    let words = try texts("grants")
    for (index, word) in words.enumerated() {
      guard let grant = Grant(rawValue: word) else {
        throw ManifestError(
          "grants[\(index)]",
          "write network, bus.system, contacts, health, messages, notes, places, position.precise, content.personal, read:<kind>, observe:<kind>, command:<action> or service:<name>"
        )
      }
      guard grant != .everyCommand || words.contains(Grant.accounts.rawValue) else {
        throw ManifestError(
          "grants[\(index)]",
          "write command:<action> for each command; all that people may do is asked for only with accounts"
        )
      }
      grants.insert(grant)
    }
    return grants
  }

  func loopback() throws(ManifestError) -> [UInt16] {
    guard let content = json["loopback"] else { return [] }
    guard let elements = content.arrayContent, elements.count <= 16 else {
      throw ManifestError("loopback", "write a list of at most 16 ports: [1883]")
    }
    var ports: [UInt16] = []
    for (index, element) in elements.enumerated() {
      guard let number = element.integerContent, let port = UInt16(exactly: number), port > 0 else {
        throw ManifestError("loopback[\(index)]", "write a whole number from 1 to 65535")
      }
      guard !Self.closedPorts.contains(number) else {
        throw ManifestError(
          "loopback[\(index)]", "leave out \(port): only the owner's configuration opens it")
      }
      ports.append(port)
    }
    return ports
  }

  func consents(_ settings: SettingsSchema) throws(ManifestError) -> [ConsentNeed] {
    guard let content = json["consents"] else { return [] }
    guard let elements = content.arrayContent, elements.count <= 16 else {
      throw ManifestError(
        "consents",
        #"write a list such as [{"kind": "microphone", "resident": "target", "switch": "enabled"}]"#
      )
    }
    var needs: [ConsentNeed] = []
    for (index, element) in elements.enumerated() {
      let place = "consents[\(index)]"
      if let extra = element.objectContent?.first(where: {
        !["kind", "resident", "switch"].contains($0.key)
      }) {
        throw ManifestError(
          "\(place).\(extra.key)", "is not known; known are kind, resident, switch")
      }
      guard let kind = element["kind"]?.stringContent.flatMap(ConsentKind.init) else {
        let known = ConsentKind.allCases.map(\.rawValue).joined(separator: ", ")
        throw ManifestError("\(place).kind", "write one of \(known)")
      }
      needs.append(
        ConsentNeed(
          kind: kind,
          residentSetting: try setting("resident", .string, of: element, at: place, in: settings),
          switchSetting: try setting("switch", .boolean, of: element, at: place, in: settings)))
    }
    return needs
  }

  /// The name of a setting of a type that the schema has.
  private func setting(
    _ member: String, _ type: SchemaNode.Kind, of need: JSONValue, at place: String,
    in settings: SettingsSchema
  ) throws(ManifestError) -> String {
    guard let name = need[member]?.stringContent, settings.type(of: name) == type else {
      throw ManifestError(
        "\(place).\(member)", "write the name of a setting of type \(type.rawValue)")
    }
    return name
  }

  private func texts(_ member: String, isRequired: Bool = false) throws(ManifestError) -> [String] {
    guard let content = json[member] else {
      if isRequired { throw ManifestError(member, "is missing; write a list of texts") }
      return []
    }
    guard let elements = content.arrayContent, elements.count <= 200 else {
      throw ManifestError(member, "write a list of at most 200 texts")
    }
    var texts: [String] = []
    for (index, element) in elements.enumerated() {
      guard let text = element.stringContent else {
        throw ManifestError("\(member)[\(index)]", "write a text in quotation marks")
      }
      texts.append(text)
    }
    return texts
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}

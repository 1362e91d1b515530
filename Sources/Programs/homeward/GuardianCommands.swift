import Bytes
import Care
import ControlSocket
import Door
import JSON
import PhoneNumbers

/// `homeward guardians …`.
enum GuardianCommands {
  static let all = [list, add, edit, remove]

  private static let list: CommandSpecification = .init(
    path: ["guardians"], summary: gettext("Who is told when a resident is in danger"),
    discussion: gettext("TIER 1 is told at once, 2 and 3 when nobody before took charge in time."),
    options: [Session.residentOption],
    examples: [
      Example("homeward guardians --resident mary", gettext("Mary's guardians, in their order."))
    ]
  ) { session throws(CommandFailure) in
    let answer = try session.guardiansAnswer(of: session.optionalResidentID())
    try session.show(answer) { answer throws(DecodeError) in
      let guardians: [Guardian] = try session.decoded(answer)
      if guardians.isEmpty {
        return gettext(
          "No guardian yet: nobody would be told. Add one: homeward guardians add --help\n")
      }
      var table = Table([
        gettext("ID"), gettext("NAME"), gettext("RESIDENT"), gettext("TIER"), gettext("CAREGIVER"),
        gettext("REACHED BY"),
      ])
      for (guardian, told) in zip(guardians, answer.arrayContent ?? []) {
        table.add([
          guardian.id.rawValue, guardian.name, guardian.resident.rawValue, String(guardian.tier),
          guardian.isCaregiver ? gettext("yes") : "-",
          ReachText.ways(told, session.times) ?? ways(to: guardian),
        ])
      }
      return table.text
    }
  }

  private static func ways(to guardian: Guardian) -> String {
    let ways = guardian.addresses.map { "\($0.channel.rawValue) \($0.address)" }
    return ways.isEmpty
      ? gettext("nothing: add --phone, --email or --push") : ways.joined(separator: ", ")
  }

  private static let options: [OptionSpecification] = [
    .option("name", "NAME", gettext("The name as people write it, in any script; spoken aloud")),
    .option(
      "phone", "NUMBER",
      gettext("Telephone, for texts and calls: +47 912 34 567, or as in the country")),
    .option("email", "ADDRESS", gettext("E-mail address")),
    .option("push", "ADDRESS", gettext("Address for push messages, as the push plugin reads it")),
    .option("tier", "1|2|3", gettext("When the guardian is told; 1, at once, unless set")),
    .repeatable(
      "without", "WAY", gettext("Never by this way though known: sms, voice, email or push")),
    .flag("caregiver", gettext("Is in the house and may resolve alarms")),
    .option(
      "language", "en|zh", gettext("The language of what they are told; the resident's unless set")),
  ]

  private static let add: CommandSpecification = .init(
    path: ["guardians", "add"],
    summary: gettext("Adds somebody to be told; at most five a resident"),
    discussion: gettext(
      """
      A number without + is one of the resident's country: homeward settings set country NO
      Then try it: homeward alarm test
      """),
    options: options + [
      Session.residentOption,
      .option(
        "id", "ID",
        gettext("Lower-case letters, digits and hyphens, instead of one made from the name")),
    ],
    examples: [
      Example(
        "homeward guardians add --name Anna --phone \"+47 912 34 567\" --email anna@example.org",
        gettext("Anna is told by text, call and e-mail at once.")),
      Example(
        "homeward guardians add --name Tom --phone 41234567 --tier 2 --without voice",
        gettext("Tom gets a text when Anna does not answer.")),
    ]
  ) { session throws(CommandFailure) in
    guard let name = session.arguments.option("name") else {
      throw .usage(gettext("say the name: --name NAME"), add)
    }
    let resident = try session.resident()
    let taken = try session.guardians().map(\.id.rawValue)
    let id = session.arguments.option("id") ?? Slug.make(from: name, besides: taken)
    if taken.contains(id) {
      throw CommandFailure(
        .refused, gettext("there is a guardian \"{id}\" already.", ["id": id]),
        hint: gettext("Change them: homeward guardians edit {id} --help", ["id": id]))
    }
    let guardian = try changed(
      Guardian(id: GuardianID(id), resident: resident.id, name: name), by: session.arguments, add)
    guard guardian.phone != nil || guardian.email != nil || guardian.push != nil else {
      throw .usage(
        gettext(
          "say how to reach {name}: --phone NUMBER, --email or --push ADDRESS.", ["name": name]),
        add)
    }
    try session.put(
      .putGuardian(guardian), id: id,
      gettext(
        "Added {name} as {id}, a guardian of {resident}. Try it: homeward alarm test",
        ["name": name, "id": id, "resident": resident.name]))
  }

  private static let edit: CommandSpecification = .init(
    path: ["guardians", "edit"], summary: gettext("Changes a guardian; what is not named stays"),
    operands: [OperandSpecification(name: "GUARDIAN", help: gettext("Id or name of the guardian"))],
    options: options + [
      .flag("no-caregiver", gettext("May not resolve alarms any more")),
      .flag("with-all", gettext("By every way that is known; undoes --without")),
    ],
    examples: [
      Example("homeward guardians edit anna --phone \"+47 987 65 432\"", gettext("A new number.")),
      Example(
        "homeward guardians edit tom --email \"\" --tier 1", gettext("No e-mail; told at once.")),
    ]
  ) { session throws(CommandFailure) in
    let known = try session.chooseGuardian(
      session.arguments.operands[0], among: session.guardians())
    let guardian = try changed(known, by: session.arguments, edit)
    guard guardian != known else {
      throw .usage(gettext("say what to change, such as --phone NUMBER."), edit)
    }
    try session.put(
      .putGuardian(guardian), id: guardian.id.rawValue,
      gettext("Changed {name}.", ["name": guardian.name]))
  }

  private static let remove: CommandSpecification = .init(
    path: ["guardians", "remove"],
    summary: gettext("Removes a guardian, who is told nothing any more"),
    operands: [OperandSpecification(name: "GUARDIAN", help: gettext("Id or name of the guardian"))],
    examples: [
      Example("homeward guardians remove tom", gettext("Tom is told nothing from now on."))
    ]
  ) { session throws(CommandFailure) in
    let guardian = try session.chooseGuardian(
      session.arguments.operands[0], among: session.guardians())
    try session.put(
      .removeGuardian(guardian.id), id: guardian.id.rawValue,
      gettext("Removed {name}.", ["name": guardian.name]))
  }

  /// The guardian with what the options say; an empty text takes an address away.
  private static func changed(
    _ known: Guardian, by arguments: ParsedArguments, _ command: CommandSpecification
  ) throws(CommandFailure) -> Guardian {
    var guardian = known
    if let name = arguments.option("name") { guardian.name = name }
    if let phone = arguments.option("phone") { guardian.phone = phone.isEmpty ? nil : phone }
    if let email = arguments.option("email") { guardian.email = email.isEmpty ? nil : email }
    if let push = arguments.option("push") { guardian.push = push.isEmpty ? nil : push }
    if let text = arguments.option("tier") {
      guard let tier = Int(text), (1...3).contains(tier) else {
        throw .usage(gettext("--tier must be 1, 2 or 3, not \"{text}\".", ["text": text]), command)
      }
      guardian.tier = tier
    }
    if arguments.has("with-all") { guardian.withoutChannels = [] }
    if let tag = arguments.option("language") {
      guard tag.isEmpty || ResidentGuide.languages.contains(tag) else {
        throw .usage(
          gettext("--language must be en or zh, not \"{language}\".", ["language": tag]), command)
      }
      guardian.language = tag.isEmpty ? nil : tag
    }
    for word in arguments.all("without") {
      guard let channel = Guardian.Channel(rawValue: word) else {
        throw .usage(
          gettext("--without must be sms, voice, email or push, not \"{word}\".", ["word": word]),
          command)
      }
      guardian.withoutChannels.insert(channel)
    }
    if arguments.has("caregiver"), arguments.has("no-caregiver") {
      throw .usage(gettext("--caregiver and --no-caregiver contradict each other."), command)
    }
    if arguments.has("caregiver") { guardian.isCaregiver = true }
    if arguments.has("no-caregiver") { guardian.isCaregiver = false }
    return guardian
  }
}

/// Finds the guardian that somebody means.
extension Session {
  /// What the daemon says of the guardians of one resident, or of all.
  func guardiansAnswer(of resident: ResidentID? = nil) throws(CommandFailure) -> JSONValue {
    try call(.guardiansList, .object(["resident": resident.map { .string($0.rawValue) }]))
  }

  /// All guardians.
  func guardians() throws(CommandFailure) -> [Guardian] {
    try list(guardiansAnswer(), of: Guardian.self)
  }

  /// A guardian by id, name or telephone number.
  func chooseGuardian(
    _ wanted: String, among guardians: [Guardian]
  ) throws(CommandFailure) -> Guardian {
    if let exact = guardians.first(where: { $0.id.rawValue == wanted }) { return exact }
    let named = guardians.filter { $0.name.lowercased() == wanted.lowercased() }
    if named.count == 1, let only = named.first { return only }
    if let number = try? PhoneNumber(validating: wanted, country: "") {
      let reached = guardians.filter { $0.phone == number.e164 }
      if reached.count == 1, let only = reached.first { return only }
    }
    let known = guardians.map { "\($0.id) (\(TextWidth.printable($0.name)))" }
    let problem = named.count > 1 ? gettext("are several guardians") : gettext("is no guardian")
    throw CommandFailure(
      .refused, gettext("there {problem} \"{wanted}\".", ["problem": problem, "wanted": wanted]),
      hint: known.isEmpty
        ? gettext("There is none yet: homeward guardians add --help")
        : gettext("There are: {known}", ["known": known.joined(separator: ", ")]))
  }
}

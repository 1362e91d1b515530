import Advertisements
import BluetoothKeys
import Bytes
import Care
import JSON
import Texts

/// `homeward decode advertisement`.
enum DecodeAdvertisement {
  static let kind = DecodedKind(
    name: "advertisement",
    summary: gettext("Reads what a Bluetooth tag, beacon or button sends into the air"),
    discussion: gettext(
      """
      HEX is a whole event of a Bluetooth controller (04 3e …), as "btmon" shows it, or bare
      structures of an advertisement (02 01 06 …). What can be read is printed; a fault is told with
      its byte, and the exit code is 1.
      """),
    options: [
      .option(
        "identity", "IDENTITY",
        gettext("A known tag, such as irk:… or bthome:…: say whether this is it, and open it")),
      .option(
        "from", "ADDRESS", gettext("Who sent bare structures; an event tells it by itself")),
    ],
    examples: [
      Example(
        "homeward decode advertisement 02010606 16d2fc403a02",
        gettext("A button that was pressed twice.")),
      Example(
        "homeward decode advertisement 02010606 16d2fc403a02 --json",
        gettext("The same for programs.")),
      Example(
        "homeward decode advertisement 1216d2fc41e445f3c9962b332211006c7c4519 "
          + "--from 54:48:E6:8F:80:A5 "
          + "--identity bthome:54:48:E6:8F:80:A5:231d39c1d7cc1ab1aee224cd096db932",
        gettext("A sealed thermometer, opened with its key.")),
    ], decode: decode)

  @Sendable
  private static func decode(
    _ bytes: [UInt8], _ session: Session
  ) throws(CommandFailure) -> Result<DecodedKind.Outcome, ByteFault> {
    let identity = try identity(session)
    let sender = try sender(session)
    guard AdvertisingEvent.isEvent(bytes) else {
      let data = AdvertisingData(bytes)
      let matches = matches(data, sender, identity)
      return outcome(
        data.json.adding(matches), Self.text(data) + text(matches),
        data.fault ?? AdvertisementReading(data).faults.first, isEmpty: data.structures.isEmpty)
    }
    let event = AdvertisingEvent(bytes)
    var text = ""
    var reports: [JSONValue] = []
    for report in event.reports {
      let matches = matches(report.data, report.address ?? sender, identity)
      text += head(report) + Self.text(report.data) + self.text(matches)
      reports.append(report.json.adding(matches))
    }
    let damaged = event.reports.lazy.compactMap { AdvertisementReading($0.data).faults.first }
    return outcome(
      ["reports": .array(reports)], text, event.fault ?? damaged.first,
      isEmpty: event.reports.isEmpty)
  }

  private static func outcome(
    _ json: JSONValue, _ text: String, _ fault: AdvertisementFault?, isEmpty: Bool
  ) -> Result<DecodedKind.Outcome, ByteFault> {
    let fault = fault.map { ByteFault(offset: $0.offset, expected: $0.expected) }
    if isEmpty, let fault { return .failure(fault) }
    return .success(DecodedKind.Outcome(json: json, text: text, fault: fault))
  }

  // MARK: Known tags

  private static func identity(_ session: Session) throws(CommandFailure) -> TagIdentity? {
    guard let text = session.arguments.option("identity") else { return nil }
    do throws(TagIdentityFault) { return try TagIdentity(text) } catch {
      throw .usage(error.message.spoken)
    }
  }

  /// A person who writes an address down rarely knows how it was assigned; its highest bits tell what matters here.
  private static func sender(_ session: Session) throws(CommandFailure) -> BluetoothAddress? {
    guard let text = session.arguments.option("from") else { return nil }
    guard let address = BluetoothAddress(text),
      let random = BluetoothAddress(bits: address.bits, kind: .random)
    else {
      throw .usage(
        gettext(
          "\"{text}\" is no Bluetooth address. Write it like A4:C1:38:8D:18:B2.", ["text": text]))
    }
    return random.randomKind == .resolvablePrivate
      && session.arguments.option("identity")?.lowercased().hasPrefix("irk:") == true
      ? random : address
  }

  private static func matches(
    _ data: AdvertisingData, _ sender: BluetoothAddress?, _ identity: TagIdentity?
  ) -> [TagMatch<String>]? {
    guard let identity else { return nil }
    var matcher = TagMatcher(
      [(tag: identity.description, identity: identity)], cipher: MbedCipher())
    return matcher.matches(in: AdvertisementReading(data), from: sender)
  }

  private static func text(_ matches: [TagMatch<String>]?) -> String {
    guard let matches else { return "" }
    guard let match = matches.first else {
      return gettext("This is not the tag that --identity names.") + "\n"
    }
    let sentence = gettext("This is the tag {tag}.", ["tag": match.tag]) + "\n"
    guard match.isAuthentic, let frame = match.bthome else { return sentence }
    return sentence + frame.readings.map { "  \(line($0))\n" }.joined()
  }

  // MARK: Words

  private static func head(_ report: AdvertisingReport) -> String {
    let sender =
      report.address.map { address in
        address.isLasting
          ? address.text
          : gettext("{address} (an address that changes)", ["address": address.text])
      } ?? gettext("somebody without an address")
    guard let level = report.rssiDBm else {
      return gettext("From {sender}", ["sender": sender]) + "\n"
    }
    return gettext("From {sender}, received with {level} dBm", ["sender": sender, "level": level])
      + "\n"
  }

  private static func text(_ data: AdvertisingData) -> String {
    var lines = data.structures.map { structure in
      let type = structure.knownType?.word ?? "0x\(Hexadecimal.text([structure.type]))"
      return "  \(structure.offset)  \(type)  \(Hexadecimal.text(structure.body))"
    }
    if let name = data.name {
      lines.append(gettext("Name: {name}", ["name": TextWidth.printable(name)]))
    }
    for content in AdvertisementReading(data).contents { lines += words(content) }
    return lines.map { $0 + "\n" }.joined()
  }

  private static func words(_ content: AdvertisementContent) -> [String] {
    if let identity = content.identity {
      return [gettext("A tag that can be known by {identity}", ["identity": identity])]
    }
    switch content {
    case .bthome(let frame):
      guard frame.sealed == nil else {
        return [gettext("BTHome, sealed: give its key with --identity bthome:ADDRESS:KEY")]
      }
      return ["BTHome"] + frame.readings.map { "  \(line($0))" }
    case .changing(let tag):
      return [
        gettext(
          "{kind}: it changes what it sends, so it cannot stand for anybody",
          ["kind": tag.word])
      ]
    case .batteryPercent(let charge): return [gettext("Battery: {charge} %", ["charge": charge])]
    case .iTag: return [gettext("An iTAG: it can be known by its address")]
    case .eddystone, .iBeacon, .altBeacon: return [plain(content.json)]
    }
  }

  /// Members of an object as words of the format, which are the same in each language.
  private static func plain(_ json: JSONValue) -> String {
    (json.objectContent ?? []).map { member in
      let content = member.value.stringContent ?? member.value.serialized
      return member.key == "kind" ? content : "\(member.key) \(content)"
    }.joined(separator: ", ")
  }

  private static func line(_ reading: BTHomeReading) -> String {
    let content = reading.json["value"] ?? .null
    let number = content.stringContent ?? content.doubleContent.map(NumberText.short)
    let text = TextWidth.printable(number ?? content.serialized)
    return reading.unit.isEmpty
      ? "\(reading.name) \(text)" : "\(reading.name) \(text) \(reading.unit)"
  }
}

extension JSONValue {
  /// Says in the member `matches` whether a known tag sent this, and what was opened.
  fileprivate func adding(_ matches: [TagMatch<String>]?) -> JSONValue {
    guard let matches else { return self }
    return setting(
      "matches",
      to: .array(
        matches.map { match in
          .object([
            "tag": .string(match.tag), "authentic": .bool(match.isAuthentic),
            "bthome": match.bthome?.json,
          ])
        }))
  }
}

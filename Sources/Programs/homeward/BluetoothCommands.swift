import Bytes
import Care
import ControlSocket
import Door
import Glibc
import JSON

/// `homeward bluetooth …`.
enum BluetoothCommands {
  static let all = [status, scan, pair, answer, forget]

  private static let status: CommandSpecification = .init(
    path: ["bluetooth", "status"], summary: gettext("Adapters, meters, and what a pairing asks"),
    examples: [Example("homeward bluetooth status", gettext("How Bluetooth does."))]
  ) { session throws(CommandFailure) in
    try session.show(try session.call(.bluetoothStatus)) { answer throws(DecodeError) in
      statusText(answer, session)
    }
  }

  private static func statusText(_ answer: JSONValue, _ session: Session) -> String {
    func text(_ value: JSONValue, _ member: String) -> String { value[member]?.stringContent ?? "" }
    var shown = gettext(
      "Bluetooth: {state} ({source}). {detail}\n",
      [
        "state": text(answer, "state"), "source": text(answer, "source"),
        "detail": text(answer, "detail"),
      ])
    var adapters = Table([gettext("ADAPTER"), gettext("ADDRESS"), gettext("CONDITION")])
    for adapter in answer["adapters"]?.arrayContent ?? [] {
      adapters.add([
        text(adapter, "name"), text(adapter, "address"), text(adapter, "condition"),
      ])
    }
    shown += adapters.text
    let meters = answer["meters"]?.arrayContent ?? []
    if !meters.isEmpty {
      var table = Table([
        gettext("METER"), gettext("NAME"), gettext("RESIDENT"), gettext("PAIRED"),
        gettext("STATE"), gettext("LAST FETCHED"),
      ])
      for meter in meters {
        let detail = text(meter, "detail")
        table.add([
          text(meter, "address"), text(meter, "name"), text(meter, "resident"),
          meter["isBonded"] == .bool(true) ? gettext("yes") : gettext("no"),
          detail.isEmpty ? text(meter, "state") : detail,
          meter["lastFetchedAt"] == nil ? "-" : session.times.text(text(meter, "lastFetchedAt")),
        ])
      }
      shown += "\n" + table.text
    }
    if let crowd = answer["crowd"], let devices = crowd["devices"]?.integerContent {
      shown += gettext(
        "\nDevices around in the five minutes to {time}: about {count}\n",
        ["time": session.times.text(text(crowd, "endedAt")), "count": devices])
    }
    for question in answer["questions"]?.arrayContent ?? [] {
      shown += "\n" + sentence(on: question) + "\n"
    }
    return shown
  }

  private static func sentence(on question: JSONValue) -> String {
    let address = question["address"]?.stringContent ?? ""
    let number = question["number"]?.integerContent.map(sixDigits) ?? ""
    switch question["kind"]?.stringContent {
    case "passkey":
      return gettext(
        "{address} shows six digits. Type them in: homeward bluetooth answer {address} DIGITS",
        ["address": address])
    case "confirmation":
      return gettext(
        "Does {address} show {number}? Say so: homeward bluetooth answer {address} yes",
        ["address": address, "number": number])
    default:
      return gettext(
        "Type {number} in on {address}.", ["address": address, "number": number])
    }
  }

  private static func sixDigits(_ number: Int64) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, 6 - digits.count)) + digits
  }

  private static let scan: CommandSpecification = .init(
    path: ["bluetooth", "scan"], summary: gettext("Who is heard around, the loudest first"),
    discussion: gettext(
      """
      Hold the tag close to the gateway: it is the first line. What changes its address stands there without an identity:
      such a device is known by nothing but its identity resolving key, irk:…
      """),
    options: [.option("seconds", "SECONDS", gettext("For how long, 1 to 60; 10 unless set"))],
    examples: [Example("homeward bluetooth scan", gettext("Ten seconds."))]
  ) { session throws(CommandFailure) in
    let seconds = try session.limitedNumber("seconds", in: 1...60) ?? 10
    let answer = try session.call(
      .bluetoothScan, ["seconds": .integer(seconds)], timeoutSeconds: seconds + 30)
    try session.show(answer) { answer throws(DecodeError) in
      let devices = answer.arrayContent ?? []
      if devices.isEmpty {
        return gettext("Nothing was heard. See: homeward bluetooth status\n")
      }
      var table = Table([
        gettext("ADDRESS"), gettext("STRENGTH"), gettext("NAME"), gettext("KNOWN BY"),
      ])
      for device in devices {
        let identities = (device["identities"]?.arrayContent ?? []).compactMap(\.stringContent)
        let words =
          [
            device["tag"]?.stringContent.map { gettext("tag {id}", ["id": $0]) },
            device["isMeter"] == .bool(true) ? gettext("glucose meter") : nil,
          ].compactMap { $0 } + identities
        table.add([
          device["address"]?.stringContent ?? "",
          device["rssi"]?.integerContent.map { "\($0) dBm" } ?? "-",
          device["name"]?.stringContent ?? "",
          words.isEmpty ? gettext("no tag: its address changes") : words.joined(separator: ", "),
        ])
      }
      return table.text
    }
  }

  private static let addressOperand = OperandSpecification(
    name: "ADDRESS",
    help: gettext("A4:C1:38:8D:18:B2, with /random behind it where \"scan\" shows it so"))

  private static let pair: CommandSpecification = .init(
    path: ["bluetooth", "pair"],
    summary: gettext("Pairs a glucose meter, and makes it a resident's"),
    discussion: gettext(
      """
      Put the meter into its pairing mode first (see its manual), and keep it near. Its new readings are fetched from then
      on whenever it wakes, after each measurement. Who sits at no terminal answers what the meter asks with:
      homeward bluetooth answer
      """),
    operands: [addressOperand],
    options: [
      Session.residentOption,
      .option("name", "NAME", gettext("What people call the meter; its address unless set")),
      .option("passkey", "DIGITS", gettext("The six digits, where they are known beforehand")),
    ],
    examples: [
      Example(
        "homeward bluetooth pair C0:11:22:33:44:55/random --name \"Mary's meter\"",
        gettext("The meter of the only resident."))
    ], run: runPair)

  private static func runPair(_ session: Session) throws(CommandFailure) {
    let address = try address(session, pair)
    let passkey = try session.limitedNumber("passkey", in: 0...999_999)
    let resident = try session.resident()
    let begun = try session.call(
      .bluetoothPair,
      .object([
        "address": .string(address.written), "resident": .string(resident.id.rawValue),
        "name": session.arguments.option("name").map { .string($0) },
        "passkey": passkey.map { .integer($0) },
      ]))
    // With how the address was assigned, which few write.
    let device =
      begun["address"]?.stringContent.flatMap { BluetoothAddress(written: $0) } ?? address
    var asked: JSONValue?
    while true {
      let status = try session.call(.bluetoothStatus)
      let progress = status["pairing"]
      switch progress?["state"]?.stringContent {
      case "done":
        return try session.show(["address": .string(device.written)]) { _ throws(DecodeError) in
          gettext(
            "Paired. The readings of {name} are fetched whenever the meter wakes.\n",
            ["name": resident.name])
        }
      case "failed":
        throw CommandFailure(.failed, progress?["why"]?.stringContent ?? "")
      default: break
      }
      let question = status["questions"]?.arrayContent?.first {
        $0["address"] == .string(device.written)
      }
      if let question, question != asked {
        asked = question
        try ask(question, device, session)
      }
      Pause.seconds(1)
    }
  }

  /// Asks whoever sits there; where nobody does, says how to answer.
  private static func ask(
    _ question: JSONValue, _ address: BluetoothAddress, _ session: Session
  ) throws(CommandFailure) {
    guard session.terminal.isInteractive, question["kind"]?.stringContent != "type-on-device" else {
      return session.terminal.writeError(sentence(on: question))
    }
    let number = question["number"]?.integerContent.map(sixDigits) ?? ""
    let words =
      question["kind"] == "passkey"
      ? gettext("Six digits that the meter shows: ")
      : gettext("Does the meter show {number}? yes or no: ", ["number": number])
    guard let line = session.terminal.ask(words) else { return }
    try give(line, to: address, session, pair)
  }

  private static let answer: CommandSpecification = .init(
    path: ["bluetooth", "answer"], summary: gettext("Answers what a pairing asks"),
    operands: [
      addressOperand,
      OperandSpecification(
        name: "ANSWER", help: gettext("The six digits that the meter shows, or yes or no")),
    ],
    examples: [
      Example(
        "homeward bluetooth answer C0:11:22:33:44:55/random 012345",
        gettext("The digits on the meter's display."))
    ]
  ) { session throws(CommandFailure) in
    let address = try address(session, answer)
    try give(session.arguments.operands[1], to: address, session, answer)
    try session.show(["address": .string(address.written)]) { _ throws(DecodeError) in
      gettext("Answered.\n")
    }
  }

  private static func give(
    _ text: String, to address: BluetoothAddress, _ session: Session,
    _ command: CommandSpecification
  ) throws(CommandFailure) {
    let member: JSONMember
    switch text.lowercased() {
    case "yes", "y": member = JSONMember(key: "isSame", value: true)
    case "no", "n": member = JSONMember(key: "isSame", value: false)
    default:
      guard text.utf8.count <= 6, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
        let digits = Int64(text)
      else {
        throw .usage(
          gettext(
            "the answer is the digits that the device shows, or yes or no, not \"{text}\".",
            ["text": text]), command)
      }
      member = JSONMember(key: "passkey", value: .integer(digits))
    }
    _ = try session.call(
      .bluetoothAnswer,
      .object([JSONMember(key: "address", value: .string(address.written)), member]))
  }

  private static let forget: CommandSpecification = .init(
    path: ["bluetooth", "forget"],
    summary: gettext("Forgets a device and its keys; readings that were fetched stay"),
    operands: [addressOperand],
    examples: [
      Example("homeward bluetooth forget C0:11:22:33:44:55/random", gettext("A meter given away."))
    ]
  ) { session throws(CommandFailure) in
    let address = try address(session, forget)
    let answer = try session.call(
      .bluetoothForget, ["address": .string(address.written)], timeoutSeconds: 60)
    try session.show(answer) { _ throws(DecodeError) in
      gettext("Forgotten: {address}\n", ["address": address.written])
    }
  }

  private static func address(
    _ session: Session, _ command: CommandSpecification
  ) throws(CommandFailure) -> BluetoothAddress {
    let text = session.arguments.operands[0]
    guard let address = BluetoothAddress(written: text) else {
      throw .usage(
        gettext(
          "\"{text}\" is no Bluetooth address. Write it like A4:C1:38:8D:18:B2, with /random behind it where \"scan\" shows it so.",
          ["text": text]), command)
    }
    return address
  }
}

/// Waits where a person or a device needs time.
enum Pause {
  static func seconds(_ seconds: UInt32) { _ = sleep(seconds) }
}

extension Session {
  /// A whole number within a range; nil without the option.
  func limitedNumber(
    _ option: String, in range: ClosedRange<Int64>
  ) throws(CommandFailure) -> Int64? {
    guard let text = arguments.option(option) else { return nil }
    guard let number = Int64(text), range.contains(number) else {
      throw .usage(
        gettext(
          "--{option} must be a whole number from {lowest} to {highest}, not \"{text}\".",
          [
            "option": option, "lowest": range.lowerBound, "highest": range.upperBound,
            "text": text,
          ]))
    }
    return number
  }
}

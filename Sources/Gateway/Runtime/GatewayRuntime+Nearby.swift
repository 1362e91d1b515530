import Bytes
import Care
import Core
import Door
import JSON
import Loop
import Moments
import Ports
import Texts

/// Somebody listens to who is around, to find a resident's tag or meter.
struct DeviceSearch {
  /// How long what was found is kept, in milliseconds: who is around changes.
  static let keptMilliseconds: Int64 = 600_000
  /// More than so many are no help.
  static let shownAtMost = 30

  /// The command that began it.
  var command: CommandID
  var began: Tick
  var seconds: Int64
  /// What was found; nil while it goes on.
  var found: [JSONValue]?
}

extension BluetoothRequest {
  /// Whether the radio does something that the core only admits and writes down.
  var isForRadio: Bool {
    switch self {
    case .search, .pairMeter, .answerPairing: true
    case .putTag, .removeTag, .putMeter, .removeMeter: false
    }
  }

  /// The request as it is recorded: without digits, which pair a meter and are nobody's business.
  var recorded: BluetoothRequest {
    guard case .answerPairing(let address, let resident, _) = self else { return self }
    return .answerPairing(address, of: resident, PairingReply())
  }
}

/// What caregivers ask of the radio: to search, and to pair.
extension GatewayRuntime {
  /// Has the radio do what was asked, once the core has admitted it.
  func performOnRadio(
    _ request: BluetoothRequest, _ command: Command, for asking: Asking,
    reply: @escaping @LoopActor (CommandReply) -> Void
  ) {
    guard let bluetooth = parts.bluetooth else {
      return reply(
        .refused(
          CommandReply.Refusal(
            .conflict,
            Message("This gateway does not use Bluetooth. Whoever keeps it can switch it on."))))
    }
    if let refusal = refusal(of: request, by: command.id) { return reply(.refused(refusal)) }
    var recorded = command
    recorded.request = .bluetooth(request.recorded)
    takeIfRunning(recorded) { [weak self] answer in
      guard case .done = answer, let self else { return reply(answer) }
      if let refusal = drive(bluetooth, request, command.id, for: asking) {
        reply(.refused(refusal))
      } else {
        reply(answer)
      }
    }
  }

  /// Why the radio cannot do it now; nil when it can, and when it does already.
  private func refusal(
    of request: BluetoothRequest, by command: CommandID
  ) -> CommandReply.Refusal? {
    switch request {
    case .pairMeter: pairing?.command == command ? nil : pairingRefusal
    case .answerPairing(let address, let resident, _):
      isPairing(address, of: resident) ? nil : Self.nothingAsked
    default: nil
    }
  }

  private func isPairing(_ address: BluetoothAddress, of resident: ResidentID) -> Bool {
    guard let pairing, !pairing.isOver, pairing.meter?.resident == resident else { return false }
    return pairing.address == (parts.bluetooth?.resolved(address) ?? address)
  }

  private static let nothingAsked = CommandReply.Refusal(
    .conflict, Message("The meter does not ask for that any more. Begin again."))

  /// - Returns: why it was not done after all; nil when it was.
  private func drive(
    _ bluetooth: any BluetoothAdministration, _ request: BluetoothRequest, _ id: CommandID,
    for asking: Asking
  ) -> CommandReply.Refusal? {
    switch request {
    case .search(let resident, let seconds):
      if searches[resident]?.command != id { search(for: resident, seconds, id, bluetooth) }
    case .pairMeter(var meter):
      guard pairing?.command != id else { return nil }
      if let refusal = pairingRefusal { return refusal }
      meter.address = bluetooth.resolved(meter.address)
      begin(
        PairingRequest(address: meter.address), of: meter, for: asking, bluetooth, by: id)
    case .answerPairing(let address, let resident, let given):
      let answer: PairingAnswer? =
        given.passkey.map { .passkey($0) } ?? given.isSame.map { .isSame($0) }
      guard let answer, isPairing(address, of: resident),
        bluetooth.answer(answer, for: bluetooth.resolved(address))
      else { return Self.nothingAsked }
    default: break
    }
    return nil
  }

  private func search(
    for resident: ResidentID, _ seconds: Int64, _ id: CommandID,
    _ bluetooth: any BluetoothAdministration
  ) {
    searches[resident] = DeviceSearch(
      command: id, began: parts.clock.now().tick, seconds: seconds)
    bluetooth.scan(milliseconds: seconds * 1000) { [weak self] found in
      guard let self, searches[resident]?.command == id else { return }
      searches[resident]?.found = found.arrayContent ?? []
    }
  }

  // MARK: What is seen of it

  func nearby(_ asked: Asked, _ answer: @escaping Answer) throws {
    let resident = try asked.wholeResident()
    guard isKnown(resident, answer) else { return }
    let now = parts.clock.now().tick
    if let search = searches[resident],
      now.milliseconds(since: search.began) >= DeviceSearch.keptMilliseconds
    {
      searches[resident] = nil
    }
    let search = searches[resident]
    let known = Set(core.knownMeters.map(\.meter.address.written))
    let candidates = search?.found ?? []
    let usable = candidates.filter(Self.canBeKnown)
    let own = pairing?.meter?.resident == resident ? pairing : nil
    answer(
      .success(
        .object([
          "isUsed": .bool(parts.bluetooth != nil),
          "search": search.map { Self.progress($0, at: now) },
          "found": .array(
            usable.prefix(DeviceSearch.shownAtMost).map { Self.shown($0, known) }),
          "changing": .integer(Int64(candidates.count - usable.count)),
          "pairing": own.map {
            $0.json(in: core.configuration.language)
              .setting("name", to: .string($0.meter?.name ?? ""))
          }, "question": own.flatMap(question),
        ])))
  }

  private static func progress(_ search: DeviceSearch, at now: Tick) -> JSONValue {
    let passed = now.milliseconds(since: search.began) / 1000
    return [
      "isGoingOn": .bool(search.found == nil), "seconds": .integer(search.seconds),
      "secondsLeft": .integer(search.found == nil ? max(0, search.seconds - passed) : 0),
    ]
  }

  /// Whether something that was heard can be told from its neighbours, or is a meter.
  private static func canBeKnown(_ device: JSONValue) -> Bool {
    device["isMeter"] == true || !(device["identities"]?.arrayContent ?? []).isEmpty
  }

  /// What is shown of something that was heard: whose it is where it is known stays with them.
  private static func shown(_ device: JSONValue, _ meters: Set<String>) -> JSONValue {
    let isMeter = device["isMeter"]?.boolContent ?? false
    let isKnown =
      device["tag"] != nil || meters.contains(device["address"]?.stringContent ?? "")
    return .object([
      "address": device["address"], "name": device["name"], "rssi": device["rssi"],
      "isMeter": .bool(isMeter), "isKnown": .bool(isKnown),
      "identities": isKnown ? [] : device["identities"] ?? [],
    ])
  }

  private func question(of pairing: PairingProgress) -> JSONValue? {
    guard !pairing.isOver else { return nil }
    return parts.bluetooth?.status["questions"]?.arrayContent?.first {
      $0["address"]?.stringContent == pairing.address.written
    }
  }

  /// The meters of a resident, or of all, and how each does.
  func metersNow(of resident: ResidentID?) -> [JSONValue] {
    let now = parts.clock.now()
    let radio = parts.bluetooth?.status["meters"]?.arrayContent ?? []
    return core.knownMeters.map(\.meter).filter { resident == nil || $0.resident == resident }
      .map { meter in
        let seen = radio.first { $0["address"]?.stringContent == meter.address.written }
        guard let seen else { return meter.json }
        let heard = seen["lastHeardSeconds"]?.integerContent.map { seconds in
          JSONValue.string(now.utc.advanced(byMilliseconds: -seconds * 1000).iso8601)
        }
        let members = (seen.objectContent ?? []).filter { $0.key != "lastHeardSeconds" }
        return heard.map { JSONValue.object(members).setting("lastHeardAt", to: $0) }
          ?? .object(members)
      }
  }
}

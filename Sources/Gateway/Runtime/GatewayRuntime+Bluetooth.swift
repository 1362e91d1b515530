import Bytes
import Care
import Core
import JSON
import Loop
import Ports
import Texts

/// A pairing that somebody asked for, and how it went.
struct PairingProgress {
  var address: BluetoothAddress
  /// Why it failed; nil while it goes on, and when it is done.
  var why: Message?
  var isOver = false

  func json(in language: Language) -> JSONValue {
    .object([
      "address": .string(address.written),
      "state": .string(isOver ? why == nil ? "done" : "failed" : "going-on"),
      "why": why.map { .string($0.text(in: language)) },
    ])
  }
}

/// Tags and meters: what is listened for, and what people ask about it.
extension GatewayRuntime {
  /// Whether an input may change what is listened for.
  static func concernsBluetooth(_ input: CoreInput) -> Bool {
    switch input {
    case .command(let command):
      switch command.request {
      case .bluetooth, .putResident, .eraseResident: true
      default: false
      }
    case .timeZone: true
    case .observation, .wake, .started: false
    }
  }

  /// Has the radio listen for the tags and fetch from the meters that the core knows.
  func tellBluetooth() {
    let tags = core.knownTags.map {
      KnownTag(id: $0.id, identities: $0.identities, awaySeconds: $0.awaySeconds)
    }
    parts.tagsChanged?(tags)
    guard let bluetooth = parts.bluetooth else { return }
    bluetooth.setTags(tags)
    bluetooth.setMeters(
      core.knownMeters.map {
        KnownMeter(meter: $0.meter, bookmark: $0.bookmark, zone: $0.zone)
      })
  }

  /// Answers a request about tags, meters or the radio; false when it is none of them.
  func routeBluetooth(
    _ method: String, _ reader: JSONReader, _ principal: Principal, _ answer: @escaping Answer
  ) throws -> Bool {
    switch method {
    case "tags.list":
      answer(.success(.array(core.tagSummaries(of: try resident(in: reader)))))
    case "tag.get":
      let id = TagID(try reader.string("id"))
      answer(core.tag(id).map { .success($0.json) } ?? .failure(Self.unknownTag(id)))
    case "tag.calibrate": try calibrate(reader, principal, answer)
    case "bluetooth.status":
      withBluetooth(answer) { bluetooth in
        let report = health.reports.first { $0.component == "bluetooth" }
        let language = core.configuration.language
        let status = bluetooth.status.setting(
          "state", to: .string((report?.state ?? .starting).rawValue)
        ).setting("detail", to: .string(report?.detail.text(in: language) ?? ""))
        answer(
          .success(
            pairing.map { status.setting("pairing", to: $0.json(in: language)) } ?? status))
      }
    case "bluetooth.scan":
      let seconds = min(max(1, try reader.optionalInteger("seconds") ?? 10), 60)
      withBluetooth(answer) { bluetooth in
        bluetooth.scan(milliseconds: seconds * 1000) { answer(.success($0)) }
      }
    case "bluetooth.pair": try pair(reader, principal, answer)
    case "bluetooth.answer": try answerPairing(reader, answer)
    case "bluetooth.forget": try forget(reader, principal, answer)
    default: return false
    }
    return true
  }

  private func withBluetooth(
    _ answer: Answer, _ body: (any BluetoothAdministration) -> Void
  ) {
    if let bluetooth = parts.bluetooth { return body(bluetooth) }
    answer(
      .failure(
        CommandReply.Refusal(
          .conflict,
          Message(
            "Bluetooth is not used. Set source: bluez below bluetooth: in the configuration, and start Homeward again."
          ))))
  }

  private static func unknownTag(_ id: TagID) -> CommandReply.Refusal {
    CommandReply.Refusal(
      .unknownTarget,
      Message("There is no tag \"{id}\". List them with: homeward tags", ["id": id]))
  }

  private static func refusal(_ failure: BluetoothFailure) -> CommandReply.Refusal {
    CommandReply.Refusal(
      failure.code == .unknownDevice ? .unknownTarget : .conflict, failure.message)
  }

  private func address(in reader: JSONReader) throws(DecodeError) -> BluetoothAddress {
    let written = try reader.bluetoothAddress("address")
    return parts.bluetooth?.resolved(written) ?? written
  }

  // MARK: Pairing

  private func pair(
    _ reader: JSONReader, _ principal: Principal, _ answer: @escaping Answer
  ) throws {
    let address = try address(in: reader)
    let passkey = try reader.optionalInteger("passkey")
    guard passkey.map({ (0...999_999).contains($0) }) ?? true else {
      throw reader.error(.outOfRange, "passkey")
    }
    var meter: GlucoseMeter?
    if let resident = try resident(in: reader) {
      guard isKnown(resident, answer) else { return }
      meter = GlucoseMeter(
        address: address, resident: resident,
        name: try reader.optionalString("name") ?? address.text)
    }
    withBluetooth(answer) { bluetooth in
      if let going = pairing, !going.isOver {
        return answer(
          .failure(
            CommandReply.Refusal(
              .conflict,
              Message(
                "{address} is being paired. Wait until that is done.",
                ["address": going.address.written]))))
      }
      pairing = PairingProgress(address: address)
      bluetooth.pair(PairingRequest(address: address, passkey: passkey.map { UInt32($0) })) {
        [weak self] in self?.paired(meter, by: principal, $0)
      }
      answer(.success(["address": .string(address.written)]))
    }
  }

  private func paired(
    _ meter: GlucoseMeter?, by principal: Principal, _ result: Result<Void, BluetoothFailure>
  ) {
    if case .failure(let failure) = result { return endPairing(failure.message) }
    guard let meter else { return endPairing(nil) }
    perform(localCommand(.bluetooth(.putMeter(meter)), by: principal)) { [weak self] reply in
      if case .refused(let refusal) = reply {
        self?.endPairing(refusal.message)
      } else {
        self?.endPairing(nil)
      }
    }
  }

  private func endPairing(_ why: Message?) {
    pairing?.why = why
    pairing?.isOver = true
  }

  private func answerPairing(_ reader: JSONReader, _ answer: @escaping Answer) throws {
    let address = try address(in: reader)
    let given: PairingAnswer
    if let passkey = try reader.optionalInteger("passkey") {
      guard let digits = UInt32(exactly: passkey), digits <= 999_999 else {
        throw reader.error(.outOfRange, "passkey")
      }
      given = .passkey(digits)
    } else {
      given = .isSame(try reader.bool("isSame"))
    }
    withBluetooth(answer) { bluetooth in
      guard bluetooth.answer(given, for: address) else {
        return answer(
          .failure(
            CommandReply.Refusal(
              .conflict,
              Message(
                "{address} does not ask for that now. See: homeward bluetooth status",
                ["address": address.written]))))
      }
      answer(.success(["address": .string(address.written)]))
    }
  }

  private func forget(
    _ reader: JSONReader, _ principal: Principal, _ answer: @escaping Answer
  ) throws {
    let address = try address(in: reader)
    let isMeter = core.knownMeters.contains { $0.meter.address == address }
    withBluetooth(answer) { bluetooth in
      if isMeter {
        perform(localCommand(.bluetooth(.removeMeter(address)), by: principal)) { _ in }
      }
      bluetooth.forget(address) { result in
        switch result {
        case .success: answer(.success(["forgotten": .string(address.written)]))
        case .failure(let failure) where isMeter && failure.code == .unknownDevice:
          answer(.success(["forgotten": .string(address.written)]))
        case .failure(let failure): answer(.failure(Self.refusal(failure)))
        }
      }
    }
  }

  private func localCommand(_ request: Command.Request, by principal: Principal) -> Command {
    localCommandCount += 1
    return Command(
      id: CommandID("local-\(run)-\(localCommandCount)"), principal: principal, request: request)
  }

  // MARK: Calibration

  private func calibrate(
    _ reader: JSONReader, _ principal: Principal, _ answer: @escaping Answer
  ) throws {
    let id = TagID(try reader.string("id"))
    let step = try reader.word("step", as: CalibrationStep.self)
    guard var tag = core.tag(id) else { return answer(.failure(Self.unknownTag(id))) }
    withBluetooth(answer) { bluetooth in
      guard let progress = bluetooth.calibrate(id, step: step) else {
        return answer(
          .failure(
            CommandReply.Refusal(
              .conflict,
              Message(
                "This tag is not being calibrated. Begin with: homeward tags calibrate {id}",
                ["id": id]))))
      }
      guard let found = progress["thresholds"], let thresholds = try? TagThresholds(json: found)
      else { return answer(.success(progress)) }
      tag.calibration = thresholds
      let request = BluetoothRequest.putTag(tag, identities: nil)
      perform(localCommand(.bluetooth(request), by: principal)) { reply in
        switch reply {
        case .done: answer(.success(progress))
        case .refused(let refusal): answer(.failure(refusal))
        }
      }
    }
  }
}

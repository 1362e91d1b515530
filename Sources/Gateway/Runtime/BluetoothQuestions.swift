import Bytes
import Care
import Core
import Door
import JSON
import Loop
import Moments
import Ports
import Texts

/// Tags and meters: what is listened for, and what people ask about it.
@LoopActor
struct BluetoothQuestions {
  let view: CoreView
  /// Nil where Bluetooth is not used.
  let bluetooth: (any BluetoothAdministration)?
  let pairings: Pairings
  let commands: LocalCommands
  let perform: CommandPerformer
  /// What was said last of a part.
  let health: @LoopActor (ComponentID) -> HealthReport?

  var handlings: [Handling] {
    [
      Handling(listing: .tagsList) { view.core.nearby.tagSummaries(of: $0) },
      Handling(.tagGet, getTag), Handling(.tagCalibrate, calibrate),
      Handling(.bluetoothStatus) { _, answer in
        withBluetooth(answer) { answer(.success(status(of: $0))) }
      },
      Handling(.bluetoothScan, scan), Handling(.bluetoothPair, pair),
      Handling(.bluetoothAnswer, answerPairing), Handling(.bluetoothForget, forget),
    ]
  }

  private func getTag(_ asked: Asked, _ answer: @escaping Answer) throws {
    let id = TagID(try asked.reader.string("id"))
    guard let tag = view.core.nearby.tag(id), asked.concerns(tag.resident) else {
      return answer(.failure(Self.unknownTag(id)))
    }
    answer(.success(tag.json))
  }

  private func status(of bluetooth: any BluetoothAdministration) -> JSONValue {
    let report = health("bluetooth")
    let language = view.core.configuration.language
    let status = bluetooth.status.setting(
      "state", to: .string((report?.state ?? .starting).rawValue)
    ).setting("detail", to: .string(report?.detail.text(in: language) ?? ""))
    return pairings.last.map { status.setting("pairing", to: $0.json(in: language)) } ?? status
  }

  private func scan(_ asked: Asked, _ answer: @escaping Answer) throws {
    let seconds = min(max(1, try asked.reader.optionalInteger("seconds") ?? 10), 60)
    withBluetooth(answer) { bluetooth in
      bluetooth.scan(milliseconds: seconds * 1000) { answer(.success($0)) }
    }
  }

  private func withBluetooth(
    _ answer: Answer, _ body: (any BluetoothAdministration) -> Void
  ) {
    if let bluetooth { return body(bluetooth) }
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
    return bluetooth?.resolved(written) ?? written
  }

  // MARK: Pairing

  private func pair(_ asked: Asked, _ answer: @escaping Answer) throws {
    let reader = asked.reader
    let address = try address(in: reader)
    let passkey = try reader.optionalInteger("passkey")
    guard passkey.map({ (0...999_999).contains($0) }) ?? true else {
      throw reader.error(.outOfRange, "passkey")
    }
    var meter: GlucoseMeter?
    if let resident = try asked.resident() {
      guard view.isKnown(resident, answer) else { return }
      meter = GlucoseMeter(
        address: address, resident: resident,
        name: try reader.optionalString("name") ?? address.text)
    }
    withBluetooth(answer) { bluetooth in
      if let refusal = pairings.refusal { return answer(.failure(refusal)) }
      pairings.begin(
        PairingRequest(address: address, passkey: passkey.map { UInt32($0) }), of: meter,
        for: asked.asking, bluetooth)
      answer(.success(["address": .string(address.written)]))
    }
  }

  private func answerPairing(_ asked: Asked, _ answer: @escaping Answer) throws {
    let reader = asked.reader
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

  private func forget(_ asked: Asked, _ answer: @escaping Answer) throws {
    let address = try address(in: asked.reader)
    let isMeter = view.core.nearby.knownMeters.contains { $0.meter.address == address }
    withBluetooth(answer) { bluetooth in
      if isMeter {
        let request = Command.Request.bluetooth(.removeMeter(address))
        perform(commands.command(request, by: asked.principal), asked.asking) { _ in }
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

  // MARK: Calibration

  private func calibrate(_ asked: Asked, _ answer: @escaping Answer) throws {
    let id = TagID(try asked.reader.string("id"))
    let step = try asked.reader.word("step", as: CalibrationStep.self)
    guard var tag = view.core.nearby.tag(id), asked.concerns(tag.resident) else {
      return answer(.failure(Self.unknownTag(id)))
    }
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
      let request = Command.Request.bluetooth(.putTag(tag, identities: nil))
      perform(commands.command(request, by: asked.principal), asked.asking) { reply in
        switch reply {
        case .done: answer(.success(progress))
        case .refused(let refusal): answer(.failure(refusal))
        }
      }
    }
  }
}

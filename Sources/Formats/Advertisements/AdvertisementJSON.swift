import Bytes
import Care
public import JSON
import Moments
import Texts

extension AdvertisingEvent {
  /// The reports as JSON, for support.
  public var json: JSONValue { ["reports": .array(reports.map(\.json))] }
}

extension AdvertisingReport {
  /// The report as an object.
  public var json: JSONValue {
    .object([
      "address": address.map { .string($0.text) },
      "address_type": address.map { .string($0.kind.rawValue) },
      "address_changes": address.map { .bool(!$0.isLasting) },
      "rssi_dbm": rssiDBm.map { .integer(Int64($0)) },
      "tx_power_dbm": transmitPowerDBm.map { .integer(Int64($0)) },
      "legacy": .bool(properties.contains(.legacy)),
      "connectable": .bool(properties.contains(.connectable)),
      "scannable": .bool(properties.contains(.scannable)),
      "scan_response": .bool(properties.contains(.scanResponse)),
      "directed_to": target.map { .string($0.text) },
      "set_id": setID.map { .integer(Int64($0)) },
      "complete": .bool(completeness == .complete), "data": data.json,
    ])
  }
}

extension AdvertisingData {
  /// The data as an object: the structures, what they say, and what is known in them.
  public var json: JSONValue {
    let reading = AdvertisementReading(self)
    return .object([
      "structures": .array(structures.map(\.json)),
      "flags": flags.map { .integer(Int64($0)) }, "name": name.map { .string($0) },
      "tx_power_dbm": transmitPowerDBm.map { .integer(Int64($0)) },
      "appearance": appearance.map { .integer(Int64($0)) },
      "services": .array(services.map { .string("\($0)") }),
      "service_data": .array(
        serviceData.map {
          ["service": .string("\($0.service)"), "bytes": .string(Hexadecimal.text($0.bytes))]
        }),
      "manufacturer_data": .array(
        manufacturerData.map {
          [
            "company": .string(
              Hexadecimal.text([UInt8($0.company >> 8), UInt8($0.company & 0xFF)])),
            "bytes": .string(Hexadecimal.text($0.bytes)),
          ]
        }),
      "contents": .array(reading.contents.map(\.json)),
      "faults": .array((fault.map { [$0] } ?? []).map(\.json) + reading.faults.map(\.json)),
    ])
  }
}

extension ADStructure {
  fileprivate var json: JSONValue {
    .object([
      "offset": .integer(Int64(offset)), "type": .integer(Int64(type)),
      "name": knownType.map { .string($0.word) }, "bytes": .string(Hexadecimal.text(body)),
    ])
  }
}

extension AdvertisementFault {
  /// The fault as an object.
  public var json: JSONValue {
    [
      "code": .string(code.rawValue), "byte": .integer(Int64(offset)),
      "expected": .string(expected.description),
    ]
  }
}

extension AdvertisementContent {
  /// What it is, as an object with the member `kind`, and `identity` where a tag may be known by it.
  public var json: JSONValue {
    guard let identity else { return bare }
    return bare.setting("identity", to: .string(identity.text))
  }

  private var bare: JSONValue {
    switch self {
    case .iBeacon(let beacon):
      [
        "kind": "ibeacon", "uuid": .string(beacon.uuid.text),
        "major": .integer(Int64(beacon.major)), "minor": .integer(Int64(beacon.minor)),
        "power_1m_dbm": .integer(Int64(beacon.powerAtOneMeterDBm)),
      ]
    case .altBeacon(let beacon):
      [
        "kind": "altbeacon", "id": .string(Hexadecimal.text(beacon.id.bytes)),
        "power_1m_dbm": .integer(Int64(beacon.powerAtOneMeterDBm)),
      ]
    case .eddystone(let frame): frame.json
    case .bthome(let frame): frame.json
    case .batteryPercent(let charge):
      ["kind": "battery", "percent": .integer(Int64(charge))]
    case .iTag: ["kind": "itag"]
    case .changing(let tag): tag.json
    }
  }
}

extension EddystoneFrame {
  fileprivate var json: JSONValue {
    switch self {
    case .identity(let id, let power):
      [
        "kind": "eddystone-uid", "namespace": .string(Hexadecimal.text(id.namespace)),
        "instance": .string(Hexadecimal.text(id.instance)), "power_0m_dbm": .integer(Int64(power)),
      ]
    case .url(let text, let power):
      ["kind": "eddystone-url", "url": .string(text), "power_0m_dbm": .integer(Int64(power))]
    case .telemetry(let state):
      .object([
        "kind": "eddystone-tlm",
        "battery_mv": state.batteryMillivolts.map { .integer(Int64($0)) },
        "celsius": state.celsius.map { .number($0) },
        "advertisements": .integer(Int64(state.advertisementCount)),
        "uptime_s": .number(Double(state.uptimeTenths) / 10),
      ])
    case .encryptedTelemetry(let cipherText, let salt, let check):
      [
        "kind": "eddystone-etlm", "cipher_text": .string(Hexadecimal.text(cipherText)),
        "salt": .integer(Int64(salt)), "check": .integer(Int64(check)),
      ]
    case .ephemeralIdentity(let number, let power):
      [
        "kind": "eddystone-eid", "ephemeral_id": .string(Hexadecimal.text(number)),
        "power_0m_dbm": .integer(Int64(power)),
      ]
    }
  }
}

extension BTHomeFrame {
  /// The frame as an object with the member `kind`.
  public var json: JSONValue {
    .object([
      "kind": "bthome", "encrypted": .bool(isEncrypted), "opened": .bool(isAuthentic),
      "triggered": .bool(isTriggered), "address": address.map { .string($0.text) },
      "packet_id": packetID.map { .integer(Int64($0)) },
      "counter": sealed.map { .integer(Int64($0.counter)) },
      "readings": .array(readings.map(\.json)), "fault": fault?.json,
    ])
  }
}

extension BTHomeReading {
  /// The reading as an object; its unit is left out where it has none.
  public var json: JSONValue {
    .object([
      "object": .integer(Int64(object)), "name": .string(name),
      "unit": unit.isEmpty ? nil : .string(unit), "value": content.json,
    ])
  }
}

extension BTHomeReading.Content {
  fileprivate var json: JSONValue {
    switch self {
    case .number(let number): Int64(exactly: number).map { .integer($0) } ?? .number(number)
    case .flag(let isSet): .bool(isSet)
    case .button(.other(let code)): .integer(Int64(code))
    case .button(let button): .string(button.word)
    case .dimmer(let steps): .integer(Int64(steps))
    case .command(let code, let arguments): .string(Hexadecimal.text([code] + arguments))
    case .moment(let seconds):
      .string(Timestamp.seconds(Int64(seconds)).iso8601)
    case .text(let text): .string(text)
    case .raw(let bytes): .string(Hexadecimal.text(bytes))
    case .version(let version): .string(version)
    }
  }
}

extension ChangingTag {
  fileprivate var json: JSONValue {
    let head: JSONValue = ["kind": .string(word), "is_identity": false]
    switch self {
    case .findMy(let member):
      return head.setting("separated", to: .bool(member.isSeparated))
        .setting("status", to: .integer(Int64(member.status)))
        .setting("member", to: .string(member.kind.word))
        .setting("battery_stage", to: .integer(Int64(member.batteryStage)))
    case .appleContinuity(let types):
      return head.setting("types", to: .array(types.map { .integer(Int64($0)) }))
    case .googleFindHub(let isSeparated):
      return head.setting("separated", to: .bool(isSeparated))
    case .tile, .smartTag, .chipolo, .pebblebee: return head
    }
  }
}

extension ChangingTag.FindMy.Kind {
  fileprivate var word: String {
    switch self {
    case .device: "device"
    case .airTag: "airtag"
    case .thirdParty: "third-party"
    case .airPods: "airpods"
    }
  }
}

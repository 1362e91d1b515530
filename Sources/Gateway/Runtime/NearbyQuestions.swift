import Bytes
import Care
import Core
import Door
import JSON
import Loop
import Moments
import Ports
import Texts

/// What caregivers see of the radio: who is around, and how a pairing goes.
@LoopActor
struct NearbyQuestions {
  let view: CoreView
  let clock: any GatewayClock
  /// Nil where Bluetooth is not used.
  let bluetooth: (any BluetoothAdministration)?
  let pairings: Pairings
  let searches: DeviceSearches

  var handlings: [Handling] {
    [
      Handling(listing: .metersList) { metersNow(of: $0) }, Handling(.devicesNearby, nearby),
    ]
  }

  private func nearby(_ asked: Asked, _ answer: @escaping Answer) throws {
    let resident = try asked.wholeResident()
    guard view.isKnown(resident, answer) else { return }
    let now = clock.now().tick
    let search = searches.last(for: resident, at: now)
    let known = Set(view.core.nearby.knownMeters.map(\.meter.address.written))
    let candidates = search?.found ?? []
    let usable = candidates.filter(Self.canBeKnown)
    let own = pairings.last?.meter?.resident == resident ? pairings.last : nil
    answer(
      .success(
        .object([
          "isUsed": .bool(bluetooth != nil),
          "search": search.map { Self.progress($0, at: now) },
          "found": .array(
            usable.prefix(DeviceSearch.shownAtMost).map { Self.shown($0, known) }),
          "changing": .integer(Int64(candidates.count - usable.count)),
          "pairing": own.map {
            $0.json(in: view.core.configuration.language)
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
    return bluetooth?.status["questions"]?.arrayContent?.first {
      $0["address"]?.stringContent == pairing.address.written
    }
  }

  /// The meters of a resident, or of all, and how each does.
  private func metersNow(of resident: ResidentID?) -> [JSONValue] {
    let now = clock.now()
    let radio = bluetooth?.status["meters"]?.arrayContent ?? []
    return view.core.nearby.knownMeters.map(\.meter).filter {
      resident == nil || $0.resident == resident
    }
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

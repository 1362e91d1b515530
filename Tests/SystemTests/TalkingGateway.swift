import CareModel
import ControlSocket
import Foundation
import TestSupport
import Testing

/// A running gateway with Mary in it, and a way to ask it things.
final class TalkingGateway {
  let gateway: RunningGateway
  private var number = 0

  /// `grants` are those of the plugin that publishes to the broker.
  init(
    broker: Int? = nil, gpsd: Int? = nil,
    grants: [String] = ["network", "position.precise"], phone: Bool = false
  ) throws {
    gateway = try RunningGateway(
      broker: broker, gpsd: gpsd, grants: grants, phone: phone, extra: "sound: {enabled: false}")
    try start()
    try perform(
      .putResident(
        Resident(
          id: "mary", name: "Mary", timeZone: "Europe/Oslo", gpsSource: gpsd == nil ? nil : "gps")))
  }

  deinit { gateway.kill() }

  func start() throws {
    try gateway.start()
    let isUp = Eventually.holds(withinSeconds: 20) {
      (try? ControlClient(connectingTo: gateway.socketPath)) != nil
    }
    try #require(isUp, "\(gateway.log)")
  }

  @discardableResult
  func call(_ method: ControlMethod, _ params: JSONValue) throws -> JSONValue {
    try ControlClient(connectingTo: gateway.socketPath).call(
      method, params: params, timeoutMilliseconds: 20_000)
  }

  @discardableResult
  func perform(_ request: Command.Request) throws -> JSONValue {
    number += 1
    return try call(
      .command,
      ["command": ["id": .string("c-\(number)-\(UUID())"), "request": request.json]])
  }

  /// Why a request is refused; null when it is not.
  func refusal(_ request: Command.Request) -> JSONValue {
    do {
      try perform(request)
      return .null
    } catch { return .string("\(error)") }
  }
}

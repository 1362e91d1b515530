import Care
import ControlSocket
import Door
import Foundation
import JSON
import TestSupport
import Testing

/// Whoever has a gateway, starts it and asks it things.
protocol GatewayKeeper {
  var gateway: RunningGateway { get }
}

extension GatewayKeeper {
  /// Starts the gateway and waits until it answers.
  func start() throws {
    try gateway.start()
    let isUp = Eventually.holds(withinSeconds: 20) {
      (try? ControlClient(connectingTo: gateway.socketPath)) != nil
    }
    try #require(isUp, "\(gateway.log)")
  }

  @discardableResult
  func call(_ method: Route, _ params: JSONValue) throws -> JSONValue {
    try ControlClient(connectingTo: gateway.socketPath).call(
      method, params: params, timeoutMilliseconds: 20_000)
  }

  @discardableResult
  func perform(_ request: Command.Request) throws -> JSONValue {
    try call(.command, ["command": ["id": .string("c-\(UUID())"), "request": request.json]])
  }

  /// Why a request is refused; null when it is not.
  func refusal(_ request: Command.Request) -> JSONValue {
    do {
      try perform(request)
      return .null
    } catch { return .string("\(error)") }
  }
}

import Bytes
import Care
import Core
import Door
import JSON
import Loop
import Moments
import Ports
import Texts

/// The gateway itself, and what it is told to do.
extension GatewayRuntime {
  static let gatewayHandlings = [
    Handling(.status) { runtime, asked, answer in
      runtime.status(for: asked) { answer(.success($0)) }
    },
    Handling(.command) { try $0.perform($1, $2) },
    Handling(.metrics) { runtime, _, answer in
      runtime.metrics { answer(.success(["text": .string(PrometheusText($0).text)])) }
    },
    Handling(.health) { runtime, asked, answer in
      let report = asked.asking.isOwner ? runtime.healthReport : runtime.publicHealthReport
      answer(.success(report.report))
    },
  ]

  private func perform(_ asked: Asked, _ answer: @escaping Answer) throws {
    let command = try asked.reader.object("command")
    let request = try Command.Request(json: command.required("request"))
    let id = try command.optionalString("id")
    let expiresAt = try command.optionalTimestamp("expiresAt")
    let sentAt = try command.optionalTimestamp("sentAt")
    let sentTick = try command.optionalInteger("sentTick").map { Tick.milliseconds($0) }
    let own = localCommands.nextID("local")
    perform(
      Command(
        id: id.map { CommandID($0) } ?? own, principal: asked.principal,
        expiresAt: expiresAt, sentAt: sentAt, sentTick: sentTick, request: request),
      for: asked.asking
    ) { reply in
      switch reply {
      case .done(let result): answer(.success(result))
      case .refused(let refusal): answer(.failure(refusal))
      }
    }
  }
}

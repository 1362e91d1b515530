import Bytes
import Care
import Core
import Door
import JSON
import Loop
import Moments
import Ports
import Texts

/// What people and plugins ask to be done.
@LoopActor
struct CommandQuestions {
  let commands: LocalCommands
  let perform: CommandPerformer

  var handlings: [Handling] { [Handling(.command, give)] }

  private func give(_ asked: Asked, _ answer: @escaping Answer) throws {
    let command = try asked.reader.object("command")
    let request = try Command.Request(json: command.required("request"))
    let id = try command.optionalString("id")
    let expiresAt = try command.optionalTimestamp("expiresAt")
    let sentAt = try command.optionalTimestamp("sentAt")
    let sentTick = try command.optionalInteger("sentTick").map { Tick.milliseconds($0) }
    let own = commands.nextID("local")
    perform(
      Command(
        id: id.map { CommandID($0) } ?? own, principal: asked.principal,
        expiresAt: expiresAt, sentAt: sentAt, sentTick: sentTick, request: request),
      asked.asking
    ) { reply in
      switch reply {
      case .done(let result): answer(.success(result))
      case .refused(let refusal): answer(.failure(refusal))
      }
    }
  }
}

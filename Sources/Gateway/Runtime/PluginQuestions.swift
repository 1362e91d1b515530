import Bytes
import Care
import Door
public import JSON
import Loop
import Moments
public import Ports
import Texts

/// Plugins, what they refused, and copies of the database.
@LoopActor
struct PluginQuestions {
  let plugins: (any PluginAdministration)?
  let store: any CareStore
  let clock: any GatewayClock

  var handlings: [Handling] {
    [
      Handling(.pluginsList) { _, answer in
        pluginReport(of: plugins) { answer(.success($0)) }
      },
      Handling(.pluginsRestart, restartPlugin),
      Handling(.deadLettersList) { asked, answer in
        store.deadLetters(plugin: try asked.reader.optionalString("plugin")) {
          answer($0.map { RouteAnswer(.array($0.map(\.json))) }.mapError(\.refusal))
        }
      },
      Handling(.deadLettersRedrive, redriveDeadLetters), Handling(.backupCreate, backUp),
    ]
  }

  private func restartPlugin(_ asked: Asked, _ answer: @escaping Answer) throws {
    let name = try asked.reader.string("name")
    let isKnown = plugins?.restartPlugin(name) ?? false
    answer(
      isKnown
        ? .success(["restarted": .string(name)])
        : .failure(
          CommandReply.Refusal(
            .unknownTarget,
            Message(
              "There is no plugin \"{name}\". List them with: homeward plugins", ["name": name]))))
  }

  private func redriveDeadLetters(_ asked: Asked, _ answer: @escaping Answer) throws {
    let event = try asked.reader.optionalString("event").map { EventID($0) }
    guard let plugins else { return answer(.success(["redriven": 0])) }
    plugins.redriveDeadLetters(plugin: try asked.reader.optionalString("plugin"), event: event) {
      answer(.success(["redriven": .integer(Int64($0))]))
    }
  }

  private func backUp(_ asked: Asked, _ answer: @escaping Answer) throws {
    let path = try asked.reader.optionalString("path")
    store.backup(to: path, at: clock.now().utc) { outcome in
      answer(outcome.map { RouteAnswer(["path": .string($0)]) }.mapError(\.refusal))
    }
  }
}

/// What each plugin tells of itself; an empty list where nobody can ask them.
@LoopActor
func pluginReport(
  of plugins: (any PluginAdministration)?, _ body: @escaping @LoopActor (JSONValue) -> Void
) {
  guard let plugins else { return body([]) }
  plugins.report(completion: body)
}

extension DeadLetter {
  /// The dead letter as an object.
  public var json: JSONValue {
    [
      "plugin": .string(plugin), "lane": .string(lane.rawValue), "sequence": .integer(sequence),
      "event": .string(event.rawValue), "reason": .string(reason), "time": .string(time.iso8601),
    ]
  }
}

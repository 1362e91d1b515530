import Bytes
import Care
import Door
public import JSON
import Loop
import Moments
public import Ports
import Texts

/// Plugins, what they refused, and copies of the database.
extension GatewayRuntime {
  static let pluginHandlings = [
    Handling(.pluginsList) { runtime, _, answer in
      runtime.withPluginReport { answer(.success($0)) }
    },
    Handling(.pluginsRestart) { try $0.restartPlugin($1, $2) },
    Handling(.deadLettersList) { runtime, asked, answer in
      runtime.parts.store.deadLetters(plugin: try asked.reader.optionalString("plugin")) {
        answer($0.map { RouteAnswer(.array($0.map(\.json))) }.mapError(GatewayRuntime.refusal))
      }
    },
    Handling(.deadLettersRedrive) { try $0.redriveDeadLetters($1, $2) },
    Handling(.backupCreate) { try $0.backUp($1, $2) },
  ]

  private func restartPlugin(_ asked: Asked, _ answer: Answer) throws {
    let name = try asked.reader.string("name")
    let isKnown = parts.plugins?.restartPlugin(name) ?? false
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
    guard let plugins = parts.plugins else { return answer(.success(["redriven": 0])) }
    plugins.redriveDeadLetters(plugin: try asked.reader.optionalString("plugin"), event: event) {
      answer(.success(["redriven": .integer(Int64($0))]))
    }
  }

  private func backUp(_ asked: Asked, _ answer: @escaping Answer) throws {
    let path = try asked.reader.optionalString("path")
    parts.store.backup(to: path, at: parts.clock.now().utc) { outcome in
      answer(outcome.map { RouteAnswer(["path": .string($0)]) }.mapError(Self.refusal))
    }
  }
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

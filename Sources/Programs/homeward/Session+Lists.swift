import Bytes
import Care
import ControlSocket
import Door
import JSON

/// Lists that are longer than what is shown or answered at once.
extension Session {
  static let cursorOption = OptionSpecification.option(
    "cursor", "TEXT", gettext("From where an earlier answer ended, which said so"))

  /// Shows part of a list, from where `--cursor` says on, and says where it goes on.
  func showPart(
    of route: Route, _ params: JSONValue, _ render: (JSONValue) throws(DecodeError) -> String
  ) throws(CommandFailure) {
    let cursor = arguments.option("cursor").map { JSONValue.string($0) }
    let answer = try ask(route, cursor.map { params.setting("cursor", to: $0) } ?? params)
    try show(answer.content, render)
    guard let next = answer.next else { return }
    terminal.writeError(
      gettext("There are more: the same with --cursor {cursor}", ["cursor": next]))
  }

  /// Hands over a list to its end, part by part, until `body` answers false.
  func walk(
    _ route: Route, _ params: JSONValue, _ body: (JSONValue) throws(CommandFailure) -> Bool
  ) throws(CommandFailure) {
    var params = params
    while true {
      let answer = try ask(route, params)
      guard try body(answer.content), let next = answer.next else { return }
      params = params.setting("cursor", to: .string(next))
    }
  }
}

import Care
import Door
import JSON
import Loop
import PluginProtocol
import Ports

/// What a plugin watches for those whose sessions it hands on: each event as the account may see it when it happens, so
/// that whoever is unlinked or logged out sees nothing from then on.
@LoopActor
final class SessionWatches {
  /// What the watches need from the plugin's runner.
  struct Links {
    var environment: PluginHost.Environment
    /// Who speaks by a session; nil where nobody does.
    var asking: @LoopActor (SessionCall) -> Asking?
    /// Sends a line to the plugin, behind what it waits for.
    var send: @LoopActor ([UInt8]) -> Void
    /// Bytes that the plugin has not read yet.
    var waitingBytes: @LoopActor () -> Int
  }

  private struct Watch {
    var session: SessionCall
    var selection: EventSelection
  }

  /// Why a watch ends that the plugin did not end.
  private enum End: String {
    case loggedOut = "logged-out"
    case slow
  }

  private let links: Links
  private var watches: [(id: String, watch: Watch)] = []
  private var count = 0

  init(_ links: Links) { self.links = links }

  var hasRoom: Bool { watches.count < PluginLimits.watches }

  /// Begins a watch; its id.
  func begin(_ session: SessionCall, _ selection: EventSelection) -> String {
    count += 1
    let id = "w\(count)"
    watches.append((id, Watch(session: session, selection: selection)))
    return id
  }

  /// Ends a watch; false where there is none of that id.
  func end(_ id: String) -> Bool {
    guard let index = watches.firstIndex(where: { $0.id == id }) else { return false }
    watches.remove(at: index)
    return true
  }

  /// Hands an event on to each watch that wants it, as far as its account may see it.
  func show(_ event: EncodedEvent) {
    // Who is the same account sees the same of it, through a plugin whose grants are the same for all.
    var views: [Account: [UInt8]?] = [:]
    for (id, watch) in watches where watch.selection.wants(event) {
      guard let asking = links.asking(watch.session) else {
        close(id, because: .loggedOut)
        continue
      }
      let known = asking.account.flatMap { views[$0] }
      let view = known ?? links.environment.onView(event, asking)
      if let account = asking.account, known == nil { views[account] = .some(view) }
      guard let body = view else { continue }
      guard links.waitingBytes() + body.count <= PluginLimits.watchedBytes else {
        close(id, because: .slow)
        continue
      }
      links.send(
        Array(
          #"{"jsonrpc":"2.0","method":"\#(PluginMethod.watched)","params":{"watch":"\#(id)","event":"#
            .utf8)
          + body + Array("}}\n".utf8))
    }
  }

  private func close(_ id: String, because end: End) {
    _ = self.end(id)
    links.send(
      RPCLine.notification(
        method: PluginMethod.watched,
        params: ["watch": .string(id), "ended": .string(end.rawValue)]
      ))
  }
}

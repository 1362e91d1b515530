import Care
import GlucoseValues
import Loop
import Ports
import Texts

/// Gives each command about notes, messages and glucose readings what the store holds of them, so that the core need not hold it in memory.
///
/// One command after the other: the next one reads the store when the one before is durable, so that of two changes of one
/// note the second knows the first.
@LoopActor
final class StoredContentGate {
  typealias Reply = @LoopActor (CommandReply) -> Void
  /// Why a command is refused, now that it has what is stored; nil when it is not.
  typealias Check = @LoopActor (Command) -> CommandReply.Refusal?

  /// Who waits for a command, and what is asked before it goes on.
  private struct Pending {
    let check: Check
    let reply: Reply
  }

  /// Commands that wait; more are refused.
  static let waitingAtMost = 1000

  private let store: any CareStore
  private let onward: @LoopActor (Command, @escaping Reply) -> Void
  private var waiting: [(command: Command, check: Check, reply: Reply)] = []
  private var isBusy = false

  init(store: any CareStore, onward: @escaping @LoopActor (Command, @escaping Reply) -> Void) {
    self.store = store
    self.onward = onward
  }

  func pass(_ command: Command, check: @escaping Check, reply: @escaping Reply) {
    guard waiting.count < Self.waitingAtMost else {
      let busy = Message("Too many notes, messages and readings at once. Try again in a moment.")
      return reply(.refused(CommandReply.Refusal(.notNow, busy)))
    }
    waiting.append((command, check, reply))
    if !isBusy { goOn() }
  }

  private func goOn() {
    guard !waiting.isEmpty else {
      isBusy = false
      return
    }
    isBusy = true
    let (command, check, reply) = waiting.removeFirst()
    let pending = Pending(check: check, reply: reply)
    switch command.request {
    case .note(.put(let note, _)): fetch(note.id, command, pending)
    case .note(.remove(let id, _)): fetch(id, command, pending)
    case .note(.send(let id, _, _, _, _, _)), .note(.read(let id)):
      store.message(id) { [weak self] found in
        self?.finish(command, (try? found.get()).flatMap { $0 }.map { .message($0) }, pending)
      }
    default:
      switch try? GlucoseRequest(command.request) {
      case .put(let reading, _): fetch(reading.id, command, pending)
      case .remove(let id, _): fetch(id, command, pending)
      case .showing, .add, nil: finish(command, nil, pending)
      }
    }
  }

  private func fetch(_ id: NoteID, _ command: Command, _ pending: Pending) {
    store.note(id) { [weak self] found in
      // A store that does not answer costs the other version in the events, not the change.
      self?.finish(command, (try? found.get()).flatMap { $0 }.map { .note($0) }, pending)
    }
  }

  private func fetch(_ id: GlucoseReadingID, _ command: Command, _ pending: Pending) {
    store.glucoseReading(id.rawValue) { [weak self] found in
      self?.finish(command, (try? found.get()).flatMap { $0 }.map { .reading($0) }, pending)
    }
  }

  private func finish(
    _ command: Command, _ stored: Command.StoredContent?, _ pending: Pending
  ) {
    var command = command
    command.stored = stored
    if let refusal = pending.check(command) {
      pending.reply(.refused(refusal))
      return goOn()
    }
    onward(command) { [weak self] answer in
      pending.reply(answer)
      self?.goOn()
    }
  }
}

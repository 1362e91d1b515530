import Bytes
import Care
import Door
import JSON
import Loop
import Ports
import Texts

/// A pairing that somebody asked for, and how it went.
struct PairingProgress {
  var address: BluetoothAddress
  /// What becomes of it; nil where it becomes nobody's.
  var meter: GlucoseMeter?
  /// The command that began it; nil for a question.
  var command: CommandID?
  /// Why it failed; nil while it goes on, and when it is done.
  var why: Message?
  var isOver = false

  func json(in language: Language) -> JSONValue {
    .object([
      "address": .string(address.written),
      "state": .string(isOver ? why == nil ? "done" : "failed" : "going-on"),
      "why": why.map { .string($0.text(in: language)) },
    ])
  }
}

/// The pairing of a meter or another device that somebody asked for: one at a time.
@LoopActor
final class Pairings {
  private let commands: LocalCommands
  private let perform: CommandPerformer
  /// The last pairing that somebody asked for.
  private(set) var last: PairingProgress?

  init(_ commands: LocalCommands, perform: @escaping CommandPerformer) {
    self.commands = commands
    self.perform = perform
  }

  /// Why none can begin now; nil when one can.
  var refusal: CommandReply.Refusal? {
    guard let going = last, !going.isOver else { return nil }
    return CommandReply.Refusal(
      .conflict,
      Message(
        "{address} is being paired. Wait until that is done.",
        ["address": going.address.written]))
  }

  /// Whether a device is being paired for a resident; the address is one that the radio resolved.
  func areGoingOn(with address: BluetoothAddress, of resident: ResidentID) -> Bool {
    guard let last, !last.isOver, last.meter?.resident == resident else { return false }
    return last.address == address
  }

  /// Begins one; with a meter, that becomes its resident's.
  func begin(
    _ request: PairingRequest, of meter: GlucoseMeter?, for asking: Asking,
    _ bluetooth: any BluetoothAdministration, by command: CommandID? = nil
  ) {
    last = PairingProgress(address: request.address, meter: meter, command: command)
    bluetooth.pair(request) { [weak self] in self?.paired(meter, by: asking, $0) }
  }

  private func paired(
    _ meter: GlucoseMeter?, by asking: Asking, _ result: Result<Void, BluetoothFailure>
  ) {
    if case .failure(let failure) = result { return end(failure.message) }
    guard let meter else { return end(nil) }
    let request = Command.Request.bluetooth(.putMeter(meter))
    perform(commands.command(request, by: asking.principal), asking) { [weak self] reply in
      if case .refused(let refusal) = reply {
        self?.end(refusal.message)
      } else {
        self?.end(nil)
      }
    }
  }

  private func end(_ why: Message?) {
    last?.why = why
    last?.isOver = true
  }
}

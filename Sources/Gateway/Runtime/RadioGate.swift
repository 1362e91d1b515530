import Care
import Core
import Door
import Loop
import Ports
import Texts

extension BluetoothRequest {
  /// Whether the radio does something that the core only admits and writes down.
  var isForRadio: Bool {
    switch self {
    case .search, .pairMeter, .answerPairing: true
    default: false
    }
  }

  /// The request as it is recorded: without digits, which pair a meter and are nobody's business.
  var recorded: BluetoothRequest {
    guard case .answerPairing(let address, let resident, _) = self else { return self }
    return .answerPairing(address, of: resident, PairingReply())
  }
}

/// Has the radio do what caregivers ask, to search and to pair, once the core has admitted it.
@LoopActor
struct RadioGate {
  /// Nil where Bluetooth is not used.
  let bluetooth: (any BluetoothAdministration)?
  let pairings: Pairings
  let searches: DeviceSearches
  /// Passes a command on to the core.
  let onward: @LoopActor (Command, @escaping @LoopActor (CommandReply) -> Void) -> Void

  /// Has the radio do what was asked, once the core has admitted it.
  func pass(
    _ request: BluetoothRequest, _ command: Command, for asking: Asking,
    reply: @escaping @LoopActor (CommandReply) -> Void
  ) {
    guard let bluetooth else {
      return reply(
        .refused(
          CommandReply.Refusal(
            .conflict,
            Message("This gateway does not use Bluetooth. Whoever keeps it can switch it on."))))
    }
    if let refusal = refusal(of: request, by: command.id) { return reply(.refused(refusal)) }
    var recorded = command
    recorded.request = .bluetooth(request.recorded)
    onward(recorded) { answer in
      guard case .done = answer else { return reply(answer) }
      if let refusal = drive(bluetooth, request, command.id, for: asking) {
        reply(.refused(refusal))
      } else {
        reply(answer)
      }
    }
  }

  /// Why the radio cannot do it now; nil when it can, and when it does already.
  private func refusal(
    of request: BluetoothRequest, by command: CommandID
  ) -> CommandReply.Refusal? {
    switch request {
    case .pairMeter: pairings.last?.command == command ? nil : pairings.refusal
    case .answerPairing(let address, let resident, _):
      isPairing(address, of: resident) ? nil : Self.nothingAsked
    default: nil
    }
  }

  private func isPairing(_ address: BluetoothAddress, of resident: ResidentID) -> Bool {
    pairings.areGoingOn(with: bluetooth?.resolved(address) ?? address, of: resident)
  }

  private static let nothingAsked = CommandReply.Refusal(
    .conflict, Message("The meter does not ask for that any more. Begin again."))

  /// - Returns: why it was not done after all; nil when it was.
  private func drive(
    _ bluetooth: any BluetoothAdministration, _ request: BluetoothRequest, _ id: CommandID,
    for asking: Asking
  ) -> CommandReply.Refusal? {
    switch request {
    case .search(let resident, let seconds):
      searches.begin(for: resident, seconds, by: id, bluetooth)
    case .pairMeter(var meter):
      guard pairings.last?.command != id else { return nil }
      if let refusal = pairings.refusal { return refusal }
      meter.address = bluetooth.resolved(meter.address)
      pairings.begin(
        PairingRequest(address: meter.address), of: meter, for: asking, bluetooth, by: id)
    case .answerPairing(let address, let resident, let given):
      let answer: PairingAnswer? =
        given.passkey.map { .passkey($0) } ?? given.isSame.map { .isSame($0) }
      guard let answer, isPairing(address, of: resident),
        bluetooth.answer(answer, for: bluetooth.resolved(address))
      else { return Self.nothingAsked }
    default: break
    }
    return nil
  }
}

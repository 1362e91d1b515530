import Care
import Loop
import Ports
import Texts

/// Takes PINs out of commands before anything is decided or recorded, and puts in what they are worth.
@LoopActor
struct PINGate {
  /// Digits of a PIN.
  static let lengths = 4...12

  let keeper: any CredentialKeeper
  /// The stored hash of a resident's PIN.
  let hash: @LoopActor (PINKind, ResidentID) -> String?

  /// Passes a command on, its PIN replaced; `refuse` is called instead when the PIN cannot be taken.
  func pass(
    _ command: Command, onward: @escaping @LoopActor (Command) -> Void,
    refuse: @escaping @LoopActor (CommandReply.Refusal) -> Void
  ) {
    guard case .alarm(let request) = command.request, let pin = request.pin else {
      return onward(command)
    }
    var command = command
    command.request = .alarm(request.withoutPIN)
    switch request {
    case .cancel(let resident, _, _):
      keeper.judge(pin, okay: hash(.okay, resident), duress: hash(.duress, resident)) {
        command.pinProof = .verdict($0)
        onward(command)
      }
    case .setPIN(let resident, let kind, _):
      set(pin, kind, resident, command, onward: onward, refuse: refuse)
    default: onward(command)
    }
  }

  private func set(
    _ pin: String, _ kind: PINKind, _ resident: ResidentID, _ command: Command,
    onward: @escaping @LoopActor (Command) -> Void,
    refuse: @escaping @LoopActor (CommandReply.Refusal) -> Void
  ) {
    guard Self.lengths.contains(pin.utf8.count), pin.utf8.allSatisfy({ (48...57).contains($0) })
    else {
      return refuse(CommandReply.Refusal(.invalid, Message("A PIN has 4 through 12 digits.")))
    }
    let (own, other) = (hash(kind, resident), hash(kind == .okay ? .duress : .okay, resident))
    keeper.judge(pin, okay: other, duress: own) { verdict in
      if verdict == .correct {
        return refuse(
          CommandReply.Refusal(
            .conflict,
            Message("The two PINs must differ, or nobody could tell them apart. Choose another."))
        )
      }
      // The same PIN keeps its hash, so that a command that comes twice is known as the same.
      if verdict == .duress, let own {
        var command = command
        command.pinProof = .hash(own)
        return onward(command)
      }
      keeper.hash([pin]) { hashes in
        guard let hash = hashes?.first else {
          return refuse(
            CommandReply.Refusal(.notNow, Message("The PIN cannot be kept now. Try again soon.")))
        }
        var command = command
        command.pinProof = .hash(hash)
        onward(command)
      }
    }
  }
}

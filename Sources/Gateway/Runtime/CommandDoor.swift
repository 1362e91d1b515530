import Accounts
import Care
import Core
import Door
import Loop
import Moments
import Ports
import Texts

/// Who may have a command done, by what they are and by what they asked before.
@LoopActor
struct CommandDoor {
  let view: CoreView
  let clock: any GatewayClock
  /// How often somebody without a session tried to come in.
  private var entries = EntryLimit()
  /// What sessions were told that it takes away what calls for help.
  private var confirmations = Confirmations()

  init(_ view: CoreView, clock: any GatewayClock) {
    self.view = view
    self.clock = clock
  }

  /// Why a command is not carried out for whoever asks; nil when it is.
  mutating func refusal(of command: Command, for asking: Asking) -> CommandReply.Refusal? {
    guard !asking.isOwner else { return nil }
    let refusal = Policy.decide(asking, command, in: KnownHousehold(core: view.core))
      .refusal(with: asking.proof)
    if refusal?.code == .unconfirmed, let session = asking.session {
      confirmations.told(session, command.request, at: clock.now().tick)
    }
    return refusal
  }

  /// Who asks, with the proof that they said it once more after they were told what it takes away.
  mutating func confirmed(_ asking: Asking, of request: Command.Request) -> Asking {
    guard asking.confirms, let session = asking.session,
      confirmations.takes(session, request, at: clock.now().tick)
    else { return asking }
    var asking = asking
    asking.proof = .confirmation
    return asking
  }

  /// Why nobody may try to come in just now; nil where somebody may, and where a keeper asks.
  mutating func tooManyEntries(
    _ command: Command, _ asking: Asking
  ) -> CommandReply.Refusal? {
    guard !asking.isOwner, CommandRule.of(command.request.action)?.needs == .logIn,
      !entries.takes(from: asking.address, at: clock.now().tick)
    else { return nil }
    return CommandReply.Refusal(
      .notNow, Message("Too many tries from here. Please wait for a minute and try again."))
  }

  /// Why what asks may not let a browser in; nil where it may. A screen stands in a room where anybody comes by: whoever
  /// does would take the account along.
  func refusal(ofLettingIn command: Command, for asking: Asking) -> CommandReply.Refusal? {
    switch try? AccountRequest(command.request) {
    case .addBrowser(let id), .admitBrowser(let id, _):
      guard let session = asking.session,
        view.core.accounts.kind(ofSession: session, of: id) != .browser
      else {
        return nil
      }
      return CommandReply.Refusal(
        .forbidden,
        Message("Only a browser in which somebody logged in lets another one in."))
    default: return nil
    }
  }
}

extension Asking {
  /// Who asks by a command that came without saying so: the owner of this machine, or a plugin whose grant for it was
  /// checked.
  static func by(_ command: Command) -> Asking {
    switch command.principal.channel {
    case .local, .gateway: .owner(command.principal)
    case .plugin:
      Asking(command.principal, .plugin(grants: ["command:\(command.request.action)"]))
    }
  }
}

import Accounts
import Care
import Door
import Loop
import Moments
import Ports

/// Notes who looked at whom, so that they can read it.
@LoopActor
final class LookNotes {
  private let clock: any GatewayClock
  private let commands: LocalCommands
  private let perform: CommandPerformer
  /// Who looked at whom within the hour.
  private var looks = LookBook()

  init(clock: any GatewayClock, commands: LocalCommands, perform: @escaping CommandPerformer) {
    self.clock = clock
    self.commands = commands
    self.perform = perform
  }

  /// Notes that an account looked at somebody, so that they can read who did: of each kind once an hour.
  func note(_ asking: Asking, at named: Subject?, _ needs: Set<Permission>) {
    guard let account = asking.account else { return }
    let residents: Set<ResidentID>
    if case .resident(let id)? = named { residents = [id] } else { residents = account.residents }
    for resident in residents.sorted() {
      let kinds = looks.note(account, at: resident, needs, now: clock.now().tick)
      guard !kinds.isEmpty else { continue }
      perform(
        Command(
          id: commands.nextID("look"),
          principal: Principal(channel: .gateway, name: "accounts"),
          request: .account(
            .looked(account.id, at: resident, kinds, address: asking.address))), nil
      ) { _ in }
    }
  }
}

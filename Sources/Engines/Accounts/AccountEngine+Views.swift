import Bytes
public import Care
import JSON
import Moments
import Texts

/// What somebody who treats a resident is let see by those who care for them: readings, diary and medicine, for as long as
/// nobody ends it.
extension AccountEngine {
  /// Shows a code by which one clinician is linked, and nobody else; without the resident's yes there is none.
  mutating func showViewCode(
    of resident: ResidentID, _ command: Command, in world: World, _ outcome: inout Outcome
  ) throws(CommandReply.Refusal) {
    try world.house.requireResident(resident)
    guard world.house.consent(.reports, of: resident)?.isGranted == true else {
      throw CommandReply.Refusal(
        .forbidden,
        Message(
          "{name} has not agreed to reports about their health. Ask {name}, and write the answer down under Settings first.",
          ["name": world.people[resident]?.name ?? resident.rawValue]))
    }
    viewCodes.show(try command.codeDigest(), of: resident, at: world.now.tick)
    outcome.reply = ["resident": .string(resident.rawValue)]
  }

  /// Whom an account sees just now: what somebody treats is not seen while the person refuses reports about their health.
  public func seen(by account: UserAccount, in house: House) -> Set<ResidentID> {
    guard account.role == .clinician else { return account.residents }
    return account.residents.filter { house.consent(.reports, of: $0)?.isGranted != false }
  }
}

import Care
import Core
import Door
import JSON
import Loop

/// Requests about the clocks by which people live.
extension GatewayRuntime {
  static let clockHandlings = [Handling(.clockGet) { try $0.getClock($1, $2) }]

  private func getClock(_ asked: Asked, _ answer: @escaping Answer) throws {
    let id = try asked.wholeResident()
    guard isKnown(id, answer), let resident = core.residents.first(where: { $0.id == id }) else {
      return
    }
    answer(
      .success([
        "resident": .string(id.rawValue), "timeZone": .string(resident.timeZone),
        "isKnown": .bool(core.configuration.timeZoneFiles[resident.timeZone]?.isEmpty == false),
      ]))
  }
}

import Care
import Texts

/// Whether it is known of every button whose it is; one that is nobody's is a fault of the gateway.
struct ButtonOwners: Hashable, Sendable {
  /// The most buttons of plugins that are remembered because nobody knows whose they are.
  private static let unownedAtMost = 16

  /// How it stands; nil until the first look.
  private(set) var report: HealthReport?
  /// Buttons of plugins that were held and are nobody's.
  private var unowned: Set<SourceID> = []

  /// Help was called for with a button that is nobody's: the fault lasts, so nothing is waited for.
  mutating func noteUnowned(_ button: SourceID, in house: House) -> Signal {
    let isBound = house.buttons.contains { $0.button == button }
    if !isBound, unowned.count < Self.unownedAtMost { unowned.insert(button) }
    let found = look(in: house)
    report = found
    return .health(found, isCertain: true)
  }

  /// Finds out anew whether somebody's help would be called for nobody; nil when all is as it was.
  mutating func judge(in house: House) -> Signal? {
    let found = look(in: house)
    guard found.state != report?.state || found.detail != report?.detail else { return nil }
    report = found
    return .health(found, isCertain: false)
  }

  private func look(in house: House) -> HealthReport {
    let bindings = house.buttons + unowned.sorted().map { ButtonBinding(button: $0) }
    let nobodys = bindings.filter { house.owner(of: $0) == nil }.map(\.button.rawValue)
    var report = HealthReport(component: RoomEngine.ownersComponent, state: .unused)
    if house.residents.isEmpty || bindings.isEmpty { return report }
    report.state = .working
    if nobodys.isEmpty { return report }
    let words = Message(
      "Nobody knows whose button this is: {buttons}. Held, it calls for help for somebody, and all guardians are told. Set its resident under buttons in the configuration.",
      ["buttons": nobodys.joined(separator: ", ")])
    report.state = .degraded
    report.code = "of-nobody"
    report.detail = Message(verbatim: words.text(in: house.language))
    return report
  }
}

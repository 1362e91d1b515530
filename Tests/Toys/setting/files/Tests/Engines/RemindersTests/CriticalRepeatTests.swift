import Care
import JSON
import Testing

@testable import Reminders

@Suite("How soon something critical is said again")
struct CriticalRepeatTests {
  private static func item(isCritical: Bool, repeatMinutes: Int64? = nil) -> RoutineItem {
    var item = Home.pill(isCritical: isCritical)
    item.timing.repeatMinutes = repeatMinutes
    return item
  }

  @Test("It holds for what is critical, unless the item says otherwise, and 0 leaves it alone")
  func critical() throws {
    var settings = ReminderSettings()
    #expect(settings.timing(of: Self.item(isCritical: true)).repeatMinutes == 10)
    try settings.set("reminderCriticalRepeatMinutes", to: 3)
    #expect(settings.timing(of: Self.item(isCritical: true)).repeatMinutes == 3)
    #expect(settings.timing(of: Self.item(isCritical: false)).repeatMinutes == 10)
    let own = Self.item(isCritical: true, repeatMinutes: 20)
    #expect(settings.timing(of: own).repeatMinutes == 20)
  }

  @Test("It has a range and a unit, and what does not fit is refused")
  func range() {
    let name = "reminderCriticalRepeatMinutes"
    let setting = ReminderSettings.table.setting(name)
    #expect(setting?.range == .whole(0...240) && setting?.unit == .minutes)
    var settings = ReminderSettings()
    for content in [-1, 241, "soon"] as [JSONValue] {
      #expect(throws: CommandReply.Refusal.self) { try settings.set(name, to: content) }
    }
  }
}

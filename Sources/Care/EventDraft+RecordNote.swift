public import JSON

extension EventDraft {
  /// That somebody changed something that is recorded, for backends and other caregivers.
  ///
  /// - Parameters:
  ///   - action: what was asked, as its request word (`zone.put`).
  ///   - content: what is recorded now, or was when it was removed.
  public static func note(
    _ action: String, _ target: String, of resident: ResidentID, by principal: Principal,
    _ content: JSONValue
  ) -> EventDraft {
    EventDraft(
      type: .recordChanged, lane: .record, resident: resident,
      facts: [
        "action": .string(action), "target": .string(target),
        "by": .string(principal.description), "content": content,
      ])
  }
}

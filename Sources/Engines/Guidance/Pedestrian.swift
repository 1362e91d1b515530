import Care
import Moments
import Texts

/// Somebody on foot, and what is known of them at a moment.
struct Pedestrian {
  let id: ResidentID
  let world: World
  /// Where they were in the last minutes; nil for whoever was not seen.
  let trail: Trail?
  /// Which way they look or go, in degrees clockwise from north; nil where nobody knows.
  let heading: Double?

  init(_ id: ResidentID, _ positions: Positions, in world: World) {
    self.id = id
    self.world = world
    trail = positions.trail(of: id)
    heading = positions.heading(of: id, at: world.now.tick)
  }

  var now: Tick { world.now.tick }
  var language: Language { world.language(of: id) }
  var name: String { world.people[id]?.name ?? id.rawValue }
  var settings: GuidanceSettings { world.house.settings(GuidanceSettings.self, of: id) }

  /// Where they are; nil where nobody knows just now.
  var freshStep: Trail.Step? { trail?.fresh(at: now) }

  /// Has the receiver that moves with them, and a compass, sample as fast as they can.
  var burst: [Action] {
    guard let source = world.house.residents[id]?.gpsSource else { return [] }
    let until = now.advanced(byMilliseconds: Trail.freshMilliseconds)
    return [source, .compass].map { .sampleBurst(source: $0, until: until) }
  }

  /// Says something to them; what of guidance still sounds or waits gives way to it.
  func play(_ words: [String], chime: Bool) -> Action {
    let language = language.rawValue
    let parts = words.map { SoundPart.speech(Sentence($0, language: language)) }
    return .play(
      SoundRequest(
        id: Self.sound(to: id), priority: .reminder,
        parts: (chime ? [.pattern("chime")] : []) + parts))
  }

  /// What is said of guidance is one sound for each resident, so that the newest word replaces what is out of date.
  static func sound(to id: ResidentID) -> SoundID { SoundID("guidance-\(id)") }
}

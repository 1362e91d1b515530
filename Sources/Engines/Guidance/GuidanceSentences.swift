import Care
public import Texts
public import WalkingRoutes

/// What somebody on the way hears: short, one thing at a time, streets and what is seen before metres, never "wrong".
public struct GuidanceSentences: Hashable, Sendable {
  /// Metres that somebody of eighty walks in a minute.
  private static let metersInAMinute = 50.0

  private let language: Language

  /// Sentences in a language.
  public init(language: Language) { self.language = language }

  private func text(_ message: Message) -> String { message.text(in: language) }

  // MARK: Along the way

  /// How a way begins; `heading` is the direction in which somebody goes or looks, nil where nobody knows.
  public func depart(_ route: WalkingRoute, bearing: Double, heading: Double?) -> String {
    let street = route.maneuvers[0].street
    guard let heading else { return text(Self.depart(along: street, towards: bearing)) }
    let turn = Maneuver.Turn(angleDegrees: Angle.turn(from: heading, to: bearing))
    switch turn {
    case .straight, .slightLeft, .slightRight:
      return text(
        street.map { Message("Go straight on, along {street}.", ["street": $0]) }
          ?? Message("Go straight on."))
    case .around, .sharpLeft, .sharpRight:
      // Not by a degree less: a direction that was walked wavers, and so does where the way begins.
      return text(
        street.map { Message("Please turn round, and go along {street}.", ["street": $0]) }
          ?? Message("Please turn round, and go that way."))
    default: return text(Self.depart(along: street, towards: bearing))
    }
  }

  private static func depart(along street: String?, towards bearing: Double) -> Message {
    let direction = Self.cardinal(bearing)
    return street.map {
      Message(
        "Go along {street}, towards the {direction}.", ["street": $0, "direction": direction])
    } ?? Message("Go towards the {direction}.", ["direction": direction])
  }

  /// What is to be done in a moment.
  public func soon(_ maneuver: Maneuver) -> String {
    let turn = Self.words(for: maneuver.turn)
    switch (maneuver.landmark?.name, maneuver.street) {
    case (let landmark?, let street?):
      return text(
        Message(
          "In a moment, at {landmark}, {turn} into {street}.",
          ["landmark": landmark, "turn": turn, "street": street]))
    case (let landmark?, nil):
      return text(
        Message("In a moment, at {landmark}, {turn}.", ["landmark": landmark, "turn": turn]))
    case (nil, let street?):
      return text(
        Message("In a moment, {turn} into {street}.", ["turn": turn, "street": street]))
    case (nil, nil): return text(Message("In a moment, {turn}.", ["turn": turn]))
    }
  }

  /// What is to be done here, and what right after it.
  public func now(_ maneuver: Maneuver, then next: Maneuver? = nil) -> String {
    guard let next else { return text(Self.now(maneuver.turn, maneuver.street)) }
    let turn = Self.words(for: maneuver.turn)
    let then = Self.words(for: next.turn)
    guard let street = next.street else {
      return text(Message("Now {turn}, and then {next}.", ["turn": turn, "next": then]))
    }
    return text(
      Message(
        "Now {turn}, and then {next} into {street}.",
        ["turn": turn, "next": then, "street": street]))
  }

  private static func now(_ turn: Maneuver.Turn, _ street: String?) -> Message {
    let words = Self.words(for: turn)
    guard let street else { return Message("Now {turn}.", ["turn": words]) }
    if turn == .straight { return Message("Go straight on, into {street}.", ["street": street]) }
    return Message("Now {turn} into {street}.", ["turn": words, "street": street])
  }

  /// That a turn was taken, and where it goes on.
  public func along(_ maneuver: Maneuver) -> String {
    text(
      maneuver.street.map { Message("Good. Now straight on along {street}.", ["street": $0]) }
        ?? Message("Good. Now straight on."))
  }

  /// Something kind, and how long it still takes.
  public func reassure(_ maneuver: Maneuver, metersLeft: Double) -> String {
    let minutes = Self.minutes(metersLeft)
    guard let street = maneuver.street else {
      return text(
        Message(
          "You are doing well. Keep going. It is about {n} minute more.",
          plural: "You are doing well. Keep going. It is about {n} minutes more.", minutes))
    }
    return text(
      Message(
        "You are doing well. Keep going along {street}. It is about {n} minute more.",
        plural: "You are doing well. Keep going along {street}. It is about {n} minutes more.",
        minutes, ["street": street]))
  }

  /// That the end is near, and on which side.
  public func near(_ last: Maneuver) -> String {
    switch last.turn {
    case .arriveLeft: text(Message("You are nearly there. It is on your left."))
    case .arriveRight: text(Message("You are nearly there. It is on your right."))
    default: text(Message("You are nearly there."))
    }
  }

  // MARK: A way as a list

  /// What to do at one point of a way, for a list that is read.
  public func step(_ route: WalkingRoute, _ index: Int) -> String {
    let maneuver = route.maneuvers[index]
    switch maneuver.turn {
    case .start:
      let bearing = Angle.bearing(
        from: route.line[0], to: route.line[min(1, route.line.count - 1)])
      return depart(route, bearing: bearing, heading: nil)
    case .arrive, .arriveLeft, .arriveRight: return text(Self.end(maneuver.turn))
    default: return text(Self.now(maneuver.turn, maneuver.street))
    }
  }

  private static func end(_ turn: Maneuver.Turn) -> Message {
    switch turn {
    case .arriveLeft: Message("You are there. It is on your left.")
    case .arriveRight: Message("You are there. It is on your right.")
    default: Message("You are there.")
    }
  }

  // MARK: Words

  /// Minutes on foot, at least one.
  static func minutes(_ meters: Double) -> Int {
    max(1, Int((min(meters, 1e6) / metersInAMinute).rounded()))
  }

  /// A turn as it follows "now" or "in a moment".
  static func words(for turn: Maneuver.Turn) -> Message {
    switch turn {
    case .start, .straight: Message("go straight on")
    case .slightLeft: Message("bear left")
    case .left: Message("turn left")
    case .sharpLeft: Message("turn sharply left")
    case .slightRight: Message("bear right")
    case .right: Message("turn right")
    case .sharpRight: Message("turn sharply right")
    case .around: Message("turn round")
    case .keepLeft: Message("keep left")
    case .keepRight: Message("keep right")
    case .steps: Message("take the stairs")
    case .lift: Message("take the lift")
    case .ferry: Message("take the ferry")
    case .building: Message("go through the door")
    case .arrive, .arriveLeft, .arriveRight: Message("stop")
    }
  }

  /// One of eight directions.
  static func cardinal(_ bearing: Double) -> Message {
    let words = [
      Message("north"), Message("north-east"), Message("east"), Message("south-east"),
      Message("south"), Message("south-west"), Message("west"), Message("north-west"),
    ]
    let place = Int((bearing / 45).rounded()) % words.count
    return words[place < 0 ? place + words.count : place]
  }

  /// One of four sides of somebody.
  static func side(_ angle: Double) -> Message {
    switch abs(angle) {
    case ..<45: Message("in front of you")
    case 135...: Message("behind you")
    default: angle < 0 ? Message("on your left") : Message("on your right")
    }
  }
}

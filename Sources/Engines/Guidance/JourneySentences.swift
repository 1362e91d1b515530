import Care
import Texts
import WalkingRoutes

/// What somebody hears of a journey besides the way, and what those who care read of it.
struct JourneySentences: Hashable, Sendable {
  /// Nearer than this one is told that it is here.
  static let hereMeters = 100.0

  let language: Language
  let name: String
  let destination: Journey.Destination

  private func text(_ message: Message) -> String { message.text(in: language) }

  // MARK: Heard

  var question: String {
    destination.isHome
      ? text(Message("Shall I take you home? Press once for yes, twice for no."))
      : text(
        Message(
          "Shall I show you the way to {place}? Press once for yes, twice for no.",
          ["place": destination.name]))
  }

  var begin: String {
    destination.isHome
      ? text(Message("I will take you home."))
      : text(Message("I will show you the way to {place}.", ["place": destination.name]))
  }

  var cancelled: String { text(Message("All right. I stop showing the way.")) }
  var another: String { text(Message("Let us go this way now.")) }
  var resumed: String { text(Message("I am here again. We go on.")) }
  var seeking: String { text(Message("One moment, please. I am looking for the way.")) }

  var blind: String {
    text(
      Message(
        "I cannot see where you are just now. If it is safe, go out into the open and wait a moment."
      ))
  }

  var arrived: String {
    destination.isHome
      ? text(Message("You are home, {name}. Well done.", ["name": name]))
      : text(
        Message("You are there, {name}: {place}.", ["name": name, "place": destination.name]))
  }

  /// Where it is, for somebody at a place who goes or looks in a direction, if that is known.
  func pointing(from place: Coordinate, heading: Double?) -> String {
    let meters = place.distanceMeters(to: destination.place)
    let bearing = Angle.bearing(from: place, to: destination.place)
    let direction =
      heading.map { GuidanceSentences.side(Angle.turn(from: $0, to: bearing)) }
      ?? Message("towards the {direction}", ["direction": GuidanceSentences.cardinal(bearing)])
    if meters <= Self.hereMeters {
      return destination.isHome
        ? text(Message("Home is here, {direction}.", ["direction": direction]))
        : text(
          Message(
            "{place} is here, {direction}.",
            ["place": destination.name, "direction": direction]))
    }
    let minutes = GuidanceSentences.minutes(meters)
    return destination.isHome
      ? text(
        Message(
          "Home is {direction}, about {n} minute on foot.",
          plural: "Home is {direction}, about {n} minutes on foot.", minutes,
          ["direction": direction]))
      : text(
        Message(
          "{place} is {direction}, about {n} minute on foot.",
          plural: "{place} is {direction}, about {n} minutes on foot.", minutes,
          ["place": destination.name, "direction": direction]))
  }

  /// What the resident is asked, or told, in trouble; nil for whoever cannot hear it.
  func asking(_ trouble: Trouble.Kind) -> String? {
    switch trouble {
    case .unheard: nil
    case .still:
      text(Message("Take your time. Press the button once, and I say the way again."))
    case .pacing:
      text(
        Message(
          "Let us stand still for a moment. Press the button once, and I say the way again."))
    case .vehicle:
      text(
        Message("Are you in a car or a bus? Press the button once if somebody is with you."))
    case .tooFar:
      text(
        Message(
          "That is too far to walk. I ask somebody to come. Please stay here, if it is safe."))
    case .dark:
      text(
        Message(
          "It is dark outside. I ask somebody to come. Please stay here, if it is safe."))
    case .noWay:
      text(
        Message(
          "I find no way there on foot. I ask somebody to come. Please stay here, if it is safe."))
    }
  }

  var told: String {
    text(
      Message(
        "I have asked somebody to look after you. Please stay here, if it is safe."))
  }

  // MARK: Read by those who care

  private var place: Message {
    destination.isHome
      ? Message("home", context: "a destination") : Message(verbatim: destination.name)
  }

  var began: String {
    text(Message("{name} is shown the way: {place}.", ["name": name, "place": place]))
  }

  var ended: String {
    text(
      Message("{name} is no longer shown the way: {place}.", ["name": name, "place": place]))
  }

  var news: String {
    destination.isHome
      ? text(Message("{name} has come home, shown the way.", ["name": name]))
      : text(
        Message(
          "{name} has arrived, shown the way: {place}.", ["name": name, "place": place]))
  }

  func rerouted(_ count: Int) -> String {
    text(
      Message(
        "{name} is on another way than the one shown; a new one was found.", ["name": name]))
  }

  func worry(_ trouble: Trouble.Kind) -> String {
    let values: Message.Values = ["name": name, "place": place]
    switch trouble {
    case .still:
      return text(
        Message("{name} is on the way ({place}) and does not go on.", values))
    case .pacing:
      return text(
        Message("{name} is on the way ({place}) and goes back and forth.", values))
    case .vehicle:
      return text(
        Message("{name} is on the way ({place}) and moves faster than on foot.", values))
    case .tooFar:
      return text(Message("{name} wants to go ({place}), and it is too far to walk.", values))
    case .dark:
      return text(Message("{name} wants to go ({place}), and it is dark.", values))
    case .noWay:
      return text(Message("{name} wants to go ({place}), and nothing leads there on foot.", values))
    case .unheard:
      return text(
        Message(
          "{name} is on the way ({place}) and cannot hear what I say: my voice fails.", values))
    }
  }
}

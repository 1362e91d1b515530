import Care
import Texts

/// How a zone is spoken of: a circle by the distance from its centre, any other area by that from its border.
struct ZoneWords {
  private let hasBorder: Bool

  init(_ zone: SafeZone) { hasBorder = zone.polygon != nil }

  /// That somebody came in, after `{away}` away where that is known.
  func entered(hasBeenAway: Bool, _ values: Message.Values) -> Message {
    switch (hasBorder, hasBeenAway) {
    case (false, false):
      Message(
        "{name} came into {zone}: the position is {distance} from its centre, "
          + "within the {radius} radius.", values)
    case (false, true):
      Message(
        "{name} came into {zone} after {away} away: the position is {distance} from its centre, "
          + "within the {radius} radius.", values)
    case (true, false):
      Message("{name} came into {zone}: the position is within its border.", values)
    case (true, true):
      Message(
        "{name} came into {zone} after {away} away: the position is within its border.", values)
    }
  }

  /// That somebody left, and what shows it.
  func left(_ values: Message.Values) -> Message {
    hasBorder
      ? Message(
        "{name} left {zone}: {count} positions in a row, {apart}, were {listed} outside of its border, "
          + "beyond the {margin} margin and {doubted}.", values)
      : Message(
        "{name} left {zone}: {count} positions in a row, {apart}, were {listed} from its centre, "
          + "beyond the {radius} radius plus {margin} margin and {doubted}.", values)
  }

  /// Why nobody can say.
  func doubted(isUnconfirmed: Bool, _ values: Message.Values) -> Message {
    switch (hasBorder, isUnconfirmed) {
    case (false, true):
      Message(
        "one position {distance} from its centre was outside, "
          + "and for {duration} none has confirmed or refuted it", values)
    case (false, false):
      Message(
        "for {duration} positions have been too near to its border, "
          + "the last {distance} from its centre, for their {doubt}", values)
    case (true, true):
      Message(
        "one position was {distance} outside of its border, "
          + "and for {duration} none has confirmed or refuted it", values)
    case (true, false):
      Message(
        "for {duration} positions have been too near to its border, "
          + "the last {distance} from it, for their {doubt}", values)
    }
  }

  /// That it is certain again, and where somebody is.
  func certain(isInside: Bool, _ values: Message.Values) -> Message {
    switch (hasBorder, isInside) {
    case (false, true): Message("{why}: {name} is in {zone}, {distance} from its centre.", values)
    case (false, false):
      Message("{why}: {name} is outside of {zone}, {distance} from its centre.", values)
    case (true, true): Message("{why}: {name} is in {zone}, {distance} from its border.", values)
    case (true, false):
      Message("{why}: {name} is outside of {zone}, {distance} from its border.", values)
    }
  }

  /// That somebody went through.
  func crossed(_ values: Message.Values) -> Message {
    hasBorder
      ? Message(
        "{name} crossed {zone} between two positions: the straight line between them leads over its border.",
        values)
      : Message(
        "{name} crossed {zone} between two positions: "
          + "the straight line between them passes {distance} from its centre.", values)
  }
}

extension SafeZone {
  /// Where the edge is, in the metres by which people are told a distance: from the centre of a circle, else from the border.
  var edgeDistanceMeters: Double { polygon == nil ? radiusMeters : 0 }
}

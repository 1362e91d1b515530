public import Care
import Texts

/// The time of day as people say it.
///
///     03:00  It is three o'clock at night.            现在是凌晨三点整。
///     15:15  It is three fifteen in the afternoon.    现在是下午三点十五分。
///     00:00  It is midnight.                          现在是午夜十二点。
public enum SpokenClock {
  /// The sentence for a time of day; Chinese for `zh` and what begins with `zh-`, else English.
  ///
  /// Hour and minute beyond their ranges are read modulo 24 and 60.
  public static func sentence(hour: Int, minute: Int, language: String) -> Sentence {
    let hour = ((hour % 24) + 24) % 24
    let minute = ((minute % 60) + 60) % 60
    let spoken = Language(language)
    return Sentence(text(hour, minute).text(in: spoken), language: spoken.rawValue)
  }

  private static func text(_ hour: Int, _ minute: Int) -> Message {
    switch (hour, minute) {
    case (0, 0): Message("It is midnight.")
    case (12, 0): Message("It is noon.")
    default:
      Message(
        "It is {hour} {minute} {part}.",
        ["hour": spoken(hour: hour), "minute": spoken(minute: minute), "part": part(of: hour)])
    }
  }

  private static func spoken(hour: Int) -> Message {
    switch hour % 12 == 0 ? 12 : hour % 12 {
    // Midnight has a name in some languages, and twelve is noon there.
    case 12 where hour == 0: Message("twelve", context: "hour after midnight")
    case 1: Message("one", context: "hour")
    case 2: Message("two", context: "hour")
    case 3: Message("three", context: "hour")
    case 4: Message("four", context: "hour")
    case 5: Message("five", context: "hour")
    case 6: Message("six", context: "hour")
    case 7: Message("seven", context: "hour")
    case 8: Message("eight", context: "hour")
    case 9: Message("nine", context: "hour")
    case 10: Message("ten", context: "hour")
    case 11: Message("eleven", context: "hour")
    default: Message("twelve", context: "hour")
    }
  }

  private static func spoken(minute: Int) -> Message {
    switch minute {
    case 0: Message("o'clock")
    case 1...9: Message("oh {digit}", ["digit": number(minute)])
    case 10...19: Message("{number}", context: "minutes", ["number": number(minute)])
    default: Message("{number}", context: "minutes", ["number": tens(minute)])
    }
  }

  /// Twenty through fifty-nine.
  private static func tens(_ minute: Int) -> Message {
    let ten =
      switch minute / 10 {
      case 2: Message("twenty")
      case 3: Message("thirty")
      case 4: Message("forty")
      default: Message("fifty")
      }
    guard minute % 10 > 0 else { return ten }
    return Message("{ten}-{digit}", ["ten": ten, "digit": number(minute % 10)])
  }

  private static func number(_ number: Int) -> Message {
    switch number {
    case 1: Message("one")
    case 2: Message("two")
    case 3: Message("three")
    case 4: Message("four")
    case 5: Message("five")
    case 6: Message("six")
    case 7: Message("seven")
    case 8: Message("eight")
    case 9: Message("nine")
    case 10: Message("ten")
    case 11: Message("eleven")
    case 12: Message("twelve")
    case 13: Message("thirteen")
    case 14: Message("fourteen")
    case 15: Message("fifteen")
    case 16: Message("sixteen")
    case 17: Message("seventeen")
    case 18: Message("eighteen")
    default: Message("nineteen")
    }
  }

  /// The part of the day; English joins some hours that other languages keep apart.
  private static func part(of hour: Int) -> Message {
    switch hour {
    case 0...4: Message("at night", context: "after midnight")
    case 5...8: Message("in the morning", context: "early")
    case 9...11: Message("in the morning", context: "late")
    case 12: Message("in the afternoon", context: "noon")
    case 13...17: Message("in the afternoon", context: "later")
    case 18...20: Message("in the evening")
    default: Message("at night", context: "before midnight")
    }
  }
}

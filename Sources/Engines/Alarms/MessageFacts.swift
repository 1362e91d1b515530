import Care
import Texts

/// What the words of a message are made from.
struct MessageFacts: Hashable, Sendable {
  var language: Language
  var notice: AlarmNotice
  var kind: AlarmKind
  var tag: String
  /// The resident's name, or the gateway's.
  var name: String
  /// The resident's id, in plain letters, for alphabets that cannot spell the name.
  var plainName: String
  /// A few words about the cause.
  var label = ""
  /// Whether the resident was expected back; the label says when and from where.
  var isOverdue = false
  /// `14:32` by the resident's clock; nil while no clock is trusted.
  var localTime: String?
  var position: KnownPosition?
  /// Age of the position.
  var positionAgeSeconds: Int64 = 0
  /// Who took charge.
  var helper = ""
  /// The words with which the alarm ended.
  var closing: String?
  /// Why help was asked for, in the words of who asked; empty for none.
  var why = ""
  /// Whether it was the calendar that asked for a test, and no person.
  var isScheduled = false
  /// How whoever reads the message can say that they are going.
  var answer = AnswerWay.reply
  /// Whether there is room for more than one text message holds, and for every letter, as in an e-mail.
  var hasRoom = false
  /// The emergency number that was contacted.
  var emergencyNumber: String?

  /// A position as maps and people read it, such as `52.09012,5.12130`.
  var coordinates: String? {
    position.map {
      decimals($0.coordinate.latitudeDegrees) + "," + decimals($0.coordinate.longitudeDegrees)
    }
  }

  /// Which map the link opens.
  var map = MapLink.openStreetMap

  /// What opens a map at the position.
  func link(isShort: Bool) -> String? {
    position.map { map.text($0.coordinate, isShort: isShort) }
  }

  /// The age of the position in its largest unit.
  var age: Message {
    switch positionAgeSeconds {
    case ..<120: Message("{seconds}s ago", ["seconds": positionAgeSeconds])
    case ..<7200: Message("{minutes}min ago", ["minutes": positionAgeSeconds / 60])
    default: Message("{hours}h ago", ["hours": min(999, positionAgeSeconds / 3600)])
    }
  }

  /// Whole metres of error, when they are known.
  var accuracy: String? {
    position?.accuracyMeters.flatMap { Int64(exactly: $0.rounded(.up)) }.map {
      String(min(99_999, max(0, $0)))
    }
  }
}

/// How a guardian can take charge.
enum AnswerWay: Hashable, Sendable {
  /// By an answer to this very message.
  case reply
  /// By an answer to the text message or the call that comes beside it.
  case phone
  /// Only by going there, or by calling, and telling the gateway; the guardian's id.
  case inPerson(GuardianID)
}

/// Degrees with five decimals, about a metre.
func decimals(_ degrees: Double) -> String {
  let scaled = Int64((degrees * 100_000).rounded())
  let digits = String(scaled.magnitude % 100_000)
  let fraction = String(repeating: "0", count: 5 - digits.utf8.count) + digits
  return "\(scaled < 0 ? "-" : "")\(scaled.magnitude / 100_000).\(fraction)"
}

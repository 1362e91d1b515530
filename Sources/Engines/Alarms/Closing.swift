import Bytes
import JSON
import Texts

/// With which words an alarm ended, so that each guardian reads them in their own language.
enum Closing: Hashable, Sendable {
  /// Somebody's own words, or those that an earlier version stored; the same in each language.
  case words(String)
  /// The resident said so without words of their own.
  case allRight
  /// The resident's position is known again.
  case located
  /// A battery that was low has been charged.
  case charged
  /// A part does its work again; its name.
  case works(String)
  /// A part is not there any more, or switched off; its name.
  case unused(String)
  /// Each medicine was answered.
  case medicineSettled
  /// A reading after the dangerous one is none.
  case withinRange
  /// The resident is in a zone that they had not left; its name, or the names of several.
  case inZone(String)
  /// The resident is in the zone that they had left; its name.
  case backInZone(String)
  /// The zone that the alarm was about is gone; its name.
  case zoneRemoved(String)
  /// The zone's owner wants to hear of no leaving any more; its name.
  case leavingAllowed(String)
  /// There is no zone left to be outside of.
  case lastZoneRemoved
  /// The resident is expected to be out; the name of the absence, and until when as people read it.
  case expectedOut(String, until: String)
  /// Somebody on the way goes on.
  case goesOn
  /// Somebody on the way has arrived.
  case arrived
  /// Each message of a test is on its way or given up.
  case tested(sent: Int64, all: Int64)

  /// What is said about it.
  var message: Message {
    switch self {
    case .words(let words): Message(verbatim: words)
    case .allRight: Message("I'm OK.")
    case .located: Message("Is located again.")
    case .charged: Message("The battery is charged again.")
    case .works(let part): Message("{part} works again.", ["part": part])
    case .unused(let part): Message("{part} is not used any more.", ["part": part])
    case .medicineSettled: Message("The medicine is taken care of.")
    case .withinRange: Message("A later glucose reading is within the range.")
    case .inZone(let zone): Message("Is in {zone}.", ["zone": zone])
    case .backInZone(let zone): Message("Is back in {zone}.", ["zone": zone])
    case .zoneRemoved(let zone): Message("The zone {zone} was removed.", ["zone": zone])
    case .leavingAllowed(let zone):
      Message("Leaving {zone} is no alarm any more.", ["zone": zone])
    case .lastZoneRemoved:
      Message("The last safe zone was removed: there is none to be outside of.")
    case .expectedOut(let absence, let time):
      Message(
        "Is expected to be out: {absence}, until {time}.", ["absence": absence, "time": time])
    case .goesOn: Message("Is all right on the way.")
    case .arrived: Message("Has arrived.")
    case .tested(let sent, let all):
      Message(
        "The test is over: {sent} of {all} messages were sent.", ["sent": sent, "all": all])
    }
  }
}

extension Closing {
  /// Reads what ``json`` wrote; a plain text is what an earlier version stored.
  init(json: JSONValue) throws(DecodeError) {
    if let words = json.stringContent {
      self = .words(words)
      return
    }
    let reader = try JSONReader(json)
    switch try reader.string("what") {
    case "all-right": self = .allRight
    case "located": self = .located
    case "charged": self = .charged
    case "works": self = .works(try reader.string("name"))
    case "unused": self = .unused(try reader.string("name"))
    case "medicine-settled": self = .medicineSettled
    case "within-range": self = .withinRange
    case "in-zone": self = .inZone(try reader.string("name"))
    case "back-in-zone": self = .backInZone(try reader.string("name"))
    case "zone-removed": self = .zoneRemoved(try reader.string("name"))
    case "leaving-allowed": self = .leavingAllowed(try reader.string("name"))
    case "last-zone-removed": self = .lastZoneRemoved
    case "expected-out":
      self = .expectedOut(try reader.string("name"), until: try reader.string("until"))
    case "goes-on": self = .goesOn
    case "arrived": self = .arrived
    case "tested":
      self = .tested(sent: try reader.integer("sent"), all: try reader.integer("all"))
    default: throw DecodeError(.unknownWord, at: 0, field: "what")
    }
  }

  /// A text for somebody's own words, otherwise an object that says which sentence it is and what belongs into it.
  var json: JSONValue {
    func named(_ what: String, _ name: String) -> JSONValue {
      ["what": .string(what), "name": .string(name)]
    }
    return switch self {
    case .words(let words): .string(words)
    case .allRight: ["what": "all-right"]
    case .located: ["what": "located"]
    case .charged: ["what": "charged"]
    case .works(let part): named("works", part)
    case .unused(let part): named("unused", part)
    case .medicineSettled: ["what": "medicine-settled"]
    case .withinRange: ["what": "within-range"]
    case .inZone(let zone): named("in-zone", zone)
    case .backInZone(let zone): named("back-in-zone", zone)
    case .zoneRemoved(let zone): named("zone-removed", zone)
    case .leavingAllowed(let zone): named("leaving-allowed", zone)
    case .lastZoneRemoved: ["what": "last-zone-removed"]
    case .expectedOut(let absence, let time):
      named("expected-out", absence).setting("until", to: .string(time))
    case .goesOn: ["what": "goes-on"]
    case .arrived: ["what": "arrived"]
    case .tested(let sent, let all):
      ["what": "tested", "sent": .integer(sent), "all": .integer(all)]
    }
  }
}

import Bytes
import Care
import JSON
import Texts

/// One thing that protects a resident and can be taken away.
enum Safeguard: Hashable, Sendable {
  /// Where the resident is, is followed.
  case tracking
  /// There is a receiver that says where the resident is.
  case receiver
  /// A kind of alarm is raised.
  case alarm(AlarmKind)
  /// An SOS is heard in the room.
  case sound
  /// Somebody is told of alarms.
  case guardians
  /// Leaving a zone raises an alarm of its own.
  case zone(ZoneID)
  /// There is a place that can be left.
  case zones
  /// A guardian is told by the ways by which they were told until now.
  case way(GuardianID)
  /// Who ends an SOS knows the PIN.
  case pin
  /// The resident is known at all.
  case resident

  /// The word for it, in events and rows.
  var word: String {
    switch self {
    case .tracking: "tracking"
    case .receiver: "receiver"
    case .alarm(let kind): "\(kind.rawValue)-alarm"
    case .sound: "sound"
    case .guardians: "guardians"
    case .zone(let id): "zone:\(id)"
    case .zones: "zones"
    case .way(let id): "way:\(id)"
    case .pin: "pin"
    case .resident: "resident"
    }
  }

  init?(word: String) {
    func name(after prefix: String) -> String? {
      word.hasPrefix(prefix) ? String(word.dropFirst(prefix.count)) : nil
    }
    switch word {
    case "tracking": self = .tracking
    case "receiver": self = .receiver
    case "sound": self = .sound
    case "guardians": self = .guardians
    case "zones": self = .zones
    case "pin": self = .pin
    case "resident": self = .resident
    default:
      if let zone = name(after: "zone:") {
        self = .zone(ZoneID(zone))
      } else if let guardian = name(after: "way:") {
        self = .way(GuardianID(guardian))
      } else if word.hasSuffix("-alarm"), let kind = AlarmKind(rawValue: String(word.dropLast(6))) {
        self = .alarm(kind)
      } else {
        return nil
      }
    }
  }

  /// Whether it can be given back, and not only be changed.
  var isSwitch: Bool {
    switch self {
    case .tracking, .receiver, .alarm, .sound, .guardians, .zone, .zones: true
    case .way, .pin, .resident: false
    }
  }
}

/// A protection that was taken away or given back, and by whom.
struct ProtectionChange: Hashable, Sendable {
  var protection: Safeguard
  /// Whether it holds from now on.
  var isOn: Bool
  /// The zone's or guardian's name, where it is about one.
  var label = ""
  /// Who did it, as people know them.
  var who: String
}

extension ProtectionChange: JSONCodable {
  init(json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    let word = try reader.string("protection")
    guard let protection = Safeguard(word: word) else {
      throw reader.error(.unknownWord, "protection")
    }
    self.init(
      protection: protection, isOn: try reader.bool("isOn"), label: try reader.string("label"),
      who: try reader.string("who"))
  }

  var json: JSONValue {
    [
      "protection": .string(protection.word), "isOn": .bool(isOn), "label": .string(label),
      "who": .string(who),
    ]
  }
}

/// What protects one resident now, as far as it can be taken away.
struct Guards: Hashable, Sendable {
  let resident: Resident
  let guardians: [Guardian]
  /// What of the protections that are on or off is on.
  let on: Set<Safeguard>
  let pins: [String: String]

  /// What is to be told when these come after others, in a fixed order.
  func changes(since before: Guards, by who: String) -> [ProtectionChange] {
    let switched = (before.on.symmetricDifference(on)).sorted { $0.word < $1.word }
    var changes = switched.map {
      ProtectionChange(protection: $0, isOn: on.contains($0), who: who)
    }
    // Where nobody is left, that is what is told.
    if on.contains(.guardians) {
      changes += before.guardians.filter { !keepsWays($0) }.map {
        ProtectionChange(protection: .way($0.id), isOn: false, label: $0.name, who: who)
      }
    }
    if pins != before.pins {
      changes.append(ProtectionChange(protection: .pin, isOn: false, who: who))
    }
    return changes
  }

  /// Whether a guardian of before is told by each of the ways that led to them.
  private func keepsWays(_ old: Guardian) -> Bool {
    let ways = guardians.first { $0.id == old.id }?.addresses ?? []
    return old.addresses.allSatisfy { way in ways.contains { $0 == way } }
  }
}

extension ProtectionChange {
  /// What happened, in a sentence.
  func sentence(about name: String) -> Message {
    let values: Message.Values = [
      "who": who, "name": name, "label": label, "cause": cause ?? Message(verbatim: ""),
    ]
    return isOn ? givenBack(values) : takenAway(values)
  }

  private func takenAway(_ values: Message.Values) -> Message {
    switch protection {
    case .tracking:
      Message(
        "{who} switched the tracking of {name} off: nobody is told when {name} leaves.", values)
    case .receiver:
      Message("{who} took the receiver of {name} away: nobody knows where {name} is.", values)
    case .alarm:
      Message("{who} switched an alarm of {name} off, the one for {cause}.", values)
    case .sound:
      Message("{who} made an SOS of {name} silent: nobody in the room hears it.", values)
    case .guardians:
      Message(
        "{who} removed the last guardian of {name}: an alarm reaches nobody any more.", values)
    case .zone:
      Message(
        "{who} switched the alarm of {name} off that leaving the zone {label} raises.", values)
    case .zones:
      Message(
        "{who} removed the last safe zone of {name}: nobody is told when {name} leaves.", values)
    case .way: Message("{who} changed how {label} is told of alarms of {name}.", values)
    case .pin: Message("{who} changed a PIN of {name}.", values)
    case .resident:
      Message("{who} erased {name}: Homeward does not guard {name} any more.", values)
    }
  }

  private func givenBack(_ values: Message.Values) -> Message {
    switch protection {
    case .tracking: Message("{who} switched the tracking of {name} on again.", values)
    case .receiver: Message("{who} gave {name} a receiver again.", values)
    case .alarm: Message("{who} switched an alarm of {name} on again, the one for {cause}.", values)
    case .sound: Message("{who} made an SOS of {name} heard in the room again.", values)
    case .guardians: Message("{who} gave {name} a guardian again.", values)
    case .zone:
      Message("{who} had leaving the zone {label} raise an alarm of {name} again.", values)
    case .zones: Message("{who} gave {name} a safe zone again.", values)
    case .way, .pin, .resident: Message(verbatim: "")
    }
  }

  /// What raises a kind of alarm, as the settings say it.
  private var cause: Message? {
    guard case .alarm(let kind) = protection else { return nil }
    return switch kind {
    case .zone: Message("a safe zone that was left")
    case .position: Message("an unknown position")
    case .glucose: Message("a glucose reading")
    case .medicine: Message("a critical item of the routine that nobody answered")
    case .lost: Message("somebody who needs a person on the way")
    case .fault: Message("a part that fails")
    case .battery: Message("a low battery")
    case .sos, .test: Message(verbatim: kind.rawValue)
    }
  }

  /// What undoes it, as a sentence with a command; nil where there is nothing to undo.
  func undoing(for resident: ResidentID) -> Message? {
    guard !isOn else { return nil }
    let command =
      switch protection {
      case .tracking: "homeward tracking on --resident \(resident)"
      case .receiver: "homeward residents change \(resident) --gps NAME"
      case .alarm(let kind):
        "homeward settings set \(kind.rawValue)Alarm true --resident \(resident)"
      case .sound: "homeward settings set isSilent false --resident \(resident)"
      case .guardians: "homeward guardians add"
      case .zone(let zone): "homeward zones change \(zone) --leaving alarm"
      case .zones: "homeward zones add"
      case .way: "homeward guardians"
      case .pin: "homeward pin set --resident \(resident)"
      case .resident: "homeward restore"
      }
    return Message("To undo it: {command}", ["command": command])
  }
}

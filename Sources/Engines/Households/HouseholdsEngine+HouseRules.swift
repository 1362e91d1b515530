import Care
import Texts

/// The rules that residents, zones, bookmarks and guardians keep.
extension HouseholdsEngine {
  static let zonesAtMost = 20_000
  static let bookmarksAtMost = 20_000
  /// Guardians of one resident.
  static let guardiansAtMost = 5

  func check(_ resident: Resident) throws(CommandReply.Refusal) {
    try requireReceiver(of: resident)
    try Validation.id(resident.id.rawValue, of: "resident")
    try Validation.name(resident.name)
    try Validation.timeZone(resident.timeZone)
    if house.residents[resident.id] == nil { try house.requirePlaceForResident() }
    if let source = resident.gpsSource {
      // What a plugin brings comes under its own name, a slash and another name.
      for name in source.rawValue.split(
        separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
      {
        try Validation.id(String(name), of: "GPS source")
      }
      if let other = house.resident(movingWith: source), other.id != resident.id {
        throw CommandReply.Refusal(
          .conflict,
          Message(
            "The GPS source {source} already belongs to {name}. Take it from them first.",
            ["source": source, "name": other.name]))
      }
    }
  }

  /// Who is to be followed by a receiver that nobody configured would be followed by nothing.
  private func requireReceiver(of resident: Resident) throws(CommandReply.Refusal) {
    guard let source = resident.gpsSource, let known = house.receivers,
      !known.contains(source), house.residents[resident.id]?.gpsSource != source
    else { return }
    guard !known.words.isEmpty else {
      throw CommandReply.Refusal(
        .unknownTarget,
        Message(
          "There is no receiver \"{source}\": none is configured. Add it under gps in the configuration first.",
          ["source": source]))
    }
    throw CommandReply.Refusal(
      .unknownTarget,
      Message(
        "There is no receiver \"{source}\". Configured are: {sources}.",
        ["source": source, "sources": known.words.joined(separator: ", ")]))
  }

  func check(_ zone: SafeZone) throws(CommandReply.Refusal) {
    try Validation.id(zone.id.rawValue, of: "zone")
    try Validation.name(zone.name)
    try house.requireResident(zone.resident)
    guard zone.polygon != nil || (zone.radiusMeters > 0 && zone.radiusMeters <= 100_000) else {
      throw CommandReply.Refusal(
        .invalid, Message("The radius must be more than 0 and at most 100,000 metres."))
    }
    guard (0.0...1_000.0).contains(zone.exitMarginMeters) else {
      throw CommandReply.Refusal(
        .invalid, Message("The margin must be from 0 through 1,000 metres."))
    }
    let old = house.zones[zone.id]
    if let old, old.resident != zone.resident {
      throw CommandReply.Refusal(
        .conflict, Message("The zone {id} belongs to another resident.", ["id": zone.id]))
    }
    if old == nil, house.zones.count >= Self.zonesAtMost {
      throw CommandReply.Refusal(
        .conflict,
        Message(
          "One gateway keeps at most {most} zones. Remove one first.", ["most": Self.zonesAtMost]))
    }
    if house.zones.values.contains(where: {
      $0.resident == zone.resident && $0.name == zone.name && $0.id != zone.id
    }) {
      throw CommandReply.Refusal(
        .conflict,
        Message(
          "There is already a zone named \"{name}\". Choose another name.", ["name": zone.name]))
    }
  }

  func check(_ bookmark: Bookmark) throws(CommandReply.Refusal) {
    try Validation.id(bookmark.id.rawValue, of: "bookmark")
    try Validation.name(bookmark.name)
    try house.requireResident(bookmark.resident)
    guard bookmark.address.unicodeScalars.count <= 500 else {
      throw CommandReply.Refusal(.invalid, Message("The address may have at most 500 characters."))
    }
    let old = bookmarks[bookmark.id]
    if let old, old.resident != bookmark.resident {
      throw CommandReply.Refusal(
        .conflict, Message("The bookmark {id} belongs to another resident.", ["id": bookmark.id]))
    }
    if old == nil, bookmarks.count >= Self.bookmarksAtMost {
      throw CommandReply.Refusal(
        .conflict,
        Message(
          "One gateway keeps at most {most} bookmarks. Remove one first.",
          ["most": Self.bookmarksAtMost]))
    }
  }

  /// Checks a guardian whose phone number is in E.164 already.
  func check(_ guardian: Guardian) throws(CommandReply.Refusal) {
    try Validation.id(guardian.id.rawValue, of: "guardian")
    try Validation.name(guardian.name)
    try house.requireResident(guardian.resident)
    try Validation.addresses(of: guardian)
    if let old = house.guardian(guardian.id), old.resident != guardian.resident {
      throw CommandReply.Refusal(
        .conflict, Message("The guardian {id} belongs to another resident.", ["id": guardian.id]))
    }
    let others = house.guardians(of: guardian.resident).filter { $0.id != guardian.id }
    guard others.count < Self.guardiansAtMost else {
      throw CommandReply.Refusal(
        .conflict,
        Message(
          "A resident has at most {most} guardians. Remove one first.",
          ["most": Self.guardiansAtMost]))
    }
    if let other = others.first(where: { $0.phone != nil && $0.phone == guardian.phone }) {
      throw CommandReply.Refusal(
        .conflict,
        Message(
          "{name} has this phone number already. Give each guardian their own.",
          ["name": other.name]))
    }
  }
}

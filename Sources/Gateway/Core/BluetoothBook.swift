import Bytes
import Care
import JSON
import Texts

/// The tags and meters of the residents, with what tags are known by and how far meters have been fetched.
///
/// Keys stand in rows of their own, so that a tag can be told of without them.
struct BluetoothBook: Hashable, Sendable {
  static let engine = "bluetooth"
  static let metersAtMost = 16
  private static let tagName = "tag:"
  private static let identityName = "identities:"
  private static let meterName = "meter:"
  private static let bookmarkName = "bookmark:"

  private(set) var tags: [TagID: Tag] = [:]
  private(set) var identities: [TagID: [TagIdentity]] = [:]
  private(set) var meters: [BluetoothAddress: GlucoseMeter] = [:]
  private(set) var bookmarks: [BluetoothAddress: JSONValue] = [:]
  /// Rows that cannot be read are kept, so that a later version may.
  private var unreadable: [EngineRow] = []

  init(rows: [EngineRow]) {
    for row in rows where row.engine == Self.engine {
      do throws(DecodeError) { try read(row) } catch { unreadable.append(row) }
    }
  }

  private mutating func read(_ row: EngineRow) throws(DecodeError) {
    if row.name.hasPrefix(Self.tagName) {
      let tag = try Tag(json: row.content)
      tags[tag.id] = tag
    } else if row.name.hasPrefix(Self.identityName) {
      let id = TagID(String(row.name.dropFirst(Self.identityName.count)))
      identities[id] = try JSONReader(row.content).list("identities") { value throws(DecodeError) in
        try TagIdentity(json: value)
      }
    } else if row.name.hasPrefix(Self.meterName) {
      let meter = try GlucoseMeter(json: row.content)
      meters[meter.address] = meter
    } else if row.name.hasPrefix(Self.bookmarkName),
      let address = BluetoothAddress(written: row.name.dropFirst(Self.bookmarkName.count))
    {
      bookmarks[address] = row.content
    } else {
      throw DecodeError(.unknownWord, at: 0, field: "name")
    }
  }

  /// The rows as they are stored.
  var rows: [EngineRow] {
    tags.sorted { $0.key < $1.key }.map { row(of: $0.value) }
      + identities.sorted { $0.key < $1.key }.compactMap { id, found in
        tags[id].map { row(of: $0, knownBy: found) }
      } + meters.sorted { $0.key < $1.key }.map { row(of: $0.value) }
      + bookmarks.sorted { $0.key < $1.key }.compactMap { address, bookmark in
        meters[address].map { row(of: $0, at: bookmark) }
      } + unreadable
  }

  func tags(of resident: ResidentID) -> [Tag] {
    tags.values.filter { $0.resident == resident }.sorted { $0.id < $1.id }
  }

  // MARK: Changes

  mutating func put(
    _ tag: Tag, identities wanted: [TagIdentity]?, atMost: Int
  ) throws(CommandReply.Refusal) -> [StateChange] {
    if let old = tags[tag.id], old.resident != tag.resident {
      throw CommandReply.Refusal(
        .conflict, Message("The tag {id} belongs to another resident.", ["id": tag.id]))
    }
    guard tags[tag.id] != nil || tags(of: tag.resident).count < atMost else {
      throw CommandReply.Refusal(
        .conflict,
        Message("A resident has at most {most} tags. Remove one first.", ["most": atMost]))
    }
    let known = wanted ?? identities[tag.id] ?? []
    guard (1...8).contains(known.count) else {
      throw CommandReply.Refusal(
        .invalid,
        Message(
          "A tag is known by one through eight identities. Find them with: homeward bluetooth scan")
      )
    }
    for other in identities.keys.sorted() where other != tag.id {
      guard let taken = identities[other]?.first(where: { known.contains($0) }),
        let holder = tags[other]
      else { continue }
      throw CommandReply.Refusal(
        .conflict,
        Message(
          "{identity} stands for {name} already. Remove it there first.",
          ["identity": "\(taken)", "name": holder.name]))
    }
    tags[tag.id] = tag
    identities[tag.id] = known
    return [.putEngineRow(row(of: tag)), .putEngineRow(row(of: tag, knownBy: known))]
  }

  mutating func removeTag(_ id: TagID) throws(CommandReply.Refusal) -> (Tag, [StateChange]) {
    guard let tag = tags.removeValue(forKey: id) else { throw Directory.unknown("tag", id) }
    identities[id] = nil
    return (
      tag,
      [
        removal(of: tag.resident, Self.tagName + id.rawValue),
        removal(of: tag.resident, Self.identityName + id.rawValue),
      ]
    )
  }

  mutating func put(_ meter: GlucoseMeter) throws(CommandReply.Refusal) -> [StateChange] {
    guard meters[meter.address] != nil || meters.count < Self.metersAtMost else {
      throw CommandReply.Refusal(
        .conflict,
        Message(
          "One gateway fetches from at most {most} meters. Remove one first.",
          ["most": Self.metersAtMost]))
    }
    var changes: [StateChange] = []
    // Another resident's readings are not theirs: what they measure is fetched from here on.
    if let old = meters[meter.address], old.resident != meter.resident {
      changes = removals(of: old)
      bookmarks[meter.address] = nil
    }
    meters[meter.address] = meter
    return changes + [.putEngineRow(row(of: meter))]
  }

  mutating func removeMeter(
    _ address: BluetoothAddress
  ) throws(CommandReply.Refusal) -> (GlucoseMeter, [StateChange]) {
    guard let meter = meters.removeValue(forKey: address) else {
      throw CommandReply.Refusal(
        .unknownTarget,
        Message(
          "There is no meter {address}. List them with: homeward bluetooth status",
          ["address": address.written]))
    }
    bookmarks[address] = nil
    return (meter, removals(of: meter))
  }

  /// Notes how far a meter has been fetched; nil when it is nobody's.
  mutating func setBookmark(_ bookmark: JSONValue, of address: BluetoothAddress) -> StateChange? {
    guard let meter = meters[address] else { return nil }
    bookmarks[address] = bookmark
    return .putEngineRow(row(of: meter, at: bookmark))
  }

  /// Forgets a resident; the rows go with the rest of what is stored about them.
  mutating func erase(_ resident: ResidentID) {
    for tag in tags(of: resident) {
      tags[tag.id] = nil
      identities[tag.id] = nil
    }
    for meter in meters.values where meter.resident == resident {
      meters[meter.address] = nil
      bookmarks[meter.address] = nil
    }
    unreadable.removeAll { $0.subject == resident.rawValue }
  }

  // MARK: Rows

  private func row(of tag: Tag) -> EngineRow {
    row(of: tag.resident, Self.tagName + tag.id.rawValue, tag.json)
  }

  private func row(of tag: Tag, knownBy identities: [TagIdentity]) -> EngineRow {
    row(
      of: tag.resident, Self.identityName + tag.id.rawValue,
      ["identities": .array(identities.map(\.json))])
  }

  private func row(of meter: GlucoseMeter) -> EngineRow {
    row(of: meter.resident, Self.meterName + meter.address.written, meter.json)
  }

  private func row(of meter: GlucoseMeter, at bookmark: JSONValue) -> EngineRow {
    row(of: meter.resident, Self.bookmarkName + meter.address.written, bookmark)
  }

  private func row(of resident: ResidentID, _ name: String, _ content: JSONValue) -> EngineRow {
    EngineRow(engine: Self.engine, subject: resident.rawValue, name: name, content: content)
  }

  private func removals(of meter: GlucoseMeter) -> [StateChange] {
    [Self.meterName, Self.bookmarkName].map {
      removal(of: meter.resident, $0 + meter.address.written)
    }
  }

  private func removal(of resident: ResidentID, _ name: String) -> StateChange {
    .removeEngineRow(engine: Self.engine, subject: resident.rawValue, name: name)
  }
}

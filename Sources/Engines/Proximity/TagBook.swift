import Bytes
import Care
import JSON
import Texts

/// The tags of the residents, with what they are known by.
///
/// Keys stand in rows of their own, so that a tag can be told of without them.
struct TagBook: Hashable, Sendable {
  static let engine = "bluetooth"
  private static let tagName = "tag:"
  private static let identityName = "identities:"
  private static let removedAtMost = 8

  private struct Removed: Hashable {
    var tag: Tag
    var identities: [TagIdentity]
  }

  private(set) var tags: [TagID: Tag] = [:]
  private(set) var identities: [TagID: [TagIdentity]] = [:]
  /// What the last tags were known by that were removed: who puts one back at once, as by "Undo", does not know that. Until a
  /// restart.
  private var removed: [Removed] = []
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
    } else if !Self.othersNames.contains(where: row.name.hasPrefix) {
      throw DecodeError(.unknownWord, at: 0, field: "name")
    }
  }

  /// Meters stand beside the tags, and are kept with what they measure.
  private static let othersNames = ["meter:", "bookmark:"]

  /// The rows as they are stored.
  var rows: [EngineRow] {
    tags.sorted { $0.key < $1.key }.map { row(of: $0.value) }
      + identities.sorted { $0.key < $1.key }.compactMap { id, found in
        tags[id].map { row(of: $0, knownBy: found) }
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
    let before = removed.last { $0.tag.id == tag.id && $0.tag.resident == tag.resident }
    let known = wanted ?? identities[tag.id] ?? before?.identities ?? []
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
    removed.removeAll { $0.tag.id == tag.id }
    return [.putEngineRow(row(of: tag)), .putEngineRow(row(of: tag, knownBy: known))]
  }

  mutating func remove(_ id: TagID) throws(CommandReply.Refusal) -> (Tag, [StateChange]) {
    guard let tag = tags.removeValue(forKey: id) else { throw Validation.unknown("tag", id) }
    removed =
      removed.suffix(Self.removedAtMost - 1) + [Removed(tag: tag, identities: identities[id] ?? [])]
    identities[id] = nil
    return (
      tag,
      [
        removal(of: tag.resident, Self.tagName + id.rawValue),
        removal(of: tag.resident, Self.identityName + id.rawValue),
      ]
    )
  }

  /// Forgets a resident; the rows go with the rest of what is stored about them.
  mutating func erase(_ resident: ResidentID) {
    for tag in tags(of: resident) {
      tags[tag.id] = nil
      identities[tag.id] = nil
    }
    removed.removeAll { $0.tag.resident == resident }
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

  private func row(of resident: ResidentID, _ name: String, _ content: JSONValue) -> EngineRow {
    EngineRow(engine: Self.engine, subject: resident.rawValue, name: name, content: content)
  }

  private func removal(of resident: ResidentID, _ name: String) -> StateChange {
    .removeEngineRow(engine: Self.engine, subject: resident.rawValue, name: name)
  }
}

import Bytes
public import Care

/// One known tag that was recognised in an advertisement.
public struct TagMatch<Tag: Hashable & Sendable>: Hashable, Sendable {
  /// The tag.
  public var tag: Tag
  /// Whether this was made with the tag's key; it may still be a recording that is played again.
  public var isAuthentic: Bool
  /// What a BTHome device says, opened where it was sealed.
  public var bthome: BTHomeFrame?

  /// A match from its parts.
  public init(tag: Tag, isAuthentic: Bool = false, bthome: BTHomeFrame? = nil) {
    self.tag = tag
    self.isAuthentic = isAuthentic
    self.bthome = bthome
  }
}

/// Finds the household's tags among all that advertises.
///
/// Changing tags never match by what they change. Whether a changing address belongs to a known key is computed once for
/// each address; ``rememberedAddresses`` of them are remembered, however many pass by.
public struct TagMatcher<Tag: Hashable & Comparable & Sendable>: Sendable {
  /// Changing addresses that are remembered at most.
  public static var rememberedAddresses: Int { 512 }

  private let cipher: any AdvertisementCipher
  /// By the bits of a lasting address: a person who writes one down rarely knows how it was assigned.
  private var byAddress: [UInt64: [Tag]] = [:]
  private var byContent: [TagIdentity: [Tag]] = [:]
  private var sensors: [UInt64: [(tag: Tag, key: AES128Key?)]] = [:]
  private var resolving: [(tag: Tag, key: AES128Key)] = []
  private var resolved: [UInt64: [Tag]] = [:]
  /// The addresses of `resolved`, oldest first from `oldest` on, as a ring.
  private var order: [UInt64] = []
  private var oldest = 0

  /// A matcher of known tags.
  ///
  /// - Parameters:
  ///   - known: what each tag is known by; a tag may have several.
  ///   - cipher: who computes what keys are needed for.
  public init(_ known: [(tag: Tag, identity: TagIdentity)], cipher: any AdvertisementCipher) {
    self.cipher = cipher
    for (tag, identity) in known {
      switch identity {
      case .address(let address): byAddress[address.bits, default: []].append(tag)
      case .bthome(let address, let key): sensors[address.bits, default: []].append((tag, key))
      case .resolvingKey(let key): resolving.append((tag, key))
      case .iBeacon, .eddystone, .altBeacon: byContent[identity, default: []].append(tag)
      }
    }
  }

  /// The tags that sent this, each once and in order.
  ///
  /// - Parameters:
  ///   - reading: what the advertisement says.
  ///   - sender: the address that it came from; nil when it did not say.
  public mutating func matches(
    in reading: AdvertisementReading, from sender: BluetoothAddress?
  ) -> [TagMatch<Tag>] {
    // Nearly all that advertises is a stranger's: nothing is made for it.
    var found: [TagMatch<Tag>] = []
    for content in reading.contents {
      for tag in content.identity.flatMap({ byContent[$0] }) ?? [] {
        Self.put(TagMatch(tag: tag), into: &found)
      }
    }
    if let sender {
      for tag in tags(at: sender) {
        let plain = reading.bthome.flatMap { $0.isEncrypted ? nil : $0 }
        Self.put(TagMatch(tag: tag, isAuthentic: !sender.isLasting, bthome: plain), into: &found)
      }
    }
    if let frame = reading.bthome, let address = frame.address ?? sender {
      for match in sensorMatches(frame, address) { Self.put(match, into: &found) }
    }
    return found.count < 2 ? found : found.sorted { $0.tag < $1.tag }
  }

  /// A later match of a tag takes the place of an earlier one.
  private static func put(_ match: TagMatch<Tag>, into found: inout [TagMatch<Tag>]) {
    if let place = found.firstIndex(where: { $0.tag == match.tag }) {
      found[place] = match
    } else {
      found.append(match)
    }
  }

  private mutating func tags(at sender: BluetoothAddress) -> [Tag] {
    if sender.isLasting { return byAddress[sender.bits] ?? [] }
    guard sender.randomKind == .resolvablePrivate, !resolving.isEmpty else { return [] }
    if let known = resolved[sender.bits] { return known }
    let tags = resolving.filter { sender.isResolved(by: $0.key, with: cipher) }.map(\.tag)
    remember(tags, for: sender.bits)
    return tags
  }

  private mutating func remember(_ tags: [Tag], for bits: UInt64) {
    if order.count < Self.rememberedAddresses {
      order.append(bits)
    } else {
      resolved[order[oldest]] = nil
      order[oldest] = bits
      oldest = (oldest + 1) % order.count
    }
    resolved[bits] = tags
  }

  /// A sensor with a key counts only when the key opens what it sent.
  private func sensorMatches(
    _ frame: BTHomeFrame, _ address: BluetoothAddress
  ) -> [TagMatch<Tag>] {
    (sensors[address.bits] ?? []).compactMap { tag, key in
      guard let key else {
        return TagMatch(tag: tag, bthome: frame.isEncrypted ? nil : frame)
      }
      guard let opened = frame.opened(key: key, from: address, with: cipher) else { return nil }
      return TagMatch(tag: tag, isAuthentic: true, bthome: opened)
    }
  }
}

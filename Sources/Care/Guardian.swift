public import Bytes
public import JSON

/// Somebody who is told when a resident is in danger; needs no account.
public struct Guardian: Hashable, Sendable {
  /// A way to reach somebody.
  public enum Channel: String, Hashable, Sendable, CaseIterable, Comparable {
    /// A text message to the phone.
    case sms
    /// A voice call that speaks the alarm and asks for a key press.
    case voice
    /// An e-mail.
    case email
    /// A push message, by the address that the push plugin is given.
    case push

    /// The order of ``allCases``.
    public static func < (left: Channel, right: Channel) -> Bool { left.rank < right.rank }

    private var rank: Int { Channel.allCases.firstIndex(of: self) ?? 0 }
  }

  /// Stable identifier; lower-case letters, digits and hyphens.
  public var id: GuardianID
  /// The resident whose guardian it is; a resident has at most five.
  public var resident: ResidentID
  /// The name as people write it, any script, 1 through 200 characters.
  public var name: String
  /// The phone number in E.164 (`+4791234567`), for text messages and calls.
  public var phone: String?
  /// The e-mail address.
  public var email: String?
  /// The address for push messages, as the push plugin reads it (an Apprise address or a name from its settings).
  public var push: String?
  /// Ways that the guardian is not to be told by, though an address is known.
  public var withoutChannels: Set<Channel>
  /// When the guardian is told: 1 at once, 2 and 3 when nobody before took charge in time.
  public var tier: Int
  /// Whether the guardian is a caregiver in the house, who may resolve alarms.
  public var isCaregiver: Bool
  /// The language of what the guardian is told, as BCP 47 has it: `en` or `zh`; nil for the resident's.
  public var language: String?

  /// A guardian from its parts.
  public init(
    id: GuardianID, resident: ResidentID, name: String, phone: String? = nil,
    email: String? = nil, push: String? = nil, withoutChannels: Set<Channel> = [], tier: Int = 1,
    isCaregiver: Bool = false, language: String? = nil
  ) {
    self.id = id
    self.resident = resident
    self.name = name
    self.phone = phone
    self.email = email
    self.push = push
    self.withoutChannels = withoutChannels
    self.tier = tier
    self.isCaregiver = isCaregiver
    self.language = language
  }

  /// Where a way leads; nil where the guardian has no address of the kind, or is not to be told by it.
  public func address(by channel: Channel) -> String? {
    guard !withoutChannels.contains(channel) else { return nil }
    return switch channel {
    case .sms, .voice: phone
    case .email: email
    case .push: push
    }
  }

  /// The ways that lead to the guardian, in the order of ``Channel``, each with its address.
  public var addresses: [(channel: Channel, address: String)] {
    Channel.allCases.compactMap { channel in
      address(by: channel).map { (channel, $0) }
    }
  }
}

extension Guardian: JSONCodable {
  /// Reads a guardian; `id`, `resident` and `name` are required.
  public init(json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    var channels: [Channel] = []
    if reader.optional("withoutChannels") != nil {
      channels = try reader.list("withoutChannels") { value throws(DecodeError) in
        guard let channel = value.stringContent.flatMap(Channel.init) else {
          throw reader.error(.unknownWord, "withoutChannels")
        }
        return channel
      }
    }
    let tier = try reader.optionalInteger("tier") ?? 1
    guard (1...3).contains(tier) else { throw reader.error(.outOfRange, "tier") }
    self.init(
      id: GuardianID(try reader.string("id")), resident: ResidentID(try reader.string("resident")),
      name: try reader.string("name"), phone: try reader.optionalString("phone"),
      email: try reader.optionalString("email"), push: try reader.optionalString("push"),
      withoutChannels: Set(channels), tier: Int(tier),
      isCaregiver: try reader.optionalBool("isCaregiver") ?? false,
      language: try reader.optionalString("language"))
  }

  /// The guardian as an object; what is not set is left out.
  public var json: JSONValue {
    .object([
      "id": .string(id.rawValue), "resident": .string(resident.rawValue), "name": .string(name),
      "phone": phone.map { .string($0) }, "email": email.map { .string($0) },
      "push": push.map { .string($0) },
      "withoutChannels": withoutChannels.isEmpty
        ? nil : .array(withoutChannels.sorted().map { .string($0.rawValue) }),
      "tier": .integer(Int64(tier)), "isCaregiver": .bool(isCaregiver),
      "language": language.map { .string($0) },
    ])
  }
}

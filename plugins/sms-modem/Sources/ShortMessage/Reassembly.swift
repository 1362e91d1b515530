public import Moments

/// A whole message from somebody, with the places in the modem's storage that it takes up.
public struct ReceivedText: Hashable, Sendable {
  /// Who seems to have sent it.
  public var sender: PhoneAddress
  /// When the message centre took it; nil when it says nonsense.
  public var sentAt: Timestamp?
  /// What it says.
  public var text: String
  /// Where its parts are stored; empty for what was never stored.
  public var places: [Int]

  /// A message from its parts.
  public init(sender: PhoneAddress, sentAt: Timestamp?, text: String, places: [Int]) {
    self.sender = sender
    self.sentAt = sentAt
    self.text = text
    self.places = places
  }
}

/// Joins the parts of long messages, at most so many at a time and for so long.
public struct Reassembly: Sendable {
  /// The most messages that wait for parts; the oldest gives way.
  public static let maximumOpen = 20
  /// How long a message waits for its parts.
  public static let patienceMilliseconds: Int64 = 3_600_000

  private struct Key: Hashable {
    var sender: PhoneAddress
    var reference: UInt16
    var total: UInt8
    var isWide: Bool
  }

  private struct Open {
    var since: Tick
    var sentAt: Timestamp?
    var texts: [UInt8: String] = [:]
    var places: Set<Int> = []
  }

  private var open: [Key: Open] = [:]

  /// Nothing waits.
  public init() {}

  /// How many messages wait for parts.
  public var openCount: Int { open.count }

  /// Takes a frame; gives the message that is whole with it.
  public mutating func take(_ frame: DeliverFrame, place: Int?, at now: Tick) -> ReceivedText? {
    guard let part = frame.part, part.total > 1 else {
      return ReceivedText(
        sender: frame.sender, sentAt: frame.sentAt, text: frame.text,
        places: place.map { [$0] } ?? [])
    }
    let key = Key(
      sender: frame.sender, reference: part.reference, total: part.total, isWide: part.isWide)
    var message = open[key] ?? Open(since: now, sentAt: frame.sentAt)
    message.texts[part.number] = frame.text
    if let place { message.places.insert(place) }
    guard message.texts.count == Int(part.total) else {
      open[key] = message
      return nil
    }
    open[key] = nil
    return ReceivedText(
      sender: key.sender, sentAt: message.sentAt,
      text: message.texts.sorted { $0.key < $1.key }.map(\.value).joined(),
      places: message.places.sorted())
  }

  /// Gives up messages that waited too long or are too many; gives what came of them, parts in order.
  public mutating func giveUp(at now: Tick) -> [ReceivedText] {
    let byAge = open.sorted { $0.value.since < $1.value.since }
    let surplus = max(0, byAge.count - Self.maximumOpen)
    var given: [ReceivedText] = []
    for (index, (key, message)) in byAge.enumerated()
    where index < surplus
      || now.milliseconds(since: message.since) >= Self.patienceMilliseconds
    {
      open[key] = nil
      given.append(
        ReceivedText(
          sender: key.sender, sentAt: message.sentAt,
          text: message.texts.sorted { $0.key < $1.key }.map(\.value).joined(),
          places: message.places.sorted()))
    }
    return given
  }
}

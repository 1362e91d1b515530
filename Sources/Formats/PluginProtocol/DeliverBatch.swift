public import Bytes
public import Care
import JSON

/// A batch of stored events as the host sends it (`events.deliver`).
public struct DeliverBatch: Hashable, Sendable {
  /// The lane that all events belong to.
  public var lane: Lane
  /// Whether the events are in the journal.
  public var isDurable: Bool
  /// Journal sequences of the first and the last event; nil when they are not durable.
  public var sequences: ClosedRange<Int64>?
  /// The stored bytes of each event.
  public var bodies: [[UInt8]]

  /// A batch from its parts.
  public init(
    lane: Lane, isDurable: Bool, sequences: ClosedRange<Int64>?, bodies: [[UInt8]]
  ) {
    self.lane = lane
    self.isDurable = isDurable
    self.sequences = sequences
    self.bodies = bodies
  }

  /// The request as a line; the stored bytes are spliced in unread.
  public func line(id: RPCID) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(bodies.reduce(256) { $0 + $1.count + 1 })
    let head = "{\"jsonrpc\":\"2.0\",\"id\":\(id.json.serialized),\"method\":\"events.deliver\","
    bytes.append(contentsOf: head.utf8)
    bytes.append(
      contentsOf: "\"params\":{\"lane\":\"\(lane.rawValue)\",\"durable\":\(isDurable),".utf8)
    if let sequences {
      bytes.append(
        contentsOf: "\"first\":\(sequences.lowerBound),\"last\":\(sequences.upperBound),".utf8)
    }
    bytes.append(contentsOf: "\"events\":[".utf8)
    for (index, body) in bodies.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      bytes.append(contentsOf: body)
    }
    bytes.append(contentsOf: "]}}\n".utf8)
    return bytes
  }
}

/// A batch as a plugin receives it: the line that arrived, and where each event stands in it.
public struct ReceivedBatch: Hashable, Sendable {
  /// The lane that all events belong to.
  public let lane: Lane
  /// Whether the events are in the journal; if not, they come again with the same ids.
  public let isDurable: Bool
  /// Journal sequences of the first and the last event, for logs.
  public let sequences: ClosedRange<Int64>?
  /// The line that arrived.
  public let line: [UInt8]
  /// Where each event's bytes stand in the line.
  public let eventRanges: [Range<Int>]

  /// Reads the parameters of an `events.deliver` request without reading the events.
  ///
  /// - Throws: ``JSON/DecodeError`` when a member is missing or does not fit.
  public init(_ message: RPCMessage) throws(DecodeError) {
    guard let payload = message.payloadRange else {
      throw DecodeError(.missingField, at: 0, field: "params")
    }
    let bytes = message.line
    var ranges: [String: Range<Int>] = [:]
    for (key, range) in try JSONSlices.members(of: bytes, at: payload.lowerBound) {
      guard ranges.updateValue(range, forKey: key) == nil else {
        throw DecodeError(.duplicateKey, at: range.lowerBound, field: key)
      }
    }
    guard let events = ranges["events"] else {
      throw DecodeError(.missingField, at: payload.lowerBound, field: "events")
    }
    line = bytes
    eventRanges = try JSONSlices.arrayElements(of: bytes, at: events.lowerBound)
    let reader = try JSONReader(.object(try Self.scalars(of: bytes, in: ranges)), path: "params")
    lane = try reader.word("lane", as: Lane.self)
    isDurable = try reader.bool("durable")
    sequences = try Self.sequences(reader)
  }

  /// How many events the batch holds.
  public var count: Int { eventRanges.count }

  /// The stored bytes of one event; nil outside `0..<count`.
  public func body(_ index: Int) -> ArraySlice<UInt8>? {
    eventRanges.indices.contains(index) ? line[eventRanges[index]] : nil
  }

  private static func scalars(
    of bytes: [UInt8], in ranges: [String: Range<Int>]
  ) throws(DecodeError) -> [JSONMember] {
    var members: [JSONMember] = []
    for key in ["lane", "durable", "first", "last"] {
      guard let range = ranges[key] else { continue }
      members.append(JSONMember(key: key, value: try JSONValue(parsing: bytes[range])))
    }
    return members
  }

  private static func sequences(_ reader: JSONReader) throws(DecodeError) -> ClosedRange<Int64>? {
    guard let first = try reader.optionalInteger("first"),
      let last = try reader.optionalInteger("last")
    else { return nil }
    guard first <= last else { throw reader.error(.outOfRange, "last") }
    return first...last
  }
}

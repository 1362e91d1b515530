import Bytes
import Care
import JSON
import MQTTTopics
import PluginKit
import PluginProtocol

/// What the owner configured, checked beyond what the schema can say.
struct MQTTSettings: Hashable, Sendable {
  /// When an event counts as taken.
  enum Acceptance: String, Hashable, Sendable {
    /// The broker acknowledged it (PUBACK).
    case broker
    /// The receiving application acknowledged its id.
    case application
  }

  /// Files for TLS.
  struct TLS: Hashable, Sendable {
    /// Certificates of the authorities to trust; nil for those of the system.
    var caFile: String?
    /// This gateway's certificate, when the broker asks for one.
    var certificateFile: String?
    /// The key of the certificate.
    var keyFile: String?
  }

  /// What one principal may ask for, and where.
  struct CommandGrant: Hashable, Sendable {
    /// Who asks.
    var principal: String
    /// The topic that requests arrive at.
    var topic: String
    /// Words of the requests allowed.
    var actions: [String]
  }

  /// What is told of rooms, and what is listened to.
  struct Rooms: Hashable, Sendable {
    /// The room that this gateway tells of; nil when it tells nothing.
    var publishedRoom: String?
    /// Whose topics are listened to.
    var listen: Set<RoomTopics.Family> = []
  }

  /// In ``guardians``: everybody whom the gateway knows.
  static let everyGuardian = "*"
  /// Items of a routine that are entities unless set.
  static let usualRoutineItems = 40

  /// Name of the principal whose button presses in Home Assistant become commands.
  static let homeAssistantPrincipal = "home-assistant"

  var host: String
  var port: Int32
  var tls: TLS?
  var username: String?
  var password: String?
  var clientID: String
  var keepAliveSeconds: Int32
  var acceptance: Acceptance
  /// How Home Assistant is told of entities.
  var discovery: DiscoveryMode
  /// The prefix of Home Assistant's discovery topics.
  var discoveryPrefix: String
  /// Items of a resident's routine that are entities, at most.
  var routineItems: Int
  /// Whether items of an imported calendar are entities, too.
  var showsCalendarItems: Bool
  var commands: [CommandGrant]
  /// Ids of those who may take charge of an alarm, each on a topic of their own.
  var guardians: [String]
  var rooms = Rooms()
  var topics: Topics

  /// Reads the settings.
  ///
  /// - Throws: an error that names the setting and says what to change.
  init(json: JSONValue, gateway: GatewayID) throws(RPCError) {
    do { try self.init(reader: JSONReader(json), gateway: gateway) } catch {
      throw Self.fault(gettext("the setting does not fit: {error}", ["error": error]))
    }
    try checkTopics()
    try checkTLS()
    try checkRooms()
  }

  private init(reader: JSONReader, gateway: GatewayID) throws(DecodeError) {
    host = try reader.string("host")
    let tls = try reader.optionalObject("tls")
    self.tls = try tls.map(Self.tls)
    port = try Self.number(reader, "port", 1...65_535) ?? (tls == nil ? 1883 : 8883)
    username = try reader.optionalString("username")
    password = try reader.optionalString("password")
    keepAliveSeconds = try Self.number(reader, "keepAliveSeconds", 10...3600) ?? 60
    clientID = try reader.optionalString("clientID") ?? "homeward-\(Topics.level(gateway.rawValue))"
    acceptance = try reader.optionalWord("acceptedWhen", as: Acceptance.self) ?? .broker
    let topics = Topics(
      prefix: try reader.optionalString("topicPrefix") ?? "homeward", gateway: gateway)
    self.topics = topics
    let shown = try reader.optionalObject("homeAssistant")
    let isEnabled = try shown?.optionalBool("enabled") ?? false
    let mode = try shown?.optionalWord("discovery", as: DiscoveryMode.self) ?? .device
    discovery = isEnabled ? mode : .off
    discoveryPrefix = try shown?.optionalString("discoveryPrefix") ?? "homeassistant"
    if let shown, let limit = try Self.number(shown, "routineItems", 0...200) {
      routineItems = Int(limit)
    } else {
      routineItems = Self.usualRoutineItems
    }
    showsCalendarItems = try shown?.optionalBool("calendarItems") ?? false
    guardians = try reader.array("guardians").compactMap(\.stringContent)
    if let reader = try reader.optionalObject("rooms") { rooms = try Self.rooms(reader) }
    commands = []
    for element in try reader.array("commands") {
      commands.append(try Self.grant(JSONReader(element, path: "commands"), topics))
    }
  }

  private static func number(
    _ reader: JSONReader, _ name: String, _ range: ClosedRange<Int64>
  ) throws(DecodeError) -> Int32? {
    guard let number = try reader.optionalInteger(name) else { return nil }
    guard range.contains(number) else { throw reader.error(.outOfRange, name) }
    return Int32(number)
  }

  private static func tls(_ reader: JSONReader) throws(DecodeError) -> TLS {
    if try reader.optionalBool("insecure") == true { throw reader.error(.outOfRange, "insecure") }
    return TLS(
      caFile: try reader.optionalString("caFile"),
      certificateFile: try reader.optionalString("certificateFile"),
      keyFile: try reader.optionalString("keyFile"))
  }

  private static func rooms(_ reader: JSONReader) throws(DecodeError) -> Rooms {
    let listen = try reader.list("listen") { value throws(DecodeError) in
      guard let family = value.stringContent.flatMap(RoomTopics.Family.init) else {
        throw reader.error(.unknownWord, "listen")
      }
      return family
    }
    let room = try reader.optionalString("room")
    let isPublished = try reader.optionalBool("publish") ?? false
    return Rooms(publishedRoom: isPublished ? room ?? "" : nil, listen: Set(listen))
  }

  private static func grant(
    _ reader: JSONReader, _ topics: Topics
  ) throws(DecodeError) -> CommandGrant {
    let principal = try reader.string("principal")
    return CommandGrant(
      principal: principal,
      topic: try reader.optionalString("topic") ?? topics.command(principal: principal),
      actions: try reader.array("actions").compactMap(\.stringContent))
  }

  private func checkTopics() throws(RPCError) {
    guard Topics.isPublishable(topics.base) else {
      throw Self.fault(
        gettext("topicPrefix must have no +, # or control characters and no leading $"))
    }
    if !Topics.isPublishable(discoveryPrefix) {
      throw Self.fault(
        gettext("homeAssistant.discoveryPrefix must have no +, # or control characters"))
    }
    for grant in commands {
      guard Topics.isPublishable(grant.topic), (1...100).contains(grant.principal.count) else {
        throw Self.fault(
          gettext(
            "commands: principal \"{principal}\" needs a name of 1 through 100 characters and a "
              + "topic without +, # and control characters: one topic belongs to one principal",
            ["principal": grant.principal]))
      }
    }
    guard guardians.allSatisfy({ (1...100).contains($0.count) }) else {
      throw Self.fault(gettext("guardians: an id must have 1 through 100 characters"))
    }
    let all = commands.map(\.topic) + guardians.map { topics.acknowledge(guardian: $0) }
    if Set(all).count != all.count {
      throw Self.fault(
        gettext("commands, guardians: two of them have the same topic; each needs one of its own"))
    }
  }

  private func checkRooms() throws(RPCError) {
    guard let room = rooms.publishedRoom,
      (try? RoomTopics().encode(room: room, isOnline: true)) == nil
    else { return }
    throw Self.fault(
      gettext(
        "rooms: publish needs the room that this gateway is in, a name of 1 through 128 bytes "
          + "without /, +, # and control characters"))
  }

  private func checkTLS() throws(RPCError) {
    guard let tls, (tls.certificateFile == nil) != (tls.keyFile == nil) else { return }
    throw Self.fault(
      gettext("tls: certificateFile and keyFile belong together; set both or neither"))
  }

  private static func fault(_ message: String) -> RPCError {
    RPCError(code: RPCError.invalidParametersCode, message: message)
  }
}

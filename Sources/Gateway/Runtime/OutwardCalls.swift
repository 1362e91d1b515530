import Care
import JSON
import Loop
import Ports
import Texts

/// Tells guardians, takes photographs and contacts the emergency services, by way of plugins.
///
/// What becomes of each comes back as an observation; a plugin that is away, does not answer or refuses is an answer, too.
@LoopActor
final class OutwardCalls {
  /// What the calls work with.
  struct Links {
    /// Nil for none: then every call fails.
    var services: (any ServiceCaller)?
    var pictures: (any PictureKeeper)?
    var observer: @LoopActor (Observation) -> Void
    /// In which failures are told.
    var language = Language.en
  }

  private static let notifyMilliseconds: Int64 = 10_000
  private static let photographMilliseconds: Int64 = 20_000
  private static let mapMilliseconds: Int64 = 15_000

  private let links: Links

  init(_ links: Links) { self.links = links }

  func notify(_ message: AlarmMessage) {
    call(
      "notify.\(message.channel.rawValue)", params: message.json,
      timeoutMilliseconds: Self.notifyMilliseconds
    ) { [links] answer in
      guard let failure = Self.failure(in: answer) else { return }
      links.observer(
        .delivery(
          DeliveryReport(
            plugin: "", event: EventID(message.alarm.rawValue),
            recipient: message.guardian.rawValue, channel: message.channel.rawValue,
            outcome: .failed, detail: failure.text(in: links.language), notice: message.notice,
            attempt: message.attempt)))
    }
  }

  /// Has a message brought that is about no alarm, for somebody who waits to hear whether it is on its way.
  func bring(_ message: AlarmMessage, completion: @escaping @LoopActor (_ isTaken: Bool) -> Void) {
    call(
      "notify.\(message.channel.rawValue)", params: message.json,
      timeoutMilliseconds: Self.notifyMilliseconds
    ) { completion(Self.failure(in: $0) == nil) }
  }

  func contact(_ contact: EmergencyContact) {
    call(
      "emergency", params: contact.json, timeoutMilliseconds: Self.notifyMilliseconds
    ) { [links] answer in
      guard let failure = Self.failure(in: answer) else { return }
      links.observer(
        .delivery(
          DeliveryReport(
            plugin: "", event: EventID(contact.id), recipient: "emergency",
            channel: contact.mode == .text ? "sms" : "voice", outcome: .failed,
            detail: failure.text(in: links.language))))
    }
  }

  func photograph(_ alarm: AlarmID, _ resident: ResidentID) {
    call(
      "photograph",
      params: ["event": .string(alarm.rawValue), "resident": .string(resident.rawValue)],
      timeoutMilliseconds: Self.photographMilliseconds
    ) { [links] answer in
      let path = answer.flatMap { answer in
        answer["path"]?.stringContent.map { .success($0) }
          ?? .failure(
            ServiceFailure(isMissing: false, message: Message("the camera named no picture")))
      }
      switch path {
      case .failure(let failure): Self.tell(links, alarm, path: nil, failure.message)
      case .success(let path):
        guard let pictures = links.pictures else {
          return Self.tell(links, alarm, path: nil, Message("there is no place for pictures"))
        }
        pictures.keep(path, alarm: alarm, resident: resident) { kept in
          switch kept {
          case .success(let path): Self.tell(links, alarm, path: path, Message(verbatim: ""))
          case .failure(let failure): Self.tell(links, alarm, path: nil, failure.message)
          }
        }
      }
    }
  }

  /// Asks the map; an answer that is none is one, too, so that nobody waits for it.
  func ask(_ query: MapQuery) {
    let (service, params): (String, JSONValue) =
      switch query.subject {
      case .way(let from, let to): ("route", ["from": from.json, "to": to.json])
      case .address(let place): ("reverse", place.json)
      }
    let report: JSONValue = [
      "query": .string(query.id), "resident": .string(query.resident.rawValue),
    ]
    call(service, params: params, timeoutMilliseconds: Self.mapMilliseconds) { [links] answer in
      let members = Self.members(ofMap: answer)
      links.observer(
        .map(
          FeatureValue(json: members.reduce(report) { $0.setting($1.key, to: $1.value) })))
    }
  }

  /// Calls a service for somebody who waits for its answer.
  func ask(
    _ service: String, _ params: JSONValue, milliseconds: Int64,
    completion: @escaping @LoopActor (Result<JSONValue, ServiceFailure>) -> Void
  ) {
    call(service, params: params, timeoutMilliseconds: milliseconds, completion: completion)
  }

  private static func members(ofMap answer: Result<JSONValue, ServiceFailure>) -> [JSONMember] {
    switch answer {
    case .success(let answer):
      let told = answer.objectContent ?? []
      return told.filter { ["route", "place", "failure"].contains($0.key) }
    case .failure(let failure):
      let word = failure.isMissing ? "no-service" : "failed"
      return [JSONMember(key: "failure", value: .string(word))]
    }
  }

  private func call(
    _ name: String, params: JSONValue, timeoutMilliseconds: Int64,
    completion: @escaping @LoopActor (Result<JSONValue, ServiceFailure>) -> Void
  ) {
    if let services = links.services {
      return services.callService(
        name, params: params, timeoutMilliseconds: timeoutMilliseconds, completion: completion)
    }
    EventLoop.current.post {
      completion(
        .failure(
          ServiceFailure(isMissing: true, message: Message("no plugin runs that could do it"))))
    }
  }

  private static func tell(_ links: Links, _ alarm: AlarmID, path: String?, _ detail: Message) {
    links.observer(
      .photo(PhotoReport(alarm: alarm, path: path, detail: detail.text(in: links.language))))
  }

  /// Why a message was not taken; nil when it was.
  private static func failure(in answer: Result<JSONValue, ServiceFailure>) -> Message? {
    switch answer {
    case .failure(let failure): failure.message
    case .success(let answer):
      switch answer["outcome"]?.stringContent {
      case "taken": nil
      case "failed":
        answer["detail"]?.stringContent.map { Message(verbatim: $0) }
          ?? Message("no reason was given")
      default: Message("the plugin's answer cannot be read")
      }
    }
  }
}

import Foundation
import TestSupport

/// The newest payload of each topic of a gateway that is not an event, as a dashboard sees them.
final class RetainedTopics {
  private let process: ChildProcess
  private let prefix: String

  init(port: Int, gateway: String, log: String) throws {
    prefix = "homeward/\(gateway)/"
    process = try ChildProcess(
      "mosquitto_sub",
      ["-h", "127.0.0.1", "-p", "\(port)", "-t", "\(prefix)#", "-F", "%t %p"], log: log)
  }

  /// The newest payload of a topic such as `resident/mary/zone`; nil before the first.
  func payload(_ topic: String) -> String? {
    let mark = prefix + topic + " "
    return process.log.split(separator: "\n").last { $0.hasPrefix(mark) }
      .map { String($0.dropFirst(mark.count)) }
  }
}

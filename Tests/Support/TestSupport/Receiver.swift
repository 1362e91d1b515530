import Foundation

/// A receiver that subscribes with a persistent session and writes down every event in the order it came.
public final class Receiver {
  private let process: ChildProcess

  /// Subscribes to every event of a gateway; what comes is appended to the file `log`.
  public init(port: Int, gateway: String, log: String) throws {
    process = try ChildProcess(
      "mosquitto_sub",
      [
        "-h", "127.0.0.1", "-p", "\(port)", "-i", "receiver", "-c", "-q", "1", "-t",
        "homeward/\(gateway)/event/#", "-F", "%t %p",
      ], log: log)
  }

  /// Every event received so far, repetitions included.
  public func arrivals() -> [(lane: String, id: String, type: String, body: Substring)] {
    process.log.split(separator: "\n").compactMap { line in
      guard let space = line.firstIndex(of: " ") else { return nil }
      let body = line[line.index(after: space)...]
      guard let id = Self.field("id", in: body), let type = Self.field("type", in: body) else {
        return nil
      }
      let lane = line[..<space].split(separator: "/").last.map(String.init) ?? ""
      return (lane, id, type, body)
    }
  }

  /// How many bytes have come.
  public var byteCount: Int {
    let attributes = try? FileManager.default.attributesOfItem(atPath: process.logPath)
    return attributes?[.size] as? Int ?? 0
  }

  /// How many lines have come.
  public var count: Int { process.log.utf8.lazy.filter { $0 == 0x0A }.count }

  private static func field(_ name: String, in body: Substring) -> String? {
    guard let start = body.range(of: "\"\(name)\":\"") else { return nil }
    return body[start.upperBound...].prefix { $0 != "\"" }.description
  }
}

import Care
import Door
import JSON

extension RequestReader {
  /// Bytes that the reader accepts, for every kind of thing that it reads.
  public var samples: [[UInt8]] {
    switch self {
    case .target:
      ["/", "/map?resident=mary&me=1", "/static/0a1b/app.css", "/g/\(Self.token)", "/history/"]
        .map { Array($0.utf8) } + Self.questions.map { Array($0.utf8) }
    case .request: Self.requests.map { Array($0.utf8) }
    case .command:
      CommandRule.all.map { rule in
        let call: JSONValue = [
          "id": "k1", "freshUntil": 60_000, "expiresAt": "2026-11-20T14:30:00Z",
          "session": .string(Self.token), "address": "192.0.2.7", "confirms": true,
          "language": "zh-CN", "request": Self.request(of: rule),
        ]
        return call.serializedBytes
      }
    case .question:
      InterfaceDocument.routes.map { route in
        let call: JSONValue = [
          "method": .string(route.name), "params": Self.params(of: route), "language": "en",
          "session": .string(Self.token), "address": "::1", "types": ["alarm", "zone"],
        ]
        return call.serializedBytes
      }
    }
  }

  private static let token = String(repeating: "aB3-_", count: 8)

  private static var requests: [String] {
    let own = "Origin: https://homeward.local:8474\nSec-Fetch-Site: same-origin\n"
    let cookie = "Cookie: a=b; __Host-homeward=\(token)\nAccept-Language: zh-CN,zh;q=0.9,en;q=0.5\n"
    let bearer =
      "Authorization: Bearer \(token)\nAccept-Encoding: br;q=1.0, gzip;q=0.8\nIf-None-Match: W/\"0a1b\", \"c\"\n"
    let pages = questions.map { "GET \($0)\nHost: [fe80::1]:8474\n\(bearer)\n" }
    let sent = CommandRule.ofPeople.map { rule in
      "POST \(InterfaceDocument.path(of: rule.action))\nHost: homeward.local:8474\n\(own)\(cookie)"
        + "Content-Type: application/json; charset=utf-8\nIdempotency-Key: k1\nUser-Agent: A\n\n"
        + request(of: rule).serialized
    }
    return ["GET /\nHost: 192.168.1.7\n\(cookie)\n"] + pages + sent
  }

  private static var questions: [String] {
    InterfaceDocument.routes.map { route in
      let fields = (params(of: route).objectContent ?? []).flatMap { member in
        (member.value.arrayContent ?? [member.value]).map { value in
          "\(member.key)=\(percentEncoded(value.stringContent ?? value.serialized))"
        }
      }
      return InterfaceDocument.path(of: route.name) + "?" + fields.joined(separator: "&")
    }
  }

  private static func percentEncoded(_ text: String) -> String {
    text.utf8.map { "%" + ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  private static func params(of route: Route) -> JSONValue {
    .object(route.parameters.map { JSONMember(key: $0.name, value: sample(of: $0.shape)) })
  }

  private static func request(of rule: CommandRule) -> JSONValue {
    .object(
      [JSONMember(key: "action", value: .string(rule.action))]
        + rule.takes.map { JSONMember(key: $0.name, value: sample(of: $0.shape)) })
  }

  /// One value that a shape allows.
  private static func sample(of shape: JSONShape) -> JSONValue {
    switch shape {
    case .text(let writing): .string(writing.example)
    case .words(let words): .string(words.first ?? "")
    case .whole(let bounds): .integer(bounds.map { min(max(1, $0.lowerBound), $0.upperBound) } ?? 1)
    case .number(let bounds):
      .number(bounds.map { min(max(1.5, $0.lowerBound), $0.upperBound) } ?? 1.5)
    case .flag: true
    case .list(let element): .array([sample(of: element)])
    case .object(_, let members):
      .object(members.map { JSONMember(key: $0.name, value: sample(of: $0.shape)) })
    case .either(let shapes): shapes.first.map(sample) ?? .null
    case .null: .null
    case .anything: "x"
    }
  }
}

/// A request as a server takes it apart, from bytes that may be anything.
struct SentRequest {
  private(set) var method = ""
  private(set) var target = ""
  private(set) var body: [UInt8] = []
  private var headers: [(name: String, value: String)] = []

  init(_ bytes: [UInt8]) {
    var rest = bytes[...]
    let first = Self.line(&rest).split(separator: " ", maxSplits: 1)
    method = first.first.map(String.init) ?? ""
    target = first.count > 1 ? String(first[1]) : ""
    while !rest.isEmpty, case let line = Self.line(&rest), !line.isEmpty {
      let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      let value = parts.count > 1 ? parts[1].drop { $0 == " " } : ""
      headers.append((parts[0].lowercased(), String(value)))
    }
    body = Array(rest)
  }

  /// The last value of a header, and how often it came.
  @Sendable func header(_ name: String) -> (value: String?, count: Int) {
    let found = headers.filter { $0.name == name.lowercased() }
    return (found.last?.value, found.count)
  }

  private static func line(_ rest: inout ArraySlice<UInt8>) -> String {
    let line = rest.prefix { $0 != 0x0A }
    rest = rest.dropFirst(line.count + 1)
    return String(decoding: line.last == 0x0D ? line.dropLast() : line, as: UTF8.self)
  }
}

import Care
import JSON

/// The few envelope attributes of a stored event that the plugin needs, found without reading the facts.
struct EventGlance: Hashable, Sendable {
  /// The event's id.
  let id: String
  /// The event's kind.
  let type: String
  /// `resident/<id>` or `gateway`.
  let subject: String

  /// Looks at an event as Homeward writes it, attributes before `data`; reads any other CloudEvent in full.
  ///
  /// Returns nil when the bytes are no CloudEvent with an id and a type.
  init?(_ body: ArraySlice<UInt8>) {
    var scanner = AttributeScanner(body)
    if let quick = scanner.attributes() {
      self = quick
      return
    }
    guard let event = try? JSONValue(parsing: body), let id = event["id"]?.stringContent,
      let type = event["type"]?.stringContent
    else { return nil }
    self.init(id: id, type: type, subject: event["subject"]?.stringContent ?? "")
  }

  fileprivate init(id: String, type: String, subject: String) {
    self.id = id
    self.type = type
    self.subject = subject
  }

  /// The resident that the event is about.
  var resident: ResidentID? {
    subject.hasPrefix("resident/") && subject.utf8.count > 9
      ? ResidentID(String(subject.dropFirst(9))) : nil
  }
}

/// Steps over `"name":"text",` pairs at the start of an object, as long as they have no escapes and no spaces between.
private struct AttributeScanner {
  private let bytes: ArraySlice<UInt8>
  private var index: Int

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    index = bytes.startIndex
  }

  mutating func attributes() -> EventGlance? {
    var (id, type, subject): (String?, String?, String?)
    guard take(UInt8(ascii: "{")) else { return nil }
    while let name = plainText(), take(UInt8(ascii: ":")), let content = plainText() {
      if name.elementsEqual("id".utf8) { id = String(decoding: content, as: UTF8.self) }
      if name.elementsEqual("type".utf8) { type = String(decoding: content, as: UTF8.self) }
      if name.elementsEqual("subject".utf8) { subject = String(decoding: content, as: UTF8.self) }
      if let id, let type, let subject {
        return EventGlance(id: id, type: type, subject: subject)
      }
      guard take(UInt8(ascii: ",")) else { return nil }
    }
    return nil
  }

  private mutating func take(_ expected: UInt8) -> Bool {
    guard index < bytes.endIndex, bytes[index] == expected else { return false }
    index += 1
    return true
  }

  private mutating func plainText() -> ArraySlice<UInt8>? {
    guard take(UInt8(ascii: "\"")) else { return nil }
    let start = index
    while index < bytes.endIndex, bytes[index] != UInt8(ascii: "\"") {
      if bytes[index] == UInt8(ascii: "\\") || bytes[index] < 0x20 { return nil }
      index += 1
    }
    let text = bytes[start..<index]
    return take(UInt8(ascii: "\"")) ? text : nil
  }
}

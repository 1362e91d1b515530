import CYAML
import Texts

/// Reads YAML through libyaml's events into nodes with positions.
///
/// Refused on purpose: aliases (they can blow a small file up without limit), several documents, keys that are no
/// texts, more than 1 MiB, more than 32 levels.
struct YAMLReader {
  private static let maximumBytes = 1 << 20
  private static let maximumDepth = 32

  private let parser: UnsafeMutablePointer<yaml_parser_t>
  private var log: ProblemLog

  /// The document's node, or nil for an empty document.
  static func read(_ text: String, path: String) -> (node: YAMLNode?, log: ProblemLog) {
    var log = ProblemLog(origin: Message(verbatim: path))
    let bytes = Array(text.utf8) + [0x0A]  // never empty, so that there is an address
    guard bytes.count <= maximumBytes else {
      log.add(Message("the file is larger than 1 MiB; this cannot be a configuration."), at: nil)
      return (nil, log)
    }
    let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
    defer { parser.deallocate() }
    guard yaml_parser_initialize(parser) != 0 else {
      log.add(Message("there is no memory left to read it."), at: nil)
      return (nil, log)
    }
    defer { yaml_parser_delete(parser) }
    return bytes.withUnsafeBufferPointer { buffer in
      yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
      guard let start = buffer.baseAddress else { return (nil, log) }
      yaml_parser_set_input_string(parser, start, buffer.count)
      var reader = YAMLReader(parser: parser, log: log)
      let node = try? reader.document()
      return (node ?? nil, reader.log)
    }
  }

  /// The problem is in the log; nothing more can be read.
  private struct Stop: Error {}

  private struct Token {
    var type: yaml_event_type_t
    var start: yaml_mark_t
    var end: yaml_mark_t
    var text = ""
    var isPlain = false
    var isFlow = false

    var position: TextPosition { TextPosition(line: start.line + 1, column: start.column + 1) }
  }

  private mutating func document() throws(Stop) -> YAMLNode? {
    var node: YAMLNode?
    while true {
      let token = try next()
      switch token.type {
      case YAML_STREAM_END_EVENT: return node
      case YAML_DOCUMENT_START_EVENT where node != nil:
        log.add(
          Message("a second document starts here; keep everything in one."), at: token.position)
        throw Stop()
      case YAML_STREAM_START_EVENT, YAML_DOCUMENT_START_EVENT, YAML_DOCUMENT_END_EVENT: continue
      default: node = try self.node(from: token, depth: 0)
      }
    }
  }

  private mutating func node(from token: Token, depth: Int) throws(Stop) -> YAMLNode {
    guard depth < Self.maximumDepth else {
      log.add(Message("this is nested too deeply."), at: token.position)
      throw Stop()
    }
    switch token.type {
    case YAML_SCALAR_EVENT:
      return YAMLNode(
        content: .scalar(text: token.text, isPlain: token.isPlain), position: token.position,
        range: token.start.index..<max(token.start.index, token.end.index))
    case YAML_SEQUENCE_START_EVENT: return try sequence(from: token, depth: depth)
    case YAML_MAPPING_START_EVENT: return try mapping(from: token, depth: depth)
    default:
      log.add(
        Message("\"*\" refers to another place of the file; write the content out instead."),
        at: token.position)
      throw Stop()
    }
  }

  private mutating func sequence(from start: Token, depth: Int) throws(Stop) -> YAMLNode {
    var nodes: [YAMLNode] = []
    var token = try next()
    while token.type != YAML_SEQUENCE_END_EVENT {
      nodes.append(try node(from: token, depth: depth + 1))
      token = try next()
    }
    return YAMLNode(
      content: .sequence(nodes), position: start.position,
      range: start.start.index..<max(start.start.index, token.end.index), isFlow: start.isFlow)
  }

  private mutating func mapping(from start: Token, depth: Int) throws(Stop) -> YAMLNode {
    var entries: [YAMLNode.Entry] = []
    var token = try next()
    while token.type != YAML_MAPPING_END_EVENT {
      let key = try node(from: token, depth: depth + 1)
      let node = try node(from: try next(), depth: depth + 1)
      add(key: key, node: node, at: token.position, to: &entries)
      token = try next()
    }
    return YAMLNode(
      content: .mapping(entries), position: start.position,
      range: start.start.index..<max(start.start.index, token.end.index), isFlow: start.isFlow)
  }

  private mutating func add(
    key: YAMLNode, node: YAMLNode, at position: TextPosition, to entries: inout [YAMLNode.Entry]
  ) {
    guard case .scalar(let name, _) = key.content else {
      log.add(Message("a key must be one word."), at: position)
      return
    }
    if let first = entries.first(where: { $0.key == name }) {
      log.add(
        Message(
          "the key \"{name}\" stands here a second time; it was first in line "
            + "{line}. Remove one of them.", ["name": name, "line": first.keyPosition.line]),
        at: position)
      return
    }
    entries.append(YAMLNode.Entry(key: name, keyPosition: position, node: node))
  }

  private mutating func next() throws(Stop) -> Token {
    var event = yaml_event_t()
    guard yaml_parser_parse(parser, &event) != 0 else {
      reportSyntax()
      throw Stop()
    }
    defer { yaml_event_delete(&event) }
    var token = Token(type: event.type, start: event.start_mark, end: event.end_mark)
    switch event.type {
    case YAML_SCALAR_EVENT:
      let scalar = event.data.scalar
      let content = UnsafeBufferPointer(start: scalar.value, count: scalar.length)
      token.text = String(decoding: content, as: UTF8.self)
      token.isPlain = scalar.style == YAML_PLAIN_SCALAR_STYLE && scalar.plain_implicit != 0
    case YAML_SEQUENCE_START_EVENT:
      token.isFlow = event.data.sequence_start.style == YAML_FLOW_SEQUENCE_STYLE
    case YAML_MAPPING_START_EVENT:
      token.isFlow = event.data.mapping_start.style == YAML_FLOW_MAPPING_STYLE
    default: break
    }
    return token
  }

  private mutating func reportSyntax() {
    let words = parser.pointee.problem.map { String(cString: $0) }
    let problem = words.map { Message(verbatim: $0) } ?? Message("no memory is left")
    let mark = parser.pointee.problem_mark
    let position = TextPosition(line: mark.line + 1, column: mark.column + 1)
    if parser.pointee.error == YAML_READER_ERROR {
      log.add(
        Message(
          "byte {offset} is no UTF-8 text ({problem}).",
          ["offset": parser.pointee.problem_offset, "problem": problem]), at: position)
    } else if words?.contains("cannot start any token") == true {
      log.add(
        Message("a character stands where it may not; YAML wants spaces, no tabs."), at: position)
    } else {
      log.add(
        Message(
          "this is no YAML: {problem}. Look at the indentation and colons.", ["problem": problem]),
        at: position)
    }
  }
}

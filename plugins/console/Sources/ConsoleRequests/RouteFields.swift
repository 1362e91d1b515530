public import Door
public import JSON
public import WebServer

/// A field of an address that a question does not take, or not in that form.
public struct WrongField: Error, Hashable {
  /// The field's name.
  public var name: String

  /// A field by its name.
  public init(name: String) { self.name = name }
}

extension RequestTarget {
  /// Where the list that was asked for goes on: the same address with the cursor of its next part.
  public func goingOn(at cursor: String) -> String {
    let own = fields.filter { $0.name != "cursor" }.map { ($0.name, $0.value) }
    return "/" + path.map(Self.encoded).joined(separator: "/") + "?"
      + (own + [("cursor", cursor)]).map { "\(Self.encoded($0.0))=\(Self.encoded($0.1))" }
      .joined(separator: "&")
  }
}

extension Route {
  /// The parameters of the question, from the fields of an address; or the first field that does not fit.
  public func params(from target: RequestTarget) -> Result<JSONValue, WrongField> {
    var params = JSONValue.object([])
    for field in target.fields {
      guard let parameter = parameters.first(where: { $0.name == field.name }),
        let value = Self.value(field.value, as: parameter.shape)
      else { return .failure(WrongField(name: field.name)) }
      if case .list = parameter.shape {
        let before = params[field.name]?.arrayContent ?? []
        params = params.setting(field.name, to: .array(before + [value]))
      } else if params[field.name] == nil {
        params = params.setting(field.name, to: value)
      } else {
        return .failure(WrongField(name: field.name))
      }
    }
    return .success(params)
  }

  private static func value(_ text: String, as shape: JSONShape) -> JSONValue? {
    switch shape {
    case .text: .string(text)
    case .words(let words): words.contains(text) ? .string(text) : nil
    case .whole: Int64(text).map { .integer($0) }
    case .number: Double(text).map { .number($0) }
    case .flag: text == "true" ? true : text == "false" ? false : nil
    case .list(let element): value(text, as: element)
    case .object:
      (try? JSONValue(parsing: Array(text.utf8))).flatMap { $0.objectContent == nil ? nil : $0 }
    case .either, .null, .anything: nil
    }
  }
}

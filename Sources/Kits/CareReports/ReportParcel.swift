public import Bytes
public import JSON

/// A sheet of paper, measured in points, 72 to the inch.
public enum PaperSize: String, Hashable, Sendable, CaseIterable {
  /// 210 by 297 mm.
  case a4
  /// 8.5 by 11 inches.
  case letter

  /// How wide it is.
  public var width: Double { self == .a4 ? 210 / 25.4 * 72 : 612 }
  /// How high it is.
  public var height: Double { self == .a4 ? 297 / 25.4 * 72 : 792 }
}

/// All that is needed to draw a report on paper: what draws it asks nothing more.
public struct ReportParcel: Hashable, Sendable {
  /// The largest that is drawn, in bytes of JSON.
  public static let bytesAtMost = 32 << 20

  /// What it says.
  public var document: ReportDocument
  /// On what it is drawn.
  public var paper: PaperSize
  /// Its pictures by their names, JPEG or PNG.
  public var pictures: [String: [UInt8]]

  /// A parcel from its parts.
  public init(
    _ document: ReportDocument, on paper: PaperSize, pictures: [String: [UInt8]] = [:]
  ) {
    self.document = document
    self.paper = paper
    self.pictures = pictures
  }
}

extension ReportParcel: JSONCodable {
  /// Reads a parcel; pictures are in Base64.
  public init(json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    var pictures: [String: [UInt8]] = [:]
    for member in try reader.required("pictures").objectContent ?? [] {
      guard let bytes = member.value.stringContent.flatMap({ Base64.decode($0) }) else {
        throw reader.error(.outOfRange, "pictures")
      }
      pictures[member.key] = bytes
    }
    self.init(
      try ReportDocument(json: reader.required("document")),
      on: try reader.word("paper", as: PaperSize.self), pictures: pictures)
  }

  /// The parcel as an object.
  public var json: JSONValue {
    let packed = pictures.sorted { $0.key < $1.key }.map { name, bytes in
      JSONMember(key: name, value: .string(String(decoding: Base64.encode(bytes), as: UTF8.self)))
    }
    return [
      "document": document.json, "paper": .string(paper.rawValue), "pictures": .object(packed),
    ]
  }
}

/// How a content may be packed on the way.
public enum ContentCoding {
  /// Whether somebody who sends this as `Accept-Encoding` takes gzip.
  ///
  /// - Source: RFC 9110, section 12.5.3.
  public static func takesGzip(_ header: String?) -> Bool {
    (header ?? "").split(separator: ",").contains { coding in
      let words = coding.lowercased().split { $0 == ";" || $0 == " " || $0 == "\t" }
      let weight = words.first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) }
      return words.first == "gzip" && weight ?? 1 > 0
    }
  }
}

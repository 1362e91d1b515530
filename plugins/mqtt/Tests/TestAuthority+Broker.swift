import TestSupport

extension TestAuthority {
  /// Lines of a broker's configuration that use a certificate.
  func broker(_ name: String, _ more: [String] = ["allow_anonymous true"]) -> [String] {
    ["cafile \(file("ca"))", "certfile \(file(name))", "keyfile \(key(name))"] + more
  }
}

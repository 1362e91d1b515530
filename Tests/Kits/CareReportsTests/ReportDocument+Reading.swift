import CareReports

extension ReportDocument {
  /// What stands under a heading, to the next one; nil where it is not.
  func under(_ heading: String) -> [ReportPart]? {
    guard let start = parts.firstIndex(of: .heading(heading)) else { return nil }
    return Array(
      parts[(start + 1)...].prefix { if case .heading = $0 { false } else { true } })
  }
}

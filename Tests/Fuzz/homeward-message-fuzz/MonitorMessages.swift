import Bytes
import GATTProfiles

extension FuzzedMessage {
  /// The Continuous Glucose Monitoring Service; half of the damaged messages get the right checksum.
  static func monitorMessages() -> [FuzzedMessage] {
    [
      value(
        "CGM measurement",
        ["0fe3d2e405000214ff02f0e5f38e3f", "06000c100600", "060064000500060065000600060066000700"],
        mend: withSizeAndChecksum
      ) { bytes throws(DecodeError) in
        try CGMMeasurement.records(in: bytes)
      } write: {
        $0.flatMap(\.octets)
      } brokenPromise: {
        brokenPromise(of: $0)
      },
      value("CGM feature", ["6e9e01168ac1", "6e8e0116ffff"], mend: withChecksum) {
        bytes throws(DecodeError) in
        try CGMFeature(bytes)
      } write: {
        $0.octets
      },
      value("CGM status", ["05003f3fffa7e0", "05003f3fff"], mend: withChecksum) {
        bytes throws(DecodeError) in
        try CGMStatus(bytes)
      } write: {
        $0.octets
      },
      value(
        "CGM session start", ["e20704180d08180804e0c2", "e20704180d08180804"],
        mend: withChecksum
      ) { bytes throws(DecodeError) in
        try CGMSessionStart(bytes)
      } write: {
        $0.octets
      },
      value("CGM session run time", ["6801"], mend: withChecksum) {
        bytes throws(DecodeError) in
        try CGMSessionRunTime(bytes)
      } write: {
        $0.octets
      },
      value(
        "CGM control", ["1c0201", "0601200a00321400010004bfb2", "0f0100", "1a", "0105"],
        mend: withChecksum
      ) { bytes throws(DecodeError) in
        let (message, hasCRC) = try CGMControl.read(bytes)
        return Control(message: message, hasCRC: hasCRC)
      } write: {
        $0.hasCRC ? E2ECRC.appended(to: $0.message.octets) : $0.message.octets
      },
    ]
  }

  /// A message of the control point with what it came with.
  private struct Control: Equatable {
    var message: CGMControl
    var hasCRC: Bool
  }

  /// The last two octets become the checksum of those before them.
  private static func withChecksum(_ bytes: [UInt8]) -> [UInt8] {
    bytes.count > 2 ? E2ECRC.appended(to: Array(bytes.dropLast(2))) : bytes
  }

  /// The same, and the first octet becomes the length of all.
  private static func withSizeAndChecksum(_ bytes: [UInt8]) -> [UInt8] {
    guard (3..<256).contains(bytes.count) else { return bytes }
    return withChecksum([UInt8(bytes.count)] + bytes.dropFirst())
  }

  private static func brokenPromise(of records: [CGMMeasurement]) -> String? {
    for record in records {
      guard let amount = GlucoseMeaning(record, feature: nil).amount else { continue }
      guard isPossible(amount) else { return "an absurd amount became a reading" }
      if record.concentration.special != nil { return "no number became a reading" }
      if !record.annunciation.isDisjoint(with: [.resultTooHigh, .resultTooLow]) {
        return "HI or LO became a reading"
      }
    }
    return nil
  }
}

import Sounds

/// Recordings in which nobody says anything.
enum SilentRecording {
  /// A file of so many frames, 16,000 a second.
  static func file(frames: Int) -> [UInt8] {
    WAVWriter.header(frames: frames, sampleRate: 16_000) + [UInt8](repeating: 0, count: 2 * frames)
  }
}

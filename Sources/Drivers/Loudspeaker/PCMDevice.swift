import CALSA

/// An open playback device; closed when the last owner lets it go.
final class PCMDevice {
  /// A failure of alsa-lib, as a positive errno.
  struct Failure: Error {
    var code: Int32
  }

  let sampleRate: Int
  let channels: Int
  let periodFrames: Int
  let bufferFrames: Int
  let handle: OpaquePointer

  init(_ name: String) throws(Failure) {
    var format = homeward_pcm_format()
    var error: Int32 = 0
    guard let opened = homeward_pcm_open(name, &format, &error) else {
      throw Failure(code: -error)
    }
    handle = opened
    sampleRate = Int(format.frames_per_second)
    channels = Int(format.channels)
    periodFrames = min(Int(format.period_frames), sampleRate / 100)
    bufferFrames = Int(format.buffer_frames)
  }

  deinit { homeward_pcm_close(handle) }

  /// Hands in what is left of a period; answers how many frames were taken, or a negative errno.
  func write(_ period: PeriodBuffer) -> Int32 {
    period.frames.withUnsafeBufferPointer { frames in
      guard let start = frames.baseAddress else { return 0 }
      return homeward_pcm_write(
        handle, start + period.written * channels, Int32(period.count - period.written))
    }
  }
}

/// One period on its way to the card.
struct PeriodBuffer {
  /// One channel, as rendered.
  var block: [Float] = []
  /// All channels, as handed in.
  private(set) var frames: [Int16] = []
  private(set) var count = 0
  private(set) var written = 0

  var isWritten: Bool { written == count }

  init() {}

  init(_ device: PCMDevice) {
    block = [Float](repeating: 0, count: device.periodFrames)
    frames = [Int16](repeating: 0, count: device.periodFrames * device.channels)
  }

  /// Makes what stands in ``block`` ready to be written.
  mutating func fill(channels: Int, sample: (Float) -> Int16) {
    for index in block.indices {
      let height = sample(block[index])
      for channel in 0..<channels { frames[index * channels + channel] = height }
    }
    (count, written) = (block.count, 0)
  }

  mutating func advance(by taken: Int) { written = min(count, written + taken) }

  mutating func discard() { (count, written) = (0, 0) }
}

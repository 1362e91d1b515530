import CALSA

/// The sound card that leads to the modem, open; closed when its owner lets it go.
final class LineDevice {
  /// What alsa-lib says, as a positive errno.
  struct Failure: Error {
    var errorNumber: Int32
  }

  let rate: Int
  let channels: Int
  let periodFrames: Int
  private let handle: OpaquePointer

  init(_ name: String) throws(Failure) {
    var format = homeward_pcm_format()
    var error: Int32 = 0
    guard let opened = homeward_pcm_open(name, &format, &error) else {
      throw Failure(errorNumber: -error)
    }
    handle = opened
    rate = Int(format.frames_per_second)
    channels = Int(format.channels)
    periodFrames = Int(format.period_frames)
  }

  deinit { homeward_pcm_close(handle) }

  /// Hands in frames without waiting; answers how many were taken, or a negative errno.
  func write(_ frames: ArraySlice<Int16>) -> Int32 {
    frames.withUnsafeBufferPointer { frames in
      frames.baseAddress.map { homeward_pcm_write(handle, $0, Int32(frames.count / channels)) } ?? 0
    }
  }

  /// Brings the device back after an underrun or a suspend; false when it does not come.
  func recover(_ error: Int32) -> Bool { homeward_pcm_recover(handle, error) >= 0 }

  /// Stops and drops what waits.
  func rest() { _ = homeward_pcm_rest(handle) }

  /// Waits for room, for the event or so long; false when nothing of the device came.
  func wait(forRoom wantsRoom: Bool, event: Int32, milliseconds: Int32) -> Bool {
    homeward_pcm_wait(handle, wantsRoom, event, milliseconds)
      & (HOMEWARD_PCM_READY | HOMEWARD_PCM_BROKEN) != 0
  }
}

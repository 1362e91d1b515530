import PluginKit

/// A camera as the taking of a still sees it; every function may wait and runs on a thread of its own.
protocol VideoDevice {
  /// Opens the camera and agrees on a format.
  mutating func open(width: Int, height: Int) throws(CameraFault)
  /// Starts to stream.
  mutating func start() throws(CameraFault)
  /// Waits at most so long for the next frame and hands it over while it is valid.
  ///
  /// - Returns: what `body` makes of it; nil when no frame came or the driver says that it is damaged.
  mutating func withFrame<Answer>(
    withinMilliseconds: Int64, _ body: (VideoFrame) -> Answer?
  ) throws(CameraFault) -> Answer?
  /// Lets go of the camera; called once, however far it came.
  mutating func close()
}

/// One frame of a stream.
struct VideoFrame {
  /// How its bytes are to be read.
  enum Format {
    /// A JPEG, perhaps without its Huffman tables.
    case mjpeg
    /// Raw pixels.
    case yuyv(Picture.YUYV)
  }

  var format: Format
  var bytes: UnsafeRawBufferPointer
}

/// Takes one still from a stream: lets the exposure settle, then takes the first whole frame.
struct StillTaker<Device: VideoDevice> {
  var device: Device
  var settings: CameraSettings
  /// Milliseconds of a clock that never steps.
  var now: () -> Int64

  /// Takes a picture as JPEG, and lets go of the camera in any case.
  mutating func take() throws(CameraFault) -> [UInt8] {
    defer { device.close() }
    let deadline = now() + settings.timeoutMilliseconds
    try device.open(width: settings.width, height: settings.height)
    try device.start()
    try warmUp(until: deadline)
    var lastFault: CameraFault?
    while deadline > now() {
      let result = try device.withFrame(withinMilliseconds: deadline - now()) { frame in
        Self.picture(of: frame)
      }
      switch result {
      case .success(let picture): return picture
      case .failure(let fault): lastFault = fault
      case nil: break
      }
    }
    throw lastFault
      ?? CameraFault(
        .timedOut,
        gettext(
          "The camera gave no whole picture within {seconds} s. "
            + "Is its plug in, and is there light?",
          ["seconds": settings.timeoutMilliseconds / 1000]))
  }

  /// Throws frames away; a slow camera keeps the second half of the time for the picture itself.
  private mutating func warmUp(until deadline: Int64) throws(CameraFault) {
    let enough = now() + (deadline - now()) / 2
    var rest = settings.warmUpFrames
    while rest > 0, now() < enough {
      if try device.withFrame(withinMilliseconds: enough - now(), { _ in true }) != nil {
        rest -= 1
      }
    }
  }

  private static func picture(of frame: VideoFrame) -> Result<[UInt8], CameraFault> {
    do throws(CameraFault) {
      switch frame.format {
      case .mjpeg: return .success(try Picture.rewrite(frame.bytes))
      case .yuyv(let layout): return .success(try Picture.encode(frame.bytes, layout))
      }
    } catch { return .failure(error) }
  }
}

import CCamera
import Glibc
import PluginKit

/// A camera of the kernel's Video4Linux, by its path.
struct V4L2Device: VideoDevice {
  let path: String
  private var video = homeward_video()

  init(path: String) {
    self.path = path
    video.fd = -1
  }

  mutating func open(width: Int, height: Int) throws(CameraFault) {
    guard homeward_video_open(path, &video) == 0 else {
      video.fd = -1
      throw fault(errno)
    }
    guard homeward_video_choose(&video, UInt32(clamping: width), UInt32(clamping: height)) == 0
    else { throw fault(errno) }
  }

  mutating func start() throws(CameraFault) {
    guard homeward_video_start(&video) == 0 else { throw fault(errno) }
  }

  mutating func withFrame<Answer>(
    withinMilliseconds milliseconds: Int64, _ body: (VideoFrame) -> Answer?
  ) throws(CameraFault) -> Answer? {
    var bytes: UnsafePointer<UInt8>?
    var size = 0
    var isBroken = false
    let buffer = homeward_video_take(
      &video, Int32(clamping: max(0, milliseconds)), &bytes, &size, &isBroken)
    if buffer < 0 {
      if [ETIMEDOUT, EAGAIN, EINTR].contains(errno) { return nil }
      throw fault(errno)
    }
    let frame = VideoFrame(
      format: format, bytes: UnsafeRawBufferPointer(start: bytes, count: size))
    let answer = isBroken || size == 0 ? nil : body(frame)
    guard homeward_video_give_back(&video, buffer) == 0 else {
      // The picture is there already; the next use of the camera will tell.
      if let answer { return answer }
      throw fault(errno)
    }
    return answer
  }

  mutating func close() { homeward_video_close(&video) }

  private var format: VideoFrame.Format {
    if video.is_mjpeg { return .mjpeg }
    return .yuyv(
      Picture.YUYV(width: video.width, height: video.height, stride: video.stride))
  }

  private func fault(_ number: Int32) -> CameraFault { Self.fault(number, path: path) }

  /// The fault of an error number of the kernel.
  static func fault(_ number: Int32, path: String) -> CameraFault {
    switch number {
    case ENOENT, ENODEV, ENXIO:
      CameraFault(
        .deviceMissing,
        gettext(
          "There is no camera at {path}. Plug it in, or correct the setting device.", ["path": path]
        ))
    case EACCES, EPERM, EROFS:
      CameraFault(
        .deviceForbidden,
        gettext(
          "The camera {path} may not be opened. Put it into the plugin's devicePaths, and the "
            + "gateway's user into the group video.", ["path": path]))
    case EBUSY:
      CameraFault(
        .deviceBusy,
        gettext(
          "Another program has the camera {path}. End it, or give this one its own.", ["path": path]
        ))
    case ENOTSUP, ENOTTY, EINVAL:
      CameraFault(
        .deviceUnsuitable,
        gettext(
          "{path} is no camera with MJPEG or YUYV pictures. Try another device, or method libcamera.",
          ["path": path])
      )
    default:
      CameraFault(
        .deviceFailed,
        gettext(
          "The camera {path} failed (error {number}). Unplug it and plug it in again.",
          ["path": path, "number": number]))
    }
  }
}

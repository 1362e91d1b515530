@testable import homeward_plugin_camera

/// A camera that does what a script says, on a clock of its own.
struct ScriptedDevice: VideoDevice {
  /// What happens at one request for a frame.
  enum Step {
    /// A frame of that format after so many milliseconds.
    case frame(VideoFrame.Format, [UInt8], after: Int64)
    /// The driver says that the frame is damaged.
    case damaged(after: Int64)
    /// The camera goes away.
    case fault(CameraFault)
  }

  /// What a test sees of a device, which is a value that is given away.
  final class Log {
    var now: Int64 = 0
    var calls: [String] = []
  }

  let log = Log()
  var steps: [Step] = []
  var openFault: CameraFault?
  var startFault: CameraFault?

  mutating func open(width: Int, height: Int) throws(CameraFault) {
    log.calls.append("open \(width)x\(height)")
    if let openFault { throw openFault }
  }

  mutating func start() throws(CameraFault) {
    log.calls.append("start")
    if let startFault { throw startFault }
  }

  mutating func withFrame<Answer>(
    withinMilliseconds milliseconds: Int64, _ body: (VideoFrame) -> Answer?
  ) throws(CameraFault) -> Answer? {
    log.calls.append("frame")
    guard !steps.isEmpty else {
      log.now += milliseconds
      return nil
    }
    switch steps.removeFirst() {
    case .frame(let format, let bytes, let delay):
      log.now += min(delay, milliseconds)
      guard delay <= milliseconds else { return nil }
      return bytes.withUnsafeBytes { body(VideoFrame(format: format, bytes: $0)) }
    case .damaged(let delay):
      log.now += min(delay, milliseconds)
      return nil
    case .fault(let fault): throw fault
    }
  }

  mutating func close() { log.calls.append("close") }
}

import PluginProtocol

/// Why there is no photograph.
struct CameraFault: Error, Hashable, Sendable {
  /// Kinds of fault, which are the codes of the plugin's health too.
  enum Code: String, Hashable, Sendable, CaseIterable {
    /// There is no such device.
    case deviceMissing = "device-missing"
    /// The device may not be opened.
    case deviceForbidden = "device-forbidden"
    /// Another program has the camera.
    case deviceBusy = "device-busy"
    /// The device is no camera, or has no format that is understood.
    case deviceUnsuitable = "device-unsuitable"
    /// The camera went away, or fails otherwise.
    case deviceFailed = "device-failed"
    /// No whole picture came in time.
    case timedOut = "timed-out"
    /// The program for still pictures is not installed.
    case programMissing = "program-missing"
    /// The program for still pictures failed.
    case programFailed = "program-failed"
    /// A picture came that cannot be read.
    case pictureBroken = "picture-broken"
    /// The picture cannot be written down.
    case diskFailed = "disk-failed"
  }

  /// The kind.
  var code: Code
  /// One plain sentence that says what to do next.
  var message: String

  init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// The fault as the answer to a request.
  var rpcError: RPCError { RPCError(code: RPCError.refusedCode, message: message) }
}

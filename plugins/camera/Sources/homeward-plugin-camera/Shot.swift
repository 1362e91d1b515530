import CGatewayShims
import Loop
import Moments
import PluginKit

/// One photograph, taken on a thread of its own: cameras block.
final class Shot: Sendable {
  private let settings: CameraSettings
  private let stateDirectory: String
  private let completion: @LoopActor @Sendable (Result<String, CameraFault>) -> Void

  /// `completion` is called once on the loop with the photograph's path, or why there is none.
  init(
    settings: CameraSettings, stateDirectory: String,
    completion: @escaping @LoopActor @Sendable (Result<String, CameraFault>) -> Void
  ) {
    self.settings = settings
    self.stateDirectory = stateDirectory
    self.completion = completion
  }

  /// Starts the thread; false when the kernel refuses one.
  func start() -> Bool { SystemThread.start(name: "camera") { self.run() } }

  private func run() {
    let result = take()
    let completion = completion
    EventLoop.current.post { completion(result) }
  }

  private func take() -> Result<String, CameraFault> {
    do throws(CameraFault) {
      let album = Album(stateDirectory: stateDirectory, keep: settings.keep)
      let picture = try picture(album)
      return .success(try album.add(picture, atMilliseconds: WallClock.now.milliseconds))
    } catch { return .failure(error) }
  }

  private func picture(_ album: Album) throws(CameraFault) -> [UInt8] {
    switch settings.method {
    case .libcamera:
      return try StillProgram(settings: settings, directory: album.directory).take()
    case .v4l2:
      var taker = StillTaker(device: V4L2Device(path: settings.device), settings: settings) {
        homeward_boottime_nanoseconds() / 1_000_000
      }
      return try taker.take()
    }
  }
}

import Foundation
import TestSupport
import Testing

@testable import homeward_plugin_camera

@Suite struct StillTakerTests {
  private func take(
    _ device: ScriptedDevice, _ settings: String = #"{"warmUpFrames":2,"timeoutSeconds":4}"#
  ) throws -> [UInt8] {
    let log = device.log
    var taker = StillTaker(device: device, settings: try TestPictures.settings(settings)) {
      log.now
    }
    return try taker.take()
  }

  private func fault(_ device: ScriptedDevice) -> CameraFault? {
    do {
      _ = try take(device)
      return nil
    } catch { return error as? CameraFault }
  }

  private func frames(_ count: Int, _ bytes: [UInt8]) -> [ScriptedDevice.Step] {
    (0..<count).map { _ in .frame(.mjpeg, bytes, after: 33) }
  }

  @Test func warmUpFramesAreThrownAwayAndTheNextWholeFrameIsThePicture() throws {
    let jpeg = try TestPictures.jpeg()
    var device = ScriptedDevice()
    device.steps = frames(2, [1, 2, 3]) + frames(1, jpeg)
    let picture = try take(device)
    #expect(try TestPictures.pixels(picture).width == 64)
    #expect(device.log.calls == ["open 1280x720", "start", "frame", "frame", "frame", "close"])
  }

  @Test func rawFramesAreTakenToo() throws {
    var device = ScriptedDevice()
    let raw = TestPictures.yuyv()
    device.steps = (0..<3).map { _ in .frame(.yuyv(TestPictures.layout), raw, after: 33) }
    #expect(try TestPictures.pixels(take(device)).height == 48)
  }

  @Test func brokenFramesAreSkippedUntilAWholeOneComes() throws {
    let jpeg = try TestPictures.jpeg()
    var device = ScriptedDevice()
    device.steps =
      frames(2, jpeg) + frames(2, Array(jpeg.dropLast(40))) + [.damaged(after: 33)]
      + frames(1, jpeg)
    #expect(try !take(device).isEmpty)
    #expect(device.log.calls.filter { $0 == "frame" }.count == 6)
  }

  @Test func aSlowCameraGivesUpWarmingUpAndNotThePicture() throws {
    let jpeg = try TestPictures.jpeg()
    var device = ScriptedDevice()
    device.steps =
      [.frame(.mjpeg, jpeg, after: 1900), .frame(.mjpeg, jpeg, after: 500)]
      + frames(1, jpeg)
    #expect(try !take(device).isEmpty)
    #expect(device.log.now < 4000)
  }

  @Test func silenceEndsAtTheTimeOutWithASentence() throws {
    let device = ScriptedDevice()
    let fault = try #require(self.fault(device))
    #expect(fault.code == .timedOut && fault.message.contains("within 4 s"))
    #expect(device.log.now == 4000)
    #expect(device.log.calls.last == "close")
  }

  @Test func onlyBrokenFramesEndWithWhatIsWrongWithThem() throws {
    var device = ScriptedDevice()
    device.steps = frames(200, [0xFF, 0xD8, 0xFF])
    #expect(fault(device)?.code == .pictureBroken)
    #expect(device.log.now <= 4033)
  }

  @Test func theCameraIsLetGoHoweverFarItCame() throws {
    let gone = CameraFault(.deviceMissing, "gone")
    var devices = [ScriptedDevice(), ScriptedDevice(), ScriptedDevice()]
    devices[0].openFault = gone
    devices[1].startFault = gone
    devices[2].steps = [.fault(gone)]
    for device in devices {
      #expect(fault(device) == gone)
      #expect(device.log.calls.filter { $0 == "close" }.count == 1)
    }
  }

  @Test func whatIsNoCameraIsSaidInWordsByTheRealDriver() throws {
    let directory = try TemporaryDirectory()
    let file = try directory.write("no camera", to: "file")
    let cases: [(String, CameraFault.Code)] = [
      (directory.path(of: "nothing"), .deviceMissing), ("/dev/null", .deviceUnsuitable),
      (file, .deviceUnsuitable), (directory.path, .deviceFailed),
    ]
    for (path, code) in cases {
      var device = V4L2Device(path: path)
      do throws(CameraFault) {
        try device.open(width: 640, height: 480)
        Issue.record("\(path) was opened")
      } catch {
        #expect(error.code == code, "\(path): \(error)")
        #expect(error.message.contains(path))
      }
      device.close()
    }
  }

  @Test(arguments: [
    (ENOENT, CameraFault.Code.deviceMissing), (ENODEV, .deviceMissing),
    (EACCES, .deviceForbidden), (EBUSY, .deviceBusy), (ENOTTY, .deviceUnsuitable),
    (EIO, .deviceFailed),
  ]) func errorsOfTheKernelBecomeSentences(number: Int32, code: CameraFault.Code) {
    let fault = V4L2Device.fault(number, path: "/dev/video7")
    #expect(fault.code == code && fault.message.contains("/dev/video7"))
  }
}

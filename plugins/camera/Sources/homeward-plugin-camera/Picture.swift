import CCamera
import Glibc
import PluginKit

/// Makes JPEG pictures that may leave the house: whole, small enough, without metadata such as a position.
enum Picture {
  /// The most that guardians' mailboxes are asked to take.
  static let maximumBytes = 2_000_000
  /// More than any camera of a gateway has.
  static let maximumPixels: UInt32 = 4096 * 4096
  private static let qualities: [Int32] = [85, 70, 50, 30, 15]

  /// One row of packed pixels after another, two pixels in four bytes: Y0 U Y1 V.
  struct YUYV {
    var width: UInt32
    var height: UInt32
    /// Bytes from one row to the next; 0 where rows follow each other.
    var stride: UInt32
  }

  /// Compresses a raw frame.
  static func encode(
    _ frame: UnsafeRawBufferPointer, _ layout: YUYV, maximumBytes: Int = maximumBytes
  ) throws(CameraFault) -> [UInt8] {
    try smallest(within: maximumBytes) { quality, out, size, message in
      homeward_jpeg_from_yuyv(
        frame.baseAddress?.assumingMemoryBound(to: UInt8.self), frame.count, layout.width,
        layout.height, layout.stride, quality, out, size, message)
    }
  }

  /// Writes a JPEG anew; one that is cut off, or is none, is refused.
  static func rewrite(
    _ jpeg: UnsafeRawBufferPointer, maximumBytes: Int = maximumBytes
  ) throws(CameraFault) -> [UInt8] {
    guard !jpeg.isEmpty else {
      throw CameraFault(.pictureBroken, gettext("The camera's picture is empty. Try again."))
    }
    return try smallest(within: maximumBytes) { quality, out, size, message in
      homeward_jpeg_again(
        jpeg.baseAddress?.assumingMemoryBound(to: UInt8.self), jpeg.count, maximumPixels, quality,
        out, size, message)
    }
  }

  /// As for bytes in memory that is not ours.
  static func rewrite(
    _ jpeg: [UInt8], maximumBytes: Int = maximumBytes
  ) throws(CameraFault) -> [UInt8] {
    let result = jpeg.withUnsafeBytes { buffer -> Result<[UInt8], CameraFault> in
      do throws(CameraFault) {
        return .success(try rewrite(buffer, maximumBytes: maximumBytes))
      } catch { return .failure(error) }
    }
    return try result.get()
  }

  private typealias Compressor = (
    _ quality: Int32, _ out: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>,
    _ size: UnsafeMutablePointer<Int>, _ message: UnsafeMutablePointer<CChar>
  ) -> Int32

  /// The best quality that is small enough.
  private static func smallest(
    within maximumBytes: Int, _ compress: Compressor
  ) throws(CameraFault) -> [UInt8] {
    for quality in qualities {
      var out: UnsafeMutablePointer<UInt8>?
      var size = 0
      var message = [CChar](repeating: 0, count: Int(HOMEWARD_JPEG_MESSAGE))
      guard compress(quality, &out, &size, &message) == 0, let out else {
        let bytes = message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        throw CameraFault(
          .pictureBroken,
          gettext(
            "The camera's picture cannot be read ({text}). Try again.",
            ["text": String(decoding: bytes, as: UTF8.self)])
        )
      }
      defer { free(out) }
      if size <= maximumBytes { return Array(UnsafeBufferPointer(start: out, count: size)) }
    }
    throw CameraFault(
      .pictureBroken,
      gettext("The picture stays too large to be sent. Set a smaller width and height."))
  }
}

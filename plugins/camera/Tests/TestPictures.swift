import Care
import Foundation
import JSON
import TestSupport
import Testing

@testable import homeward_plugin_camera

/// Pictures whose pixels are known.
enum TestPictures {
  static let layout = Picture.YUYV(width: 64, height: 48, stride: 0)

  /// Bright left half, dark right half, with the colours of red and blue.
  static func yuyv(width: Int = 64, height: Int = 48, stride: Int = 0) -> [UInt8] {
    let row = (0..<width / 2).flatMap { pair -> [UInt8] in
      pair < width / 4 ? [200, 90, 200, 240] : [40, 240, 40, 110]
    }
    let padding = [UInt8](repeating: 0xEE, count: max(0, stride - width * 2))
    return (0..<height).flatMap { _ in row + padding }
  }

  /// Every pixel another one: a picture that does not get small.
  static func noise(width: Int, height: Int) -> [UInt8] {
    var state: UInt64 = 0x9E37_79B9_7F4A_7C15
    return (0..<width * height * 2).map { _ in
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return UInt8(truncatingIfNeeded: state)
    }
  }

  static func jpeg() throws -> [UInt8] {
    let frame = yuyv()
    return try frame.withUnsafeBytes { try Picture.encode($0, layout) }
  }

  /// The pixels of a JPEG as red, green and blue, as Debian's djpeg reads them.
  static func pixels(_ jpeg: [UInt8]) throws -> (width: Int, height: Int, rgb: [UInt8]) {
    let directory = try TemporaryDirectory()
    let (input, output) = (directory.path(of: "in.jpg"), directory.path(of: "out.ppm"))
    try Data(jpeg).write(to: URL(fileURLWithPath: input))
    let child = try ChildProcess(
      "djpeg", ["-ppm", "-outfile", output, input], log: directory.path(of: "log"))
    try #require(child.wait() == 0, "\(child.log)")
    try #require(child.log.isEmpty, "djpeg warns: \(child.log)")
    let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: output)))
    var words: [Int] = []
    var index = 2
    while words.count < 3 {
      while index < bytes.count, !(0x30...0x39).contains(bytes[index]) { index += 1 }
      let start = index
      while index < bytes.count, (0x30...0x39).contains(bytes[index]) { index += 1 }
      words.append(try #require(Int(String(decoding: bytes[start..<index], as: UTF8.self))))
    }
    return (words[0], words[1], Array(bytes[(index + 1)...]))
  }

  /// Kinds of the segments before the picture's data, such as 0xE1 for Exif.
  static func markers(_ jpeg: [UInt8]) -> [UInt8] {
    var markers: [UInt8] = []
    var index = 2
    while index + 3 < jpeg.count, jpeg[index] == 0xFF, jpeg[index + 1] != 0xDA {
      markers.append(jpeg[index + 1])
      index += 2 + Int(jpeg[index + 2]) << 8 + Int(jpeg[index + 3])
    }
    return markers
  }

  /// The JPEG with a segment put behind its start.
  static func adding(_ marker: UInt8, _ content: [UInt8], to jpeg: [UInt8]) -> [UInt8] {
    let length = content.count + 2
    return [0xFF, 0xD8, 0xFF, marker, UInt8(length >> 8), UInt8(length & 0xFF)] + content
      + jpeg.dropFirst(2)
  }

  /// The JPEG without its Huffman tables, as cheap cameras send it.
  static func withoutHuffmanTables(_ jpeg: [UInt8]) -> [UInt8] {
    var result: [UInt8] = [0xFF, 0xD8]
    var index = 2
    while index + 3 < jpeg.count, jpeg[index + 1] != 0xDA {
      let end = index + 2 + Int(jpeg[index + 2]) << 8 + Int(jpeg[index + 3])
      if jpeg[index + 1] != 0xC4 { result += jpeg[index..<end] }
      index = end
    }
    return result + jpeg[index...]
  }

  static func settings(_ json: String = "{}") throws -> CameraSettings {
    try CameraSettings(json: .init(parsing: json))
  }
}

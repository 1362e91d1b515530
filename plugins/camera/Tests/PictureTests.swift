import Foundation
import TestSupport
import Testing

@testable import homeward_plugin_camera

@Suite struct PictureTests {
  /// Whether two colours are as near as lossy compression allows.
  private func near(_ pixel: ArraySlice<UInt8>, _ wanted: [Int]) -> Bool {
    zip(pixel, wanted).allSatisfy { abs(Int($0) - $1) <= 12 }
  }

  /// The mean difference of two pictures' pixels, of 255.
  private func difference(_ before: [UInt8], _ after: [UInt8]) -> Double {
    guard before.count == after.count, !before.isEmpty else { return 255 }
    let sum = zip(before, after).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
    return Double(sum) / Double(before.count)
  }

  private func encode(
    _ bytes: [UInt8], _ layout: Picture.YUYV, maximumBytes: Int = Picture.maximumBytes
  ) throws -> [UInt8] {
    try bytes.withUnsafeBytes { try Picture.encode($0, layout, maximumBytes: maximumBytes) }
  }

  /// ITU-R BT.601 with full range, as JPEG has it.
  private func colour(_ y: Double, _ u: Double, _ v: Double) -> [Int] {
    [
      y + 1.402 * (v - 128), y - 0.344136 * (u - 128) - 0.714136 * (v - 128),
      y + 1.772 * (u - 128),
    ].map { Int(min(255, max(0, $0))) }
  }

  @Test(arguments: [0, 128, 160])
  func rawPixelsComeOutInTheirPlacesAndColours(stride: Int) throws {
    let layout = Picture.YUYV(width: 64, height: 48, stride: UInt32(stride))
    let jpeg = try encode(TestPictures.yuyv(stride: stride), layout)
    let (width, height, rgb) = try TestPictures.pixels(jpeg)
    #expect(width == 64 && height == 48 && rgb.count == 64 * 48 * 3)
    for row in [0, 23, 47] {
      for (column, wanted) in [(4, colour(200, 90, 240)), (60, colour(40, 240, 110))] {
        let start = (row * 64 + column) * 3
        #expect(near(rgb[start..<start + 3], wanted), "\(row),\(column): \(rgb[start..<start + 3])")
      }
    }
  }

  @Test(arguments: [(0, 48), (63, 48), (64, 0), (20_000, 48), (64, 20_000), (1, 1)])
  func aSizeThatMakesNoSenseIsRefused(width: UInt32, height: UInt32) {
    #expect(throws: CameraFault.self) {
      try encode(TestPictures.yuyv(), Picture.YUYV(width: width, height: height, stride: 0))
    }
  }

  @Test func aFrameThatIsShorterThanItsSizeIsRefusedAtEveryLength() throws {
    let frame = TestPictures.yuyv(width: 8, height: 4)
    let layout = Picture.YUYV(width: 8, height: 4, stride: 0)
    for count in 0..<frame.count {
      #expect(throws: CameraFault.self) { try encode(Array(frame.prefix(count)), layout) }
    }
    #expect(try !encode(frame, layout).isEmpty)
  }

  @Test func metadataDoesNotLeaveTheHouse() throws {
    let jpeg = try TestPictures.jpeg()
    let position = Array("Exif\0\0 59.91273 10.74609".utf8)
    var tagged = jpeg
    for marker: UInt8 in [0xE1, 0xE2, 0xED, 0xFE] {
      tagged = TestPictures.adding(marker, position, to: tagged)
    }
    #expect(Set(TestPictures.markers(tagged)).isSuperset(of: [0xE1, 0xE2, 0xED, 0xFE]))
    let clean = try Picture.rewrite(tagged)
    #expect(Set(TestPictures.markers(clean)).isDisjoint(with: [0xE1, 0xE2, 0xED, 0xFE]))
    #expect(String(decoding: clean, as: UTF8.self).contains("59.91273") == false)
    let (before, after) = (try TestPictures.pixels(jpeg).rgb, try TestPictures.pixels(clean).rgb)
    #expect(difference(before, after) < 2)
  }

  @Test func aFrameWithoutItsTablesGetsThem() throws {
    let jpeg = try TestPictures.jpeg()
    // Standard tables: those that a frame without tables is to be read with.
    let bare = TestPictures.withoutHuffmanTables(jpeg)
    #expect(!TestPictures.markers(bare).contains(0xC4))
    let whole = try Picture.rewrite(bare)
    #expect(TestPictures.markers(whole).contains(0xC4))
    let (before, after) = (try TestPictures.pixels(jpeg).rgb, try TestPictures.pixels(whole).rgb)
    #expect(difference(before, after) < 2)
  }

  @Test func aPictureThatIsCutOffIsRefusedWhereverItIs() throws {
    let jpeg = try TestPictures.jpeg()
    for count in 0..<(jpeg.count - 2) {
      #expect(throws: CameraFault.self, "\(count)") {
        try Picture.rewrite(Array(jpeg.prefix(count)))
      }
    }
  }

  @Test func flippedBitsNeverStopTheProgram() throws {
    let jpeg = try TestPictures.jpeg()
    var outcomes: (good: Int, bad: Int) = (0, 0)
    for position in jpeg.indices {
      for bit in [0, 4, 7] {
        var damaged = jpeg
        damaged[position] ^= 1 << UInt8(bit)
        if (try? Picture.rewrite(damaged)) == nil { outcomes.bad += 1 } else { outcomes.good += 1 }
      }
    }
    #expect(outcomes.bad > 100 && outcomes.good > 100, "\(outcomes)")
  }

  @Test func aPictureGetsSmallEnoughOrIsRefused() throws {
    let noise = TestPictures.noise(width: 640, height: 480)
    let layout = Picture.YUYV(width: 640, height: 480, stride: 0)
    let full = try encode(noise, layout)
    let small = try encode(noise, layout, maximumBytes: full.count / 2)
    #expect(small.count <= full.count / 2)
    #expect(try TestPictures.pixels(small).width == 640)
    #expect(throws: CameraFault.self) { try encode(noise, layout, maximumBytes: 1000) }
    let rewritten = try Picture.rewrite(full, maximumBytes: full.count / 3)
    #expect(rewritten.count <= full.count / 3)
  }

  @Test func aPictureOfHugeSizeIsRefusedBeforeMemoryIsAskedFor() throws {
    var jpeg = try TestPictures.jpeg()
    let frame = try #require(
      (0..<jpeg.count - 9).first { jpeg[$0] == 0xFF && jpeg[$0 + 1] == 0xC0 })
    jpeg.replaceSubrange(frame + 5..<frame + 9, with: [0xFF, 0xDC, 0xFF, 0xDC])
    #expect(throws: CameraFault.self) { try Picture.rewrite(jpeg) }
  }
}

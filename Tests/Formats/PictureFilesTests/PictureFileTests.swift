import Bytes
import Care
import Foundation
import PictureFiles
import TestSupport
import Testing
import Texts

@Suite("Picture files")
struct PictureFileTests {
  let studio: Studio

  init() throws { studio = try Studio.shared.get() }

  private func fault(_ bytes: [UInt8]) -> PictureFault.Code? {
    do {
      _ = try PictureFile(checking: bytes)
      return nil
    } catch { return error.code }
  }

  @Test("Every usual kind of JPEG and PNG is taken with its size, and shows what it showed")
  func kinds() throws {
    for name in Studio.names {
      let picture = try PictureFile(checking: studio.bytes(name))
      let size = name.hasPrefix("dot") ? [1, 1] : [97, 61]
      #expect([picture.width, picture.height] == size, "\(name)")
      #expect(picture.kind.fileExtension == String(name.suffix(3)))
      _ = try studio.write(picture.bytes, "shown-\(name)")
      #expect(try studio.showSame(name, "shown-\(name)"), "\(name)")
    }
  }

  @Test("Position, names, times and texts are gone, and the picture is turned as it was")
  func stripped() throws {
    let kept = Studio.names.map { "stripped-\($0)" }
    for (name, kept) in zip(Studio.names, kept) {
      let picture = try PictureFile(checking: studio.bytes("told-\(name)"))
      _ = try studio.write(picture.bytes, kept)
      #expect(picture.orientation == 6, "\(name)")
      let text = String(decoding: picture.bytes, as: UTF8.self)
      #expect(!text.contains("Secret") && !text.contains("Camera"), "\(name)")
      #expect(try studio.showSame("told-\(name)", kept), "\(name)")
    }
    let told = try studio.told(kept)
    #expect(told.count == kept.count)
    for (name, told) in zip(kept, told) {
      let revealing = told.keys.filter { key in
        ["GPS", "XMP", "IPTC", "ExifIFD", "Photoshop", "Comment", "Artist", "Title", "Warning"]
          .contains { key.contains($0) }
      }
      #expect(revealing.isEmpty, "\(name): \(revealing)")
      #expect(told["IFD0:Orientation"] == "6", "\(name)")
    }
  }

  @Test("The test would notice: what goes in does tell the position")
  func whatGoesIn() throws {
    let told = try #require(studio.told(["told-baseline.jpg"]).first)
    #expect(told["GPS:GPSLatitude"] != nil && told["IFD0:Artist"] == "Secret Name")
    #expect(
      told.keys.contains { $0.hasPrefix("IPTC") } && told.keys.contains { $0.hasPrefix("XMP") })
  }

  @Test("Where the position is wanted it stays, and texts elsewhere go all the same")
  func positionKept() throws {
    let names = ["baseline.jpg", "colour.png"]
    for name in names {
      let picture = try PictureFile(checking: studio.bytes("told-\(name)"), keepsPosition: true)
      _ = try studio.write(picture.bytes, "placed-\(name)")
    }
    let found = try studio.told(names.map { "placed-\($0)" })
    #expect(found.count == 2)
    for told in found {
      #expect(Double(told["GPS:GPSLatitude"] ?? "").map { abs($0 - 59.91273) < 0.001 } == true)
      #expect(told["IFD0:Orientation"] == "6")
      #expect(!told.keys.contains { $0.hasPrefix("XMP") || $0.hasPrefix("IPTC") }, "\(told.keys)")
    }
  }

  @Test("The name is the SHA-256 of what is kept, and a stripped file is kept as it is")
  func identity() throws {
    for name in Studio.names {
      let first = try PictureFile(checking: studio.bytes("told-\(name)"))
      let second = try PictureFile(checking: first.bytes)
      #expect(second == first, "\(name)")
      let path = try studio.write(first.bytes, "summed-\(name)")
      let log = studio.directory.path(of: "sum-\(name)")
      let sum = try ChildProcessText("sha256sum", [path], log: log).text
      #expect(sum.hasPrefix(first.id.rawValue + " "))
    }
  }

  @Test("What follows the end of a picture is not kept: no archive hides in it")
  func polyglot() throws {
    for name in ["baseline.jpg", "colour.png"] {
      let clean = try PictureFile(checking: studio.bytes(name))
      let archive = Array("PK\u{3}\u{4}evil<script>alert(1)</script>".utf8)
      let picture = try PictureFile(checking: studio.bytes(name) + archive)
      #expect(picture.bytes == clean.bytes)
    }
  }

  @Test("Nothing but numbers is left of a colour profile and of what says how colours were turned")
  func colourTexts() throws {
    let secrets = ["GPS 59.9139", "<script>", "14 Secret St"]
    let told = Array(secrets.joined(separator: " ").utf8)
    let plain = try studio.bytes("profile.jpg")
    let profile = try studio.bytes("profile.icc")
    // The texts stand in the profile's own text elements, behind its end, and behind the end of Adobe's segment.
    let described = try studio.bytes("described.icc")
    #expect(String(decoding: described, as: UTF8.self).contains("14 Secret St"))
    let adobe = Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, 1]
    for (number, hidden) in [described, profile + told, profile].enumerated() {
      let segments = [
        (UInt8(0xEE), adobe + told), (0xE2, Array("ICC_PROFILE\0".utf8) + [1, 1] + hidden),
      ]
      let file = try Self.with(segments, in: studio.bytes("baseline.jpg"))
      let picture = try PictureFile(checking: file)
      let text = String(decoding: picture.bytes, as: UTF8.self)
      for secret in secrets { #expect(!text.contains(secret), "\(number): \(secret)") }
      _ = try studio.write(file, "hidden-\(number).jpg")
      _ = try studio.write(picture.bytes, "trimmed-\(number).jpg")
      #expect(try studio.showSameColours("hidden-\(number).jpg", "trimmed-\(number).jpg"))
    }
    let kept = try PictureFile(checking: plain)
    _ = try studio.write(kept.bytes, "trimmed-profile.jpg")
    #expect(try studio.showSameColours("profile.jpg", "trimmed-profile.jpg"))
    let left = try #require(studio.told(["trimmed-profile.jpg"]).first)
    #expect(left.keys.contains { $0.hasPrefix("ICC") }, "a profile is there")
  }

  @Test("No text hides in the small chunks of a PNG")
  func smallChunks() throws {
    let file = try studio.bytes("colour.png")
    let hidden = Array("14 Secret St".utf8)
    for type in ["gAMA", "cHRM", "sRGB", "sBIT", "bKGD", "tRNS"] {
      let chunk = Self.chunk(type, hidden)
      let picture = try PictureFile(checking: Array(file[..<33]) + chunk + Array(file[33...]))
      #expect(!String(decoding: picture.bytes, as: UTF8.self).contains("Secret"), "\(type)")
    }
  }

  /// A JPEG with more segments at its beginning.
  private static func with(_ segments: [(UInt8, [UInt8])], in file: [UInt8]) -> [UInt8] {
    let added = segments.flatMap { marker, content -> [UInt8] in
      let length = content.count + 2
      return [0xFF, marker, UInt8(length >> 8), UInt8(length & 0xFF)] + content
    }
    return Array(file[..<2]) + added + Array(file[2...])
  }

  private static func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
    func word(_ number: UInt32) -> [UInt8] {
      [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> UInt32($0)) }
    }
    let body = Array(type.utf8) + content
    var sum: UInt32 = 0xFFFF_FFFF
    for byte in body {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum & 1 == 1 ? 0xEDB8_8320 ^ (sum >> 1) : sum >> 1 }
    }
    return word(UInt32(content.count)) + body + word(~sum)
  }

  // MARK: What is refused

  @Test("A picture bomb is refused from its header")
  func bombs() throws {
    var png = try studio.bytes("colour.png")
    // Width and height of IHDR, with a checksum that fits.
    for (index, byte) in [0, 0, 0xFF, 0xFF, 0, 0, 0xFF, 0xFF].enumerated() {
      png[16 + index] = UInt8(byte)
    }
    let sum = Self.crc(png[12..<29])
    for index in 0..<4 {
      png[29 + index] = UInt8(truncatingIfNeeded: sum >> UInt32(24 - 8 * index))
    }
    #expect(fault(png) == .tooLarge)
    var jpeg = try studio.bytes("baseline.jpg")
    let frame = try #require(jpeg.indices.first { jpeg[$0] == 0xFF && jpeg[$0 + 1] == 0xC0 })
    for index in 5...8 { jpeg[frame + index] = 0xFF }
    #expect(fault(jpeg) == .tooLarge)
    for index in 5...8 { jpeg[frame + index] = 0 }
    #expect(fault(jpeg) == .malformed)
    let large = try studio.bytes("baseline.jpg") + [UInt8](repeating: 0, count: 10_000_000)
    #expect(fault(large) == .tooLarge)
  }

  private static func crc(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    ~bytes.reduce(UInt32.max) { sum, byte in
      (0..<8).reduce(sum ^ UInt32(byte)) { number, _ in
        number & 1 == 1 ? 0xEDB8_8320 ^ (number >> 1) : number >> 1
      }
    }
  }

  @Test("No beginning of a picture is taken for the whole")
  func truncated() throws {
    for name in ["dot.jpg", "told-dot.jpg", "dot.png", "told-dot.png", "palette.png"] {
      let whole = try studio.bytes(name)
      for length in 0..<whole.count {
        let found = fault(Array(whole.prefix(length)))
        #expect(found != nil, "\(name): \(length) of \(whole.count) bytes")
      }
    }
  }

  @Test("A wrong checksum is found in every chunk")
  func checksums() throws {
    let whole = try studio.bytes("told-colour.png")
    var offset = 8
    while offset < whole.count {
      let length = whole[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
      var damaged = whole
      damaged[offset + 8 + length] ^= 1
      #expect(fault(damaged) == .checksum)
      offset += 12 + length
    }
  }

  @Test("Damaged bytes are refused or give a picture that is whole; nothing traps")
  func bitFlips() throws {
    var random = SplitMix64(seed: 5)
    for name in [
      "told-baseline.jpg", "told-progressive.jpg", "told-colour.png", "told-palette.png",
    ] {
      let whole = try studio.bytes(name)
      for _ in 0..<400 {
        var damaged = whole
        for _ in 0..<Int(random.next() % 4 + 1) {
          damaged[Int(random.next() % UInt64(whole.count))] ^= 1 << UInt8(random.next() % 8)
        }
        guard let picture = try? PictureFile(checking: damaged) else { continue }
        #expect(try PictureFile(checking: picture.bytes).bytes == picture.bytes)
      }
    }
  }

  @Test(
    "What is no picture is refused in words that say what to do",
    arguments: [
      ("", PictureFault.Code.notAPicture), ("GIF89a", .notAPicture), ("\u{89}PNG", .notAPicture),
      ("<svg onload='alert(1)'/>", .notAPicture), ("RIFF0000WEBP", .notAPicture),
    ])
  func otherFormats(_ text: String, _ code: PictureFault.Code) throws {
    #expect(fault(Array(text.utf8)) == code)
    do { _ = try PictureFile(checking: Array(text.utf8)) } catch {
      #expect(error.description.hasSuffix(".") && error.description == error.message.text(in: .en))
    }
  }

  /// The parts of the smallest JPEG, to be put together wrongly.
  private enum Part {
    static let start: [UInt8] = [0xFF, 0xD8]
    static let frame: [UInt8] = [0xFF, 0xC0, 0, 11, 8, 0, 1, 0, 1, 1, 1, 0x11, 0]
    static let scan: [UInt8] = [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0, 0x55]
    static let end: [UInt8] = [0xFF, 0xD9]
  }

  @Test("A JPEG whose parts do not fit together is refused")
  func malformedJPEG() {
    #expect(fault(Part.start + Part.frame + Part.scan + Part.end) == nil)
    let wrong: [([UInt8], PictureFault.Code)] = [
      (Part.start + Part.end, .malformed), (Part.start + Part.frame + Part.end, .malformed),
      (Part.start + Part.scan + Part.end, .malformed),
      (Part.start + Part.frame + Part.frame + Part.scan + Part.end, .malformed),
      (Part.start + [0xFF, 0xD0] + Part.frame + Part.scan + Part.end, .malformed),
      (Part.start + [0xFF, 0xFE, 0, 1] + Part.frame + Part.scan + Part.end, .malformed),
      (Part.start + [0x00] + Part.frame + Part.scan + Part.end, .malformed),
      (Part.start + [0xFF, 0xDB, 0, 3, 0] + Part.frame + Part.scan + Part.end, .malformed),
      (Part.start + [0xFF, 0xC4, 0, 3, 0] + Part.frame + Part.scan + Part.end, .malformed),
      (Part.start + [0xFF, 0xC3] + Part.frame.dropFirst(2) + Part.scan + Part.end, .unsupported),
      (Part.start + Part.frame + Part.scan, .truncated),
      (Part.start + Part.frame + Part.scan + [0xFF], .truncated),
    ]
    for (index, (bytes, code)) in wrong.enumerated() {
      #expect(fault(bytes) == code, "case \(index)")
    }
  }

  @Test("A PNG whose chunks do not fit together is refused")
  func malformedPNG() throws {
    let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
      let body = Array(type.utf8) + content
      let sum = Self.crc(body[...])
      func bytes(_ number: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> UInt32($0)) }
      }
      return bytes(UInt32(content.count)) + body + bytes(sum)
    }
    func header(_ depth: UInt8 = 8, _ colour: UInt8 = 0) -> [UInt8] {
      chunk("IHDR", [0, 0, 0, 1, 0, 0, 0, 1, depth, colour, 0, 0, 0])
    }
    let (pixels, end) = (chunk("IDAT", [1]), chunk("IEND", []))
    #expect(fault(signature + header() + pixels + end) == nil)
    let wrong: [([UInt8], PictureFault.Code)] = [
      (header() + end, .malformed), (pixels + header() + end, .malformed),
      (header() + header() + pixels + end, .malformed), (header(3) + pixels + end, .malformed),
      (header(8, 5) + pixels + end, .malformed), (header(8, 3) + pixels + end, .malformed),
      (header() + pixels + chunk("gAMA", [0, 0, 0, 1]) + pixels + end, .malformed),
      (header() + chunk("PLTE", [1, 2]) + pixels + end, .malformed),
      (header() + chunk("CgBI", [1]) + pixels + end, .unsupported),
      (header() + pixels + chunk("IEND", [1]), .malformed), (header() + pixels, .truncated),
      ([0xFF, 0xFF, 0xFF, 0xFF] + header(), .malformed),
      (header() + [0, 0, 0, 0] + Array("ID T".utf8) + [0, 0, 0, 0], .malformed),
    ]
    for (index, (bytes, code)) in wrong.enumerated() {
      #expect(fault(signature + bytes) == code, "case \(index)")
    }
  }
}

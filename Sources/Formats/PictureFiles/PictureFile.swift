import Bytes
public import Care
public import Texts

/// A picture file that was checked and stripped of everything that is not needed to show it.
public struct PictureFile: Hashable, Sendable {
  /// What the file is.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// JPEG, as cameras write it.
    case jpeg = "image/jpeg"
    /// PNG, as screenshots are.
    case png = "image/png"

    /// The end of a file's name.
    public var fileExtension: String {
      switch self {
      case .jpeg: "jpg"
      case .png: "png"
      }
    }
  }

  /// The largest file that is taken, in bytes.
  public static let bytesAtMost = 10_000_000
  /// The largest picture that is taken, in pixels; a header that says more is refused and nothing is decoded.
  public static let pixelsAtMost = 50_000_000

  /// What the file is.
  public let kind: Kind
  /// Pixels across, as they are stored: a picture that is shown turned counts as it lies.
  public let width: Int
  /// Pixels down.
  public let height: Int
  /// How it is to be turned to be seen upright, 1 through 8 as EXIF counts; 1 is as it lies.
  public let orientation: Int
  /// The file without what was stripped, and without anything after its end.
  public let bytes: [UInt8]

  /// Checks a file and strips it.
  ///
  /// A JPEG keeps its frame, tables, scans, colour profile and what JFIF and Adobe say of its colours; a PNG what its
  /// pixels and colours need. Where the picture was taken, with what, and every text go, a smaller copy of the picture
  /// too. How it is to be turned stays, in an EXIF block that says nothing else.
  ///
  /// - Parameter keepsPosition: leave the EXIF block whole, which holds the position and more.
  /// - Throws: what is wrong, with the offset of the fault.
  /// - Source: ITU-T T.81 (JPEG), JFIF 1.02, EXIF 2.32; PNG (Third Edition), W3C.
  public init(checking file: [UInt8], keepsPosition: Bool = false) throws(PictureFault) {
    guard !file.isEmpty else {
      throw PictureFault(.notAPicture, at: 0, Message("The file is empty."))
    }
    guard file.count <= Self.bytesAtMost else {
      throw PictureFault(
        .tooLarge, at: Self.bytesAtMost,
        Message(
          "The picture is larger than {limit} MB. Make it smaller first.",
          ["limit": Self.bytesAtMost / 1_000_000]))
    }
    let stripped: StrippedPicture
    if file.starts(with: JPEGStripper.start) {
      kind = .jpeg
      stripped = try JPEGStripper.strip(file, keepsPosition: keepsPosition)
    } else if file.starts(with: PNGStripper.signature) {
      kind = .png
      stripped = try PNGStripper.strip(file, keepsPosition: keepsPosition)
    } else {
      throw PictureFault(
        .notAPicture, at: 0,
        Message("The file is no JPEG and no PNG. Save the picture in one of these formats first."))
    }
    width = stripped.width
    height = stripped.height
    orientation = stripped.orientation.flatMap { (1...8).contains($0) ? Int($0) : nil } ?? 1
    bytes = stripped.bytes
  }

  /// SHA-256 of ``bytes``, 64 hexadecimal digits.
  public var id: PictureID {
    let digits = Array("0123456789abcdef".utf8)
    let text = SHA256.hash(bytes).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    return PictureID(String(decoding: text, as: UTF8.self))
  }

  /// The size that a header tells, checked.
  static func checkSize(_ width: Int, _ height: Int, at offset: Int) throws(PictureFault) {
    guard width > 0, height > 0 else {
      throw PictureFault(.malformed, at: offset, Message("The picture has no size."))
    }
    // Neither is above 2³¹, so that the product fits.
    guard width <= Int(Int32.max), height <= Int(Int32.max), width * height <= pixelsAtMost else {
      throw PictureFault(
        .tooLarge, at: offset,
        Message(
          "The picture has {width} by {height} pixels, more than {limit} million. "
            + "Make it smaller first.",
          ["width": width, "height": height, "limit": pixelsAtMost / 1_000_000]))
    }
  }
}

/// What is left of a picture.
struct StrippedPicture {
  var width: Int
  var height: Int
  var orientation: UInt16?
  var bytes: [UInt8]
}

/// Why a file is not taken as a picture.
public struct PictureFault: Error, Hashable, Sendable, CustomStringConvertible {
  /// Kinds of fault.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    /// It is something else.
    case notAPicture = "not-a-picture"
    /// It ends before the picture does.
    case truncated
    /// It breaks the rules of its format.
    case malformed
    /// A checksum does not match.
    case checksum
    /// It is a kind of picture that many programs cannot show.
    case unsupported
    /// Too many bytes or pixels.
    case tooLarge = "too-large"
  }

  /// The kind.
  public let code: Code
  /// Offset of the fault from the start of the file.
  public let offset: Int
  /// One plain sentence, or two.
  public let message: Message

  init(_ code: Code, at offset: Int, _ message: Message) {
    self.code = code
    self.offset = offset
    self.message = message
  }

  /// The sentence.
  public var description: String { message.description }
}

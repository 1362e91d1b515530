import Bytes
public import Care
import Moments
import PictureFiles
public import Ports
import Sounds
public import Texts

/// What a ``ContentFolder`` keeps: how its files are checked and named.
public protocol StoredContent: Hashable, Sendable {
  /// A digest, 64 hexadecimal digits, by which its file is named.
  var id: Identifier<Self> { get }
  /// Size of the file.
  var bytes: Int64 { get }
  /// How its file's name ends; nil for what is none of ours.
  var fileExtension: String? { get }
  /// Every way in which a file's name may end.
  static var fileExtensions: [String] { get }
  /// The largest file that is taken, in bytes.
  static var bytesAtMost: Int { get }
  /// That a file is larger.
  static var tooLarge: Message { get }
  /// That there is no file.
  static var missing: Message { get }

  /// Checks a file that was brought; what is known of it, and the bytes that are kept.
  ///
  /// - Throws: a plain sentence of what is wrong.
  static func check(
    _ file: [UInt8], from piece: UploadPiece
  ) throws(ServiceFailure) -> (Self, [UInt8])
}

extension Picture: StoredContent {
  /// `jpg` or `png`.
  public var fileExtension: String? { PictureFile.Kind(rawValue: mediaType)?.fileExtension }

  /// `jpg` and `png`.
  public static var fileExtensions: [String] { PictureFile.Kind.allCases.map(\.fileExtension) }

  /// The largest file that is taken, in bytes.
  public static var bytesAtMost: Int { PictureFile.bytesAtMost }

  /// That a file is larger.
  public static var tooLarge: Message {
    Message(
      "The picture is larger than {limit} MB. Make it smaller first.",
      ["limit": bytesAtMost / 1_000_000])
  }

  /// That there is no file.
  public static var missing: Message {
    Message("The file of this picture is missing. Was a backup restored without it?")
  }

  /// Checks a picture and strips it.
  public static func check(
    _ file: [UInt8], from piece: UploadPiece
  ) throws(ServiceFailure) -> (Picture, [UInt8]) {
    let checked: PictureFile
    do throws(PictureFault) {
      checked = try PictureFile(checking: file, keepsPosition: piece.keepsPosition)
    } catch { throw ServiceFailure(isMissing: false, message: error.message) }
    let picture = Picture(
      id: checked.id, resident: piece.resident, mediaType: checked.kind.rawValue,
      bytes: Int64(checked.bytes.count), width: Int64(checked.width),
      height: Int64(checked.height))
    return (picture, checked.bytes)
  }
}

extension Recording: StoredContent {
  /// `wav`.
  public var fileExtension: String? { "wav" }

  /// `wav`.
  public static var fileExtensions: [String] { ["wav"] }

  /// The largest file that is taken, in bytes.
  public static var bytesAtMost: Int { RecordingFile.bytesAtMost }

  /// That a file is larger.
  public static var tooLarge: Message {
    Message(
      "The recording is larger than {limit} MB. Make it shorter.",
      ["limit": bytesAtMost / 1_000_000])
  }

  /// That there is no file.
  public static var missing: Message {
    Message("The file of this recording is missing. Was a backup restored without it?")
  }

  /// Checks a recording and leaves nothing in it but the sound. When it came in is for others to say.
  public static func check(
    _ file: [UInt8], from piece: UploadPiece
  ) throws(ServiceFailure) -> (Recording, [UInt8]) {
    let checked: RecordingFile
    do throws(RecordingFault) { checked = try RecordingFile(checking: file) } catch {
      throw ServiceFailure(isMissing: false, message: error.message)
    }
    let digest = SHA256.hash(Array(piece.resident.rawValue.utf8) + [0] + checked.bytes)
    let recording = Recording(
      id: RecordingID(Hexadecimal.text(digest)), resident: piece.resident,
      bytes: Int64(checked.bytes.count), milliseconds: Int64(checked.milliseconds),
      keptAt: Timestamp(milliseconds: 0))
    return (recording, checked.bytes)
  }
}
